import type { CommandContext } from './command.js'
import { TooLarge } from './failure.js'
import { Pace } from './pace.js'

/** Number of characters per batch of lines. */
const PIECE = 32 * 1024
/**
 * Output parts are joined once there are this many of them, or once they have this many characters. Each part that is not joined takes 32
 * bytes.
 */
const PARTS = 4096
const CHARS = 64 * 1024
/** Maximum number of lines that a command may hold in memory. */
const MAX_LINES = 6_000_000
const DEFAULT_MOST = 64 * 1024 * 1024

/** Yields lines in batches, and yields to the event loop between batches. Holds only one batch at a time. */
export async function* lineBatches(context: CommandContext, data: string, end = '\n'): AsyncGenerator<readonly string[]> {
  const pace = new Pace(context)
  for (let at = 0; at < data.length; ) {
    const stop = data.indexOf(end, at + PIECE)
    const piece = data.slice(at, stop < 0 ? data.length : stop)
    const lines = piece.split(end)
    if (stop < 0 && lines.at(-1) === '') lines.pop()
    yield lines
    await pace.turn(piece.length >> 3)
    at = stop < 0 ? data.length : stop + end.length
  }
}

/** Like `linesOf`, but yields to the event loop. For commands that need all lines at once. @throws {TooLarge} */
export async function pacedLines(context: CommandContext, data: string, end = '\n'): Promise<string[]> {
  const all: string[] = []
  for await (const lines of lineBatches(context, data, end)) {
    for (const line of lines) all.push(line)
    if (all.length > MAX_LINES)
      throw new TooLarge(`more than ${MAX_LINES} lines at once: work on the input in parts, for example with split`)
  }
  return all
}

/** Yields items in batches, and yields to the event loop between batches. */
export async function* batches<T>(context: CommandContext, items: readonly T[], size = 1024): AsyncGenerator<readonly T[]> {
  const pace = new Pace(context)
  for (let at = 0; at < items.length; at += size) {
    yield items.slice(at, at + size)
    await pace.turn(size)
  }
}

/** Like `items.map(body)`, but yields to the event loop. */
export async function mapped<T, R>(context: CommandContext, items: readonly T[], body: (item: T, at: number) => R): Promise<R[]> {
  const all: R[] = []
  for await (const batch of batches(context, items)) for (const item of batch) all.push(body(item, all.length))
  return all
}

/** Sorts like `toSorted`, but yields to the event loop. The sort is stable. */
export async function pacedSort<T>(items: readonly T[], compare: (a: T, b: T) => number, pace: Pace): Promise<readonly T[]> {
  const RUN = 1024
  const runs: T[][] = []
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare))
    await pace.turn(1000)
  }
  return mergeRuns(runs, compare, pace)
}

/** Merges sorted runs. Of equal items, those of earlier runs come first. */
export async function mergeRuns<T>(given: readonly T[][], compare: (a: T, b: T) => number, pace: Pace): Promise<readonly T[]> {
  let runs = given
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i] as T[], runs[i + 1] ?? [], compare, pace))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number, pace: Pace): Promise<T[]> {
  const out: T[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    out.push(compare(a[i] as T, b[j] as T) <= 0 ? (a[i++] as T) : (b[j++] as T))
    if (out.length % 1024 === 0) await pace.turn(1000)
  }
  while (i < a.length) out.push(a[i++] as T)
  while (j < b.length) out.push(b[j++] as T)
  return out
}

/** Returns the largest number, or `least`. `Math.max` with a million arguments would overflow the stack. */
export const largest = (numbers: Iterable<number>, least = 0): number => {
  let most = least
  for (const number of numbers) if (number > most) most = number
  return most
}

/** Collects a command's output, bounded by `limits.outputBytes`. */
export class Printout {
  length = 0
  readonly #most: number
  readonly #texts: string[] = []
  #parts: string[] = []
  #waiting = 0

  constructor({ limits }: Pick<CommandContext, 'limits'>) {
    this.#most = limits.maxOutputSize ?? DEFAULT_MOST
  }

  /** @throws {TooLarge} */
  put(text: string): void {
    this.length += text.length
    if (this.length > this.#most) throw tooMuch(this.#most)
    this.#parts.push(text)
    this.#waiting += text.length
    if (this.#parts.length >= PARTS || this.#waiting >= CHARS) this.#gather()
  }

  text(): string {
    this.#gather()
    return this.#texts.join('')
  }

  #gather(): void {
    if (this.#parts.length > 0) this.#texts.push(this.#parts.join(''))
    this.#parts = []
    this.#waiting = 0
  }
}

const tooMuch = (most: number): TooLarge => new TooLarge(`output size limit exceeded (${most} bytes): print less, for example with head`)

/** Checks the size of a field, a file or a text before it is created. @throws {TooLarge} */
export function checkSize({ limits }: Pick<CommandContext, 'limits'>, bytes: number): void {
  const most = limits.maxOutputSize ?? DEFAULT_MOST
  if (bytes > most) throw tooMuch(most)
}
