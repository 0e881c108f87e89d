/** What a transaction that did not commit in time means: nothing was written only where it could still be aborted. */
import { expect, test } from 'vitest'
import { oneShot } from '../src/journal/one-shot.ts'

test.each([
  ['could be aborted', true, () => {}],
  [
    'was committing already',
    false,
    () => {
      throw new DOMException('The transaction is committing', 'InvalidStateError')
    },
  ],
])('one that %s: nothing was written for certain: %s', async (_what, definite, abort) => {
  const tx = { abort } as unknown as IDBTransaction
  await expect(oneShot(tx, 1, () => () => 'done')).rejects.toMatchObject({ reason: 'timeout', definite })
})
