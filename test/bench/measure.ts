export interface Plan {
  readonly rounds: number
  /** Milliseconds for one side of one round. */
  readonly budgetMs: number
}

/**
 * Microseconds since some fixed moment. `cpu`: CPU time of all threads of this process, garbage collection included. CPU time ignores
 * other processes, so `cpu` fits work that never waits; `wall` is for all other work.
 */
export type Clock = () => number

export const cpu: Clock = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

export const wall: Clock = () => performance.now() * 1000

export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

export interface Comparison {
  /** Microseconds per call, the median of the rounds. */
  readonly floor: number
  readonly ours: number
  /** Spread of the ratios of the single rounds. */
  readonly ratio: Spread
  /** Microseconds per call that ours takes longer: the spread over the single rounds. */
  readonly added: Spread
}

export type Task = () => unknown

/** Alternates between both sides in each round, so that other load on the machine affects both. */
export async function compare(floor: Task, ours: Task, { rounds, budgetMs }: Plan, clock: Clock = cpu): Promise<Comparison> {
  const floorCalls = await callsWithin(floor, budgetMs, clock)
  const oursCalls = await callsWithin(ours, budgetMs, clock)
  const floors: number[] = []
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    floors.push(await timeCalls(floor, floorCalls, clock))
    times.push(await timeCalls(ours, oursCalls, clock))
  }
  const ratio = spreadOf(times.map((time, i) => time / (floors[i] ?? Number.NaN)))
  const added = spreadOf(times.map((time, i) => time - (floors[i] ?? Number.NaN)))
  return { floor: spreadOf(floors).median, ours: spreadOf(times).median, ratio, added }
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = sorted.length >> 1
  return { min: at(0), median: sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2, max: at(sorted.length - 1) }
}

/**
 * `least`, `most`: length of the warm-up, in budgets. `calls`: minimum number of calls if a call takes less than `shortUs`, because the
 * engine optimises code only after thousands of calls.
 */
const WARM_UP = { least: 8, most: 60, calls: 5000, shortUs: 2000 }

/** Warms up, so that compilation is not measured, and returns how many calls then fit into one budget. */
async function callsWithin(task: Task, budgetMs: number, clock: Clock): Promise<number> {
  const budget = budgetMs * 1000
  let each = await timeCalls(task, 1, clock)
  let fastest = each
  let calls = 1
  const isCold = (spent: number): boolean =>
    spent < WARM_UP.least * budget || (calls < WARM_UP.calls && fastest < WARM_UP.shortUs && spent < WARM_UP.most * budget)
  for (let spent = each; isCold(spent); ) {
    const next = Math.max(1, Math.round(budget / each))
    each = await timeCalls(task, next, clock)
    spent += each * next
    calls += next
    fastest = Math.min(fastest, each)
  }
  return Math.max(1, Math.round(budget / each))
}

/** Results are stored here, so that no optimiser can drop the calls. */
export const sink: { value?: unknown } = {}

/** Microseconds per call. Calls of a synchronous task are not awaited, so that its side does not pay for promises. */
async function timeCalls(task: Task, calls: number, clock: Clock): Promise<number> {
  const start = clock()
  let value = task()
  if (value instanceof Promise) {
    value = await value
    for (let i = 1; i < calls; i++) value = await task()
  } else {
    for (let i = 1; i < calls; i++) value = task()
  }
  const spent = clock() - start
  sink.value = value
  return spent / calls
}
