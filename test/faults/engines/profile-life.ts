/** One profile on the disk, and the store in it that must outlive every browser that is started on it. */
import { setTimeout as pause } from 'node:timers/promises'
import { Acknowledged } from './acknowledged.ts'
import { writesInParts } from './fault-server.ts'
import type { Figures } from './figures.ts'
import { operationAt, placeOf } from './operations.ts'
import { StoreWatch } from './store-watch.ts'
import { TabSet } from './tab-set.ts'
import type { TabSetOptions } from './tab-set.ts'
import type { Durability, OpenStoreRequest, WorkerKind } from './tab-protocol.ts'

export interface LifeOptions extends TabSetOptions {
  readonly seed: string
  readonly worker: WorkerKind
  readonly durability: Durability
  readonly figures: Figures
  readonly remark: (text: string) => void
}

const STORE = 'under load'
/** An opening that fails may find the engine still sorting out what the fault left. */
const TRIES = 3

export class ProfileLife {
  readonly acknowledged: Acknowledged
  readonly tabs: TabSet
  readonly #options: LifeOptions
  readonly #watch: StoreWatch
  #cycle = 0
  #faultAt = 0
  #cut = false
  /** Number of the cycle that the last fault struck, and its tabs. */
  #struck = { cycle: 0, tabs: 0 }

  constructor(options: LifeOptions) {
    const { seed, figures, remark, server } = options
    this.#options = options
    this.tabs = new TabSet(options)
    this.acknowledged = new Acknowledged(seed)
    this.#watch = new StoreWatch(figures, remark)
    server.onWrite((message, tab) => {
      if ('failed' in message) return this.#refused(message.code)
      if (!this.acknowledged.hear(message.ack, performance.now())) return
      figures.acks += 1
      if (writesInParts(tab) && operationAt(seed, placeOf(message.ack)).call === 'batch') figures.longAcks += 1
    })
  }

  remark(text: string): void {
    this.#options.remark(text)
  }

  /** Opens the store in a tab. */
  async open(index: number): Promise<void> {
    const { remark, figures } = this.#options
    let ifLost: OpenStoreRequest['ifLost'] = 'fail'
    for (let tries = 1; ; tries += 1) {
      try {
        const { found } = await this.tabs.at(index).ask('open', this.#request(ifLost))
        return this.#watch.found(found)
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        this.#refused(said)
        remark(`not opened, try ${tries}: ${said}`)
        if (!this.tabs.at(index).open) throw error
        if (said.startsWith('STORE_LOST')) {
          this.#watch.lost()
          ifLost = 'startNew'
        }
        if (tries === TRIES) {
          figures.unopened += 1
          throw error
        }
        await this.tabs.reload(index)
      }
    }
  }

  /** Opens the store in a tab again after a fault, and compares all of it with what was acknowledged. */
  async reopen(index: number): Promise<void> {
    const { figures, remark, seed, durability } = this.#options
    await this.open(index)
    const stored = await this.tabs.at(index).ask('readBack')
    figures.checks += 1
    this.#watch.saw(stored.health)
    const { wiped, mirrored } = this.#watch.sinceLastCheck()
    const circumstances = { mirrored, wiped, cut: this.#cut, waited: durability === 'mirrored', faultAt: this.#faultAt }
    this.#cut = false
    this.acknowledged.check(stored, circumstances, figures, remark)
    const names = this.acknowledged.repeatable(this.#struck.cycle, this.#struck.tabs)
    await this.tabs.at(index).ask('repeat', { seed, names })
    this.#struck = { ...this.#struck, tabs: 0 }
  }

  /** Another tab of the same browser; the store is opened in it. */
  async addTab(): Promise<void> {
    await this.tabs.add()
    await this.open(this.tabs.all.length - 1)
  }

  /** All tabs begin to write. */
  async load(checkpointEveryMs: number): Promise<void> {
    this.#cycle += 1
    const { all } = this.tabs
    this.#struck = { cycle: this.#cycle, tabs: all.length }
    const request = { seed: this.#options.seed, cycle: this.#cycle, checkpointEveryMs }
    await Promise.all(all.map((line, tab) => line.ask('load', { ...request, tab })))
  }

  /** Waits until so many operations were acknowledged in all. */
  async untilAcknowledged(count: number): Promise<void> {
    while (this.acknowledged.size < count) {
      if (!this.tabs.all.some(tab => tab.open)) throw new Error('Every page is gone')
      await pause(20)
    }
  }

  /** The tabs but one write no more. */
  async quieten(except: number): Promise<void> {
    await Promise.all(this.tabs.all.filter((_, i) => i !== except).map(line => line.ask('stop')))
  }

  /** Does what befalls the store; how old an acknowledgement was is counted up to here. */
  async strike(fault: (tabs: TabSet) => Promise<void>): Promise<void> {
    this.#faultAt = performance.now()
    await fault(this.tabs)
  }

  async terminateWorker(index: number): Promise<void> {
    try {
      await this.tabs.at(index).ask('terminate')
    } catch (error) {
      // The page answers when every call that was under way is settled.
      this.#options.figures.unsettled += 1
      throw error
    }
  }

  /** Kills the browser `afterMs` after its tab was asked to open the store. */
  async killWhileOpening(afterMs: number): Promise<void> {
    const tab = await this.tabs.start()
    // Whether it opened or not is what must not matter.
    const opening = tab.ask('open', this.#request('fail')).then(
      ({ found }) => this.#watch.found(found),
      () => this.#watch.cutOff(),
    )
    await pause(afterMs)
    await this.tabs.kill()
    await opening
  }

  /** The harness cut off the end of the database. */
  cut(): void {
    this.#cut = true
  }

  #request(ifLost: OpenStoreRequest['ifLost']): OpenStoreRequest {
    const { worker, durability } = this.#options
    return { name: STORE, worker, durability, ifLost }
  }

  #refused(code: string): void {
    const { refused } = this.#options.figures
    refused[code] = (refused[code] ?? 0) + 1
  }
}
