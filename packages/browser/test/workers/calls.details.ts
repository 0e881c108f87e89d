/** The details of every error that calls.worker.ts raises: of every kind that crosses. */
export const DETAILS: Readonly<Record<string, unknown>> = {
  field: 'value',
  reason: 'for the test',
  count: 3,
  outcome: 'unknown',
  issues: [{ path: ['a', '0'], message: 'José: не то' }],
  nothing: null,
  at: new Date(0),
}
