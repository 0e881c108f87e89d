import { expect, test } from 'vitest'
import { told } from './told.ts'

const NOTHING: readonly string[] = [
  // Questions.
  'When is my passport deadline?', 'Is my name Mira?', 'Do I live in Oslo', 'I live in Oslo, right?', "What's my name", 'Would you say I live in Oslo',
  // Possible, wished, usual.
  'If I lived in Oslo, I would ski', 'If my name is Bob, my deadline is July 15', "Maybe I'll move to Bergen", 'I might move to Bergen next year', 'I want to move to Bergen', 'I would like to live in Oslo', 'I think my deadline is July 15',
  'My deadline is probably July 15', 'I almost moved to Oslo', "I'm thinking of moving to Oslo", "I'm going to move to Oslo", 'I wish my name was Bob', 'I sometimes like tea',
  "I'll be in Paris", "I'm moving to Paris",
  // Somebody else's words, and material of a request.
  'She said "I live in Oslo"', '"I live in Oslo" is a sentence', '\u201cMy name is Bob,\u201d he laughed.', '> I live in Oslo', 'John: I live in Oslo', 'Ann told me I live in Oslo', 'According to the form, my name is Bob',
  'Translate to French: I live in Oslo', 'Translate this to French:\nMy name is Bob. I live in Oslo.', 'Write an email saying that I moved to Bergen', 'Write a poem: my name is Ann and I live in Paris', '```\nmy name is Bob\n```',
  'He wrote "my name is Bob. I live in Rome', "She said: 'I live in Oslo'.",
  // Fiction and jokes.
  'Imagine I live on Mars. My name is Zog. I live in Olympus.', 'In my novel, my name is Bob and I live in Rome. I work at Acme.', "Let's say my birthday is May 3", 'Pretend my name is Max', 'I dreamed I moved to Paris',
  'I live in Oslo. Just kidding!', 'I live in Oslo lol', 'I love Mondays \u{1f643}',
  // Requests and small talk.
  'Remind me to call my sister', 'Set a timer for 10 minutes', 'Book a table for my birthday on May 3', 'Call me later', 'Call me tomorrow', 'call me a cab', 'Thanks!', 'How are you?', "I'm fine", 'I love you', 'I like your answer', "That's great, I love it", "It's Friday", 'It is raining',
  // Words that only look like facts.
  "I'm in trouble", 'I am in Love', "I'm in a meeting", "I'm in Sales", 'I work at night', 'I work from home', 'I live in a house', 'I live in the moment', 'I moved to the couch', 'I moved to Linux last year', 'I am a mess', 'I have a headache', 'I have a meeting at 3',
  'My head is killing me', 'My day is going well', 'My sister is sick', 'My car is broken', 'My point is that Oslo is nice', 'My name is hard to pronounce', 'My guess is July 15', 'My old address was 5 Main Street', 'My boss is Norwegian', "Hi, I'm Norwegian",
  'I like this one', 'I prefer the second option', 'I like it when it rains', 'We use apps, like TikTok', 'I love my job', 'I quit', 'I left Paris', 'I study for my exam', 'I was born ready', 'My favorite part is the ending',
  // Strangers and the world.
  'Bob lives in Paris', 'She lives in Paris', 'Oslo is the capital of Norway', 'The meeting is on Friday', 'You live in Oslo',
  // Denials of what nobody said.
  'My name is not Bob', "I don't live in Oslo", 'I used to live in Oslo', "I'm not vegetarian", "I don't hate tea",
  // Dates that cannot be told.
  'My deadline is 05/06/2026', 'My deadline is soon', 'My deadline is February 30', 'I am in Paris from July 20, 2026 to July 10, 2026',
  // What must not be kept.
  'My password is hunter2', 'My PIN is 1234', 'My credit card number is 4111 1111 1111 1111',
  // Pronouns with nothing behind them.
  'It moved to June 30', 'No, I meant Bergen', 'Actually no', 'Sorry, my bad', 'I meant well',
  // Other languages.
  '\u041c\u0435\u043d\u044f \u0437\u043e\u0432\u0443\u0442 \u041c\u0438\u0440\u0430', "Je m'appelle Mira",
  '', '   \n\t ', '?', '\u{1f600}',
]

test.each(NOTHING)('%j says nothing', async text => {
  expect(await told(text)).toEqual([])
})

test('only the user is read', async () => {
  for (const author of ['assistant', 'tool', 'document', 'event'] as const) expect(await told('My name is Mira', { author })).toEqual([])
})
