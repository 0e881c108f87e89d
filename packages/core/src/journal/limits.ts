/** How much goes into the journal at once. Apart from the code, so that a test can reach many entries with little data. */

/** Most bytes of records in one entry, about. */
export const ENTRY_BYTES: number = 4 * 1024 * 1024
/** Most bytes that go into one append. More would hold up everybody else, and some engines end the process. */
export const APPEND_BYTES: number = 16 * 1024 * 1024
