/** Several replicas of one store: one total order, nothing lost, and news that is only a hint. */
import type { Journal, JournalNews } from '../port.ts'
import type { ContractApi, WithJournal } from './harness.ts'
import { bytesOf, entry, seqsAfter, textOf, textsAfter } from './harness.ts'

// The one thing beyond the language that the suite uses, and every surrounding has it.
declare function setTimeout(callback: () => void, delayMs: number): unknown

const ALONE = 'this journal takes one replica at a time'

export function describeReplicas(withJournal: WithJournal, { expect }: ContractApi): void {
  withJournal('what one replica appends the other reads, collides with and continues', async ({ journal, second }, skip) => {
    const other = await second()
    if (!other) return skip(ALONE)
    await journal.append([entry(1, 'mine')])
    expect(await other.append([entry(1, 'theirs')])).toBe('collision')
    expect(await textsAfter(other, 0)).toEqual(['mine'])
    expect(await other.append([entry(2, 'theirs')])).toBe('appended')
    expect(await textsAfter(journal, 0)).toEqual(['mine', 'theirs'])
    expect(await journal.initMeta('storeId', 'mine')).toBe('mine')
    expect(await other.initMeta('storeId', 'theirs')).toBe('mine')
  })

  withJournal(
    'the checkpoint of one replica puts the other behind and refuses its checkpoint',
    async ({ journal, second }, skip) => {
      const other = await second()
      if (!other) return skip(ALONE)
      await journal.append([entry(1), entry(2)])
      const segments = [bytesOf('base')]
      const saved = await Promise.all([journal, other].map(replica => replica.saveBase({ generation: 1, segments, floor: 2 })))
      expect(saved.filter(done => done).length).toBe(1)
      expect(await other.append([entry(2)])).toBe('behind')
      expect(await other.state()).toEqual(await journal.state())
    },
  )

  withJournal('two replicas append 50 entries each at once: dense, none lost', async ({ journal, second, reopen }, skip) => {
    const other = await second()
    if (!other) return skip(ALONE)
    const names = (prefix: string): string[] => Array.from({ length: 50 }, (_, i) => `${prefix}${i}`)
    await Promise.all([appendAll(journal, names('a')), appendAll(other, names('b'))])
    const again = await reopen()
    expect(await seqsAfter(again, 0)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    const texts = await textsAfter(again, 0)
    expect(texts.toSorted()).toEqual([...names('a'), ...names('b')].toSorted())
    for (const prefix of ['a', 'b']) expect(texts.filter(text => text.startsWith(prefix))).toEqual(names(prefix))
  })

  withJournal('news reaches the other replica and not oneself, until it unsubscribes', async ({ journal, second }, skip) => {
    const other = await second()
    if (!other) return skip(ALONE)
    const own: JournalNews[] = []
    const heard: JournalNews[] = []
    const also: JournalNews[] = []
    journal.subscribe(news => own.push(news))
    const stop = other.subscribe(news => heard.push(news))
    other.subscribe(news => also.push(news))

    journal.announce({ head: 1, entries: [entry(1)] })
    journal.announce({ head: 2 })
    await until(() => heard.length === 2 && also.length === 2)
    expect(heard.map(({ head }) => head)).toEqual([1, 2])
    expect(heard[0]?.entries?.map(({ seq, bytes }) => [seq, textOf(bytes)])).toEqual([[1, 'entry 1']])
    expect(heard[1]?.entries).toBe(undefined)

    stop()
    stop()
    journal.announce({ head: 3 })
    await until(() => also.length === 3)
    expect(heard.length).toBe(2)
    expect(own).toEqual([])

    other.announce({ head: 4 })
    await until(() => own.length === 1)
    expect(own.map(({ head }) => head)).toEqual([4])
    expect(also.length).toBe(3)
  })

  withJournal('a replica that was closed hears nothing and disturbs nobody', async ({ journal, second }, skip) => {
    const other = await second()
    if (!other) return skip(ALONE)
    const heard: JournalNews[] = []
    other.subscribe(news => heard.push(news))
    await other.close()
    journal.announce({ head: 1 })
    await journal.append([entry(1)])
    await until(() => heard.length > 0, 50)
    expect(heard).toEqual([])
    expect(await seqsAfter(journal, 0)).toEqual([1])
  })
}

/** As a commit queue does it: after a collision read what is missing and try again behind it. */
async function appendAll(journal: Journal, texts: readonly string[]): Promise<void> {
  let head = 0
  for (const text of texts) {
    while ((await journal.append([entry(head + 1, text)])) !== 'appended') {
      head = (await journal.read(head)).at(-1)?.seq ?? head
    }
    head += 1
  }
}

async function until(holds: () => boolean, patienceMs: number = 5_000): Promise<void> {
  for (let waitedMs = 0; !holds() && waitedMs < patienceMs; waitedMs += 5) {
    await new Promise<void>(resolve => setTimeout(resolve, 5))
  }
}
