/** A browser on a profile, and the pages that are open in it. */
import type { Engine, RunningBrowser } from './engine.ts'
import type { FaultServer } from './fault-server.ts'
import type { TabLine } from './tab-line.ts'

export interface TabSetOptions {
  readonly engine: Engine
  readonly backend: string
  readonly server: FaultServer
  readonly profile: string
  /** Begins the name of every tab; names are used once. */
  readonly name: string
}

/** For what hangs: a busy machine starts a browser slowly. */
const START_MS = 60_000

export class TabSet {
  readonly #options: TabSetOptions
  readonly #names = new WeakMap<TabLine, string>()
  #browser: RunningBrowser | undefined
  #tabs: TabLine[] = []
  #opened = 0

  constructor(options: TabSetOptions) {
    this.#options = options
  }

  get all(): readonly TabLine[] {
    return this.#tabs
  }

  at(index: number): TabLine {
    const tab = this.#tabs[index]
    if (!tab) throw new Error(`There is no tab ${index}`)
    return tab
  }

  /** Starts a browser with one page. */
  async start(): Promise<TabLine> {
    const { engine, backend, profile } = this.#options
    const tab = await this.#up(this.#nextName(), async url => {
      this.#browser = await engine.launch({ profile, backend, url })
    })
    this.#tabs = [tab]
    return tab
  }

  async add(): Promise<void> {
    this.#tabs.push(await this.#opener())
  }

  /** Closes a page that another one opened, and opens a new one in its place. */
  async replace(index: number): Promise<void> {
    const old = this.at(index)
    await old.ask('closeTab')
    await old.gone
    this.#tabs[index] = await this.#opener()
  }

  async reload(index: number): Promise<void> {
    const old = this.at(index)
    this.#tabs[index] = await this.#up(this.#names.get(old) ?? '', () => old.ask('reload'))
    await old.gone
  }

  /** Ends the browser at this instant. What was sent before its end has been heard when this settles. */
  async kill(): Promise<void> {
    await this.#browser?.kill()
    await this.#allGone()
  }

  /** Ends it as a person would. */
  async close(): Promise<void> {
    await this.#browser?.close()
    await this.#allGone()
  }

  #opener(): Promise<TabLine> {
    return this.#up(this.#nextName(), url => this.at(0).ask('openTab', url))
  }

  /** The page that comes up under `name` through `act`. */
  async #up(name: string, act: (url: string) => Promise<void>): Promise<TabLine> {
    const { server } = this.#options
    const up = server.connected(name, START_MS)
    await act(server.url(name))
    const tab = await up
    this.#names.set(tab, name)
    return tab
  }

  #nextName(): string {
    this.#opened += 1
    return `${this.#options.name}.${this.#opened}`
  }

  async #allGone(): Promise<void> {
    await Promise.all(this.#tabs.map(tab => tab.gone))
    this.#tabs = []
    this.#browser = undefined
  }
}
