/**
 * Recorded time: a hybrid logical clock (Kulkarni et al., 2014). It follows the wall clock, never runs backwards, and
 * passes every clock value it has seen, so that what is said after something was learned is later than it.
 *
 * Written `<ms: 12 hex>-<counter: 4 hex>-<device>`: text order is clock order.
 */

/** Wall time in milliseconds since 1970. Injected, so that tests own it. */
export type TimeSource = () => number

export interface ClockValue {
  readonly ms: number
  readonly counter: number
  readonly device: string
}

const PATTERN = /^([0-9a-f]{12})-([0-9a-f]{4})-([0-9a-z]{1,32})$/u
const MAX_COUNTER = 0xffff
/** A day before the end of the year 9999: a clock value from further on is no time, and would poison every one after it. */
const MAX_MS = 253402214400000

export function formatClock(value: ClockValue): string {
  return `${value.ms.toString(16).padStart(12, '0')}-${value.counter.toString(16).padStart(4, '0')}-${value.device}`
}

/** Whether a text is a clock value, and of a time that can be. */
export function isClock(text: string): boolean {
  return PATTERN.test(text) && clockMs(text) <= MAX_MS
}

/** The milliseconds of a clock value that `isClock` accepts. */
export function clockMs(clock: string): number {
  return Number.parseInt(clock.slice(0, 12), 16)
}

/** The least text that is greater than every clock value of this millisecond or before. */
export function clockBound(ms: number): string {
  return Math.max(0, ms + 1)
    .toString(16)
    .padStart(12, '0')
}

export class HybridClock {
  readonly device: string
  readonly #wall: TimeSource
  #ms = 0
  #counter = 0

  /** @param device 1..32 characters of [0-9a-z] */
  constructor(device: string, wall: TimeSource) {
    this.device = device
    this.#wall = wall
  }

  /** A value greater than every one given or observed before. */
  tick(): string {
    const wall = Math.max(0, Math.floor(this.#wall()))
    if (wall > this.#ms) {
      this.#ms = wall
      this.#counter = 0
    } else if (this.#counter < MAX_COUNTER) {
      this.#counter++
    } else {
      this.#ms++
      this.#counter = 0
    }
    return formatClock({ ms: this.#ms, counter: this.#counter, device: this.device })
  }

  /** Takes note of a clock value from elsewhere. */
  observe(clock: string): void {
    const match = PATTERN.exec(clock)
    if (!match) return
    const ms = Number.parseInt(match[1] as string, 16)
    const counter = Number.parseInt(match[2] as string, 16)
    if (ms > MAX_MS) return
    if (ms > this.#ms || (ms === this.#ms && counter > this.#counter)) {
      this.#ms = ms
      this.#counter = counter
    }
  }

  /** Milliseconds now: the wall clock, or the latest value seen where that is ahead. */
  nowMs(): number {
    return Math.max(Math.floor(this.#wall()), this.#ms)
  }
}
