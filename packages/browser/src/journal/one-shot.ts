/**
 * One IndexedDB transaction from beginning to end, on the raw connection.
 *
 * The body only issues requests and sets their handlers; nothing in it may be awaited, because a transaction without a
 * request in flight commits by itself. A request's `success` is not a commit: the promise settles on the transaction's own
 * `complete` or `abort`, since a full disk fires `success` first and aborts afterwards.
 */

/** Why a transaction did not commit. */
export class TransactionFailure extends Error {
  override readonly name: string = 'TransactionFailure'
  /** The DOMException's name, or `timeout`. */
  readonly reason: string
  /** True when nothing of it was written for certain; false when it may have been (connection lost while committing). */
  readonly definite: boolean

  constructor(reason: string, definite: boolean, cause?: unknown) {
    super(`The transaction did not commit: ${reason}`, { cause })
    this.reason = reason
    this.definite = definite
  }
}

/** What a body may do besides issuing requests. */
export interface TransactionControl<T> {
  /** Aborts; the promise resolves to `outcome` once the abort is certain. */
  refuse(outcome: T): void
  /** Aborts; the promise rejects with `error`. */
  fail(error: Error): void
}

/** Aborts that the engine decides before it begins to commit, or for which it takes everything back. */
const DEFINITE = new Set(['QuotaExceededError', 'ConstraintError', 'DataError', 'DataCloneError', 'ReadOnlyError'])

/**
 * Runs `body` in `tx`. `body` returns the function that makes the result; it is called after `complete`.
 *
 * @throws {TransactionFailure} when it did not commit, or not within `timeoutMs`.
 */
export function oneShot<T>(
  tx: IDBTransaction,
  timeoutMs: number,
  body: (tx: IDBTransaction, control: TransactionControl<T>) => () => T,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let result: (() => T) | undefined
    let refused: { readonly outcome: T } | undefined
    let failed: Error | undefined

    const abort = (): boolean => {
      try {
        tx.abort()
        return true
      } catch {
        // It is committing or finished already, and its own event decides.
        return false
      }
    }
    const timer = setTimeout(() => {
      // An abort that is accepted comes before the commit, so nothing was written.
      reject(new TransactionFailure('timeout', abort()))
    }, timeoutMs)

    tx.oncomplete = () => {
      clearTimeout(timer)
      if (result) resolve(result())
    }
    tx.onabort = () => {
      clearTimeout(timer)
      if (refused) resolve(refused.outcome)
      else if (failed) reject(failed)
      else {
        const reason = tx.error?.name ?? 'AbortError'
        reject(new TransactionFailure(reason, DEFINITE.has(reason), tx.error))
      }
    }
    const control: TransactionControl<T> = {
      refuse: outcome => {
        if (refused || failed) return
        if (abort()) refused = { outcome }
      },
      fail: error => {
        if (refused || failed) return
        if (abort()) failed = error
      },
    }
    try {
      result = body(tx, control)
    } catch (error) {
      control.fail(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
