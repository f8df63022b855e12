/** Two functions that a benchmark compares in turn, round by round, so that other load on the machine affects both. */
export interface Pair {
  readonly floor: () => Promise<unknown>
  readonly ours: () => Promise<unknown>
}

const ROUNDS = 5

/** Minimum duration of a measurement in milliseconds. Shorter work is repeated. */
const LEAST = 100

async function timed(work: () => Promise<unknown>, times: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < times; i++) await work()
  return (performance.now() - start) / times
}

/** Repeats the work until it takes `LEAST` ms, which also warms up its code, and returns the number of repetitions. */
async function repeatsOf(work: () => Promise<unknown>): Promise<number> {
  let times = 1
  for (let took = await timed(work, 1); took * times < LEAST; took = await timed(work, times)) times *= 2
  return times
}

export function spread(values: readonly number[], digits = 2): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(digits)
  return `min ${at(0)}, median ${at(0.5)}, max ${at(1)}`
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Prints the medians of both sides in milliseconds, and their ratio, after a warm-up. */
export async function compare(what: string, { floor, ours }: Pair, rounds: number = ROUNDS): Promise<void> {
  const [floorTimes, oursTimes] = [await repeatsOf(floor), await repeatsOf(ours)]
  const [floors, times]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    floors.push(await timed(floor, floorTimes))
    times.push(await timed(ours, oursTimes))
  }
  const ratios = times.map((time, i) => time / (floors[i] ?? Number.NaN))
  console.log(`${what}: floor ${median(floors).toFixed(1)} ms, ours ${median(times).toFixed(1)} ms, ratio ${spread(ratios)}`)
}
