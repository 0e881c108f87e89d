/** How a store stood after so many commits. */
export interface Point {
  readonly commits: number
  /** Of the commits since the point before: median, 95th percentile, slowest. */
  readonly commitMs: number
  readonly commitP95Ms: number
  readonly slowestMs: number
  /** Opening the store once more, as another tab does. */
  readonly openMs: number
  /** What was handed over, as JSON in ASCII. */
  readonly dataBytes: number
  /** In IndexedDB. */
  readonly storeBytes: number
  /** In the private file system. */
  readonly mirrorBytes: number
  /** Entries behind the stored image. */
  readonly tail: number
  readonly generation: number
  readonly deltas: number
  /** Resident memory of the process in which page and worker live. */
  readonly processBytes: number
}

export interface Endurance {
  readonly at: string
  readonly chromium: string
  readonly commits: number
  readonly minutes: number
  readonly points: readonly Point[]
}
