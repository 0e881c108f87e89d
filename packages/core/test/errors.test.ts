/** What an error says to whoever gets it: by its reason where that makes a difference. */
import { expect, test } from 'vitest'
import { ERROR_CODES, MemoryError } from '../src/index.ts'

test('by a reason that the table knows: what to do, and whether to try again', () => {
  const error = new MemoryError('STORE_UNAVAILABLE', 'The store cannot be opened: newer code changed it', { reason: 'newer' })
  expect(error).toMatchObject({ retryable: false, todo: 'Update the application (in a page: reload it).' })
  expect(MemoryError.fromEnvelope(structuredClone(error.toEnvelope()))).toMatchObject({ retryable: false, todo: error.todo })
  expect(new MemoryError('STORE_UNAVAILABLE', '', { reason: 'deleted' })).toMatchObject({
    retryable: true,
    todo: 'Close it and open it again: what its mirror holds comes back.',
  })
})

test.each([{}, { reason: 'EACCES' }, { reason: 'toString' }, { reason: 7 }])('else by the code: %j', details => {
  const { retryable, todo } = ERROR_CODES.STORE_UNAVAILABLE
  expect(new MemoryError('STORE_UNAVAILABLE', '', details)).toMatchObject({ retryable, todo })
})

test('a reason counts for the code that it stands at', () => {
  expect(new MemoryError('NOT_STORED', '', { reason: 'newer' })).toMatchObject({
    retryable: true,
    todo: ERROR_CODES.NOT_STORED.todo,
  })
})
