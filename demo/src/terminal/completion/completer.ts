import type { Line } from '../line.js'
import type { Completion } from './complete.js'

export interface Completer {
  /** Something is being looked for. */
  readonly isBusy: boolean
  /** Tab. The second in a row lists what fits. */
  press(line: Line): void
  /** Another key: what is being looked for is of no use any more. */
  drop(): void
}

export interface CompleterOptions {
  readonly complete: (line: Line) => Promise<Completion>
  readonly onLine: (line: Line) => void
  readonly onList: (candidates: readonly string[]) => void
  readonly onNothing: () => void
  /** It is not busy any more, other than by `drop`. */
  readonly onSettled: () => void
}

/** What Tab does to a line, as readline has it. */
export function createCompleter({ complete, onLine, onList, onNothing, onSettled }: CompleterOptions): Completer {
  /** Another one for every search; undefined: none goes on. */
  let search: object | undefined
  let isSecond = false
  /** Tab came once more while it was being looked for. */
  let cameAgain = false

  async function start(line: Line): Promise<void> {
    const own = {}
    search = own
    cameAgain = false
    const found = await complete(line).catch(() => undefined)
    if (search !== own) return
    search = undefined
    const wasSecond = isSecond
    isSecond = true
    tell(line, found, wasSecond)
    if (!search) onSettled()
  }

  function tell(before: Line, found: Completion | undefined, wasSecond: boolean): void {
    if (!found || found.candidates.length === 0) {
      onNothing()
      return
    }
    const { line, candidates } = found
    const isChanged = line.text !== before.text || line.cursor !== before.cursor
    if (isChanged) onLine(line)
    if (candidates.length === 1) {
      if (isChanged && cameAgain) void start(line)
    } else if (cameAgain || (wasSecond && !isChanged)) onList(candidates)
  }

  return {
    get isBusy() {
      return search !== undefined
    },
    press(line) {
      if (search) cameAgain = true
      else void start(line)
    },
    drop() {
      search = undefined
      isSecond = false
    },
  }
}
