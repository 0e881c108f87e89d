/** The command line was not understood; the caller prints how it is used. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}
