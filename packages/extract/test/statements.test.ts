import { expect, test } from 'vitest'
import { told } from './told.ts'

const SAID: readonly (readonly [text: string, ...facts: string[]])[] = [
  // What one has.
  ['My passport deadline is July 15, 2026', 'user.passport_deadline = 2026-07-15'],
  ['my passport deadline: July 15, 2026', 'user.passport_deadline = 2026-07-15'],
  ['The deadline for my passport is July 15, 2026.', 'user.passport_deadline = 2026-07-15'],
  ["My passport's deadline is 15/07/2026", 'user.passport_deadline = 2026-07-15'],
  ['My lease ends on May 31', 'user.lease_end = 2026-05-31'],
  ['My visa expires on 12 August 2026', 'user.visa_expiry = 2026-08-12'],
  ['My passport expires in July 2027', 'user.passport_expiry = 2027-07'],
  ['My dentist appointment is on Friday at 3pm', 'user.dentist_appointment = 2026-05-08T15:00'],
  ['My exam is tomorrow', 'user.exam = 2026-05-05'],
  ['My birthday is May 3', 'user.birthday = --05-03'],
  ['My birthday is on 3 May 1990', 'user.birthday = 1990-05-03'],
  ['Our anniversary is September 9', 'user.anniversary = --09-09'],
  ['My email is mira@example.com.', 'user.email = mira@example.com'],
  ['My new phone number is +47 555 12 34', 'user.phone = +47 555 12 34'],
  ['My address is 5 Main St., Oslo', 'user.address = 5 Main St., Oslo'],
  ['My favourite colour is blue', 'user.favorite_color = blue'],
  ['Moscow is my favorite city', 'user.favorite_city = Moscow'],
  ['My hobbies are chess and hiking', 'user.hobbies = chess', 'user.hobbies = hiking'],
  ['My blood type is O+', 'user.blood_type = O+'],
  ['As of today my passport deadline is June 30', 'user.passport_deadline = 2026-06-30 [2026-05-04T12:30:45Z..]'],
  // Names.
  ['My name is Mira', 'user.name = Mira'],
  ["My name's Mira, not Miranda", 'user.name = Mira'],
  ['Call me Mira', 'user.name = Mira'],
  ['People call me Max', 'user.name = Max'],
  ['Hi! I\u2019m Zo\u00eb', 'user.name = Zo\u00eb'],
  ['My name is \u674e\u4f1f', 'user.name = \u674e\u4f1f'],
  ["My name is Jean-Luc O'Neill", "user.name = Jean-Luc O'Neill"],
  ['My full name is Mar\u00eda Jos\u00e9 de la Cruz', 'user.name = Mar\u00eda Jos\u00e9 de la Cruz'],
  ['my name is mira', 'user.name = mira'],
  ["My name isn't Bob, it's Rob", 'user.name = Rob'],
  // Homes and places.
  ['I live in Oslo', 'user.lives_in = Oslo'],
  ['i live in oslo', 'user.lives_in = oslo'],
  ['I live in Oslo (since 2024)', 'user.lives_in = Oslo [2024-01-01..]'],
  ['I live in New York City, USA since January 2020', 'user.lives_in = New York City, USA [2020-01-01..]'],
  ['I moved to Bergen', 'user.lives_in = Bergen'],
  ['I moved to Bergen last week', 'user.lives_in = Bergen [2026-04-27..]'],
  ['Last week I moved from Oslo to Bergen', 'user.lives_in = Bergen [2026-04-27..]'],
  ['I moved in April from Oslo to S\u00e3o Paulo', 'user.lives_in = S\u00e3o Paulo [2026-04-01..]'],
  ["I'm moving to Berlin on June 1", 'user.lives_in = Berlin [2026-06-01..]'],
  ['I lived in Paris from 2010 to 2015', 'user.lives_in = Paris [2010-01-01..2016-01-01]'],
  ["I've lived in Oslo for two years", 'user.lives_in = Oslo [2024-05-04..]'],
  ['I am in Paris from the 10th to the 20th of July 2026', 'user.location = Paris [2026-07-10..2026-07-21]'],
  ["I'll be in Tokyo from June 3-10", 'user.location = Tokyo [2026-06-03..2026-06-11]'],
  ["I'm in Paris until Friday", 'user.location = Paris [..2026-05-09]'],
  ["I'm in Paris this week", 'user.location = Paris [2026-05-04T12:30:45Z..2026-05-11]'],
  ['I was in Paris last week', 'user.location = Paris [2026-04-27..2026-05-04]'],
  ['I was born in Bergen on May 3, 1990', 'user.birthplace = Bergen', 'user.birthday = 1990-05-03'],
  ["I'm from Norway originally", 'user.origin = Norway'],
  // Work.
  ['I work at Acme', 'user.employer = Acme'],
  ['I work at Acme as a nurse', 'user.employer = Acme', 'user.job = nurse'],
  ['Since March I work for the Red Cross', 'user.employer = Red Cross [2026-03-01..]'],
  ["I've been working at Acme since 2019", 'user.employer = Acme [2019-01-01..]'],
  ["I'm a software engineer at Google", 'user.employer = Google', 'user.job = software engineer'],
  ['I joined Acme as a designer in April', 'user.employer = Acme [2026-04-01..]', 'user.job = designer [2026-04-01..]'],
  ["I'm starting at Acme on June 1", 'user.employer = Acme [2026-06-01..]'],
  ['I study physics at NTNU', 'user.field_of_study = physics', 'user.school = NTNU'],
  // Preferences.
  ['I like tea', 'user.likes = tea'],
  ['I really love tea, jazz and hiking', 'user.likes = tea', 'user.likes = jazz', 'user.likes = hiking'],
  ['I like fish and chips', 'user.likes = fish and chips'],
  ['I like to swim', 'user.likes = swimming'],
  ['I hate Mondays', 'user.dislikes = Mondays'],
  ["I don't like spicy food", 'user.dislikes = spicy food'],
  ["I can't stand cilantro", 'user.dislikes = cilantro'],
  ['I prefer tea to coffee', 'user.prefers = tea'],
  ['I prefer a window seat', 'user.prefers = window seat'],
  ['Remember that I prefer short answers', 'user.prefers = short answers'],
  ['I like tea more than coffee', 'user.prefers = tea'],
  ["I'm allergic to peanuts and shellfish", 'user.allergies = peanuts', 'user.allergies = shellfish'],
  ['I speak English and fluent Japanese', 'user.speaks = English', 'user.speaks = Japanese'],
  // Habits and traits.
  ["I don't eat meat", 'user.eats_meat = false'],
  ['I no longer eat meat since March', 'user.eats_meat = false [2026-03-01..]'],
  ['Since March, I no longer eat meat', 'user.eats_meat = false [2026-03-01..]'],
  ['I started eating meat again', 'user.eats_meat = true'],
  ['I quit smoking two years ago', 'user.smokes = false [2024-01-01..]'],
  ["I don't drink", 'user.drinks_alcohol = false'],
  ["I've been vegan since 2020", 'user.diet = vegan [2020-01-01..]'],
  ["I'm 34 years old", 'user.age = 34'],
  ['We got married on June 1, 2019', 'user.marital_status = married [2019-06-01..]'],
  ['I have two kids and a dog', 'user.children_count = 2', 'user.has_dog = true'],
  ["I don't have a car", 'user.has_car = false'],
  // Other people.
  ["My sister's name is Ann", 'sister.name = Ann'],
  ['My sister lives in Paris', 'sister.lives_in = Paris'],
  ['My older sister lives in Rome', 'older sister.lives_in = Rome'],
  ['My friend Bob lives in Rome', 'Bob.lives_in = Rome'],
  ["My mom's birthday is May 12", 'mother.birthday = --05-12'],
  ["My brother Tom's birthday is June 5", 'Tom.birthday = --06-05'],
  ['My boss is Ann Smith', 'boss.name = Ann Smith'],
  ['I have a dog named Rex', 'dog.name = Rex'],
]

