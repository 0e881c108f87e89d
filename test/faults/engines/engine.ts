/** What the harness needs of a browser engine. `chromium.ts`, `firefox.ts` and `webkit.ts` are the three. */

export interface LaunchOptions {
  /** A directory on the disk; what is stored in it is there for the next launch. */
  readonly profile: string
  /** The first page. It speaks to the harness by itself (tab-protocol.ts), which is how it is asked things. */
  readonly url: string
  /** Which way the engine stores IndexedDB, of those that it names. */
  readonly backend: string
}

export interface RunningBrowser {
  /** Ends the whole browser at this instant, as a power button would. */
  kill(): Promise<void>
  /** Ends it as a person would. */
  close(): Promise<void>
}

export interface Engine {
  readonly name: 'chromium' | 'firefox' | 'webkit'
  /** The ways in which it can store IndexedDB; the first is its default. */
  readonly backends: readonly [string, ...string[]]
  /** Whether the memory has a place there for a copy outside IndexedDB. */
  readonly hasMirror: boolean
  /** The reason why it cannot be run here; undefined where it can. */
  missing(): string | undefined
  launch(options: LaunchOptions): Promise<RunningBrowser>
  /** Lets go of what all its browsers shared. */
  dispose(): Promise<void>
}
