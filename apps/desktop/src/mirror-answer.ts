/** How a call of the page is answered. A failure is an answer too: as an error, no more than its message would arrive. */

export type MirrorAnswer<T = unknown> =
  | { readonly ok: true; readonly value: T }
  /** `reason` is Node's code, or `exists`, `closed`, `refused`. */
  | { readonly ok: false; readonly reason: string; readonly message: string }

/** What the files cannot do for a reason of their own. */
export class MirrorRefusal extends Error {
  override readonly name: string = 'MirrorRefusal'
  readonly code: 'exists' | 'closed' | 'EFBIG'

  constructor(code: MirrorRefusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

export async function toAnswer<T>(work: () => Promise<T>): Promise<MirrorAnswer<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { ok: false, reason: code ?? 'refused', message }
  }
}
