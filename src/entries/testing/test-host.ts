import { systemHost } from '../../host.js'
import type { Host } from '../../types/host.js'

/** Start time and seed of a test host. */
export interface TestHostOptions {
  /** Start time in milliseconds since the epoch; default 2025-01-01T00:00:00Z. */
  readonly now?: number
  /** Seed of the random numbers, an integer; default 1. */
  readonly seed?: number
}

/** A host with a fixed clock that moves only on `advance`, and the same random numbers in every run. */
export interface TestHost extends Host {
  /**
   * Moves the clock forward by `ms` milliseconds. Ends the sleeps in order, each at its own time, and lets the woken code run before the
   * next sleep ends.
   */
  advance(ms: number): Promise<void>
  /** Number of pending sleeps. */
  readonly sleeping: number
}

const START = Date.UTC(2025, 0, 1)
/** Number of event loop turns that woken code gets: enough for its awaited promises to settle and for its next sleep to start. */
const TURNS = 3

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** Creates a deterministic host. `yield` waits for a real turn of the event loop; time and random numbers are simulated. */
export function createTestHost(options: TestHostOptions = {}): TestHost {
  let time = options.now ?? START
  const sleepers = new Set<Sleeper>()

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn++) await systemHost.yield()
  }

  return {
    now: () => time,
    random: createRandom(options.seed ?? 1),
    sleep: (ms, signal) => {
      if (signal?.aborted || !(ms > 0)) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at: time + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
      })
    },
    yield: () => systemHost.yield(),
    async advance(ms) {
      const end = time + ms
      for (;;) {
        await settle()
        const next = earliest(sleepers)
        if (!next || next.at > end) break
        time = Math.max(time, next.at)
        next.wake()
      }
      time = end
    },
    get sleeping() {
      return sleepers.size
    },
  }
}

function earliest(sleepers: Iterable<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined
  for (const sleeper of sleepers) if (!first || sleeper.at < first.at) first = sleeper
  return first
}

/** Creates a generator of random numbers (mulberry32), which returns the same numbers in every JavaScript runtime. */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