test.each(SAID)('%s', async (text, ...facts) => {
  expect(await told(text)).toEqual(facts)
})

test('several sentences, several facts in a sentence', async () => {
  expect(
    await told(
      "Hi! I'm Mira, I live in Oslo and work at Acme since March. My sister's name is Ann. She lives in Paris, but I like Rome.",
    ),
  ).toEqual([
    'user.name = Mira',
    'user.lives_in = Oslo',
    'user.employer = Acme [2026-03-01..]',
    'sister.name = Ann',
    'sister.lives_in = Paris',
    'user.likes = Rome',
  ])
  expect(await told('- I live in Oslo\n- I no longer like tea\n* my email is mira@example.com')).toEqual([
    'user.lives_in = Oslo',
    '-user.likes = tea',
    'user.email = mira@example.com',
  ])
})

test('what is asserted before a question', async () => {
  expect(await told('I live in Oslo, what can I do this weekend?')).toEqual(['user.lives_in = Oslo'])
  expect(await told("I live in Oslo, don't I?")).toEqual([])
  expect(await told('Can you remember that I live in Oslo?')).toEqual(['user.lives_in = Oslo'])
})

test('retractions', async () => {
  expect(await told('I no longer like tea')).toEqual(['-user.likes = tea'])
  expect(await told("I don't like mushrooms anymore")).toEqual(['-user.likes = mushrooms'])
  expect(await told('I no longer live in Oslo')).toEqual(['-user.lives_in = null'])
  expect(await told("I don't work at Acme anymore since April")).toEqual(['-user.employer = null [2026-04-01..]'])
  expect(await told('I quit my job at Acme')).toEqual(['-user.employer = null'])
  expect(await told('I am no longer allergic to nuts')).toEqual(['-user.allergies = nuts'])
  expect(await told('I am not a vegetarian anymore')).toEqual(['-user.diet = null'])
})
