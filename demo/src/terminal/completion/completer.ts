import type { Line } from '../line.js'
import type { Completion } from './complete.js'

export interface Completer {
  /** Whether a completion is being computed. */
  readonly isBusy: boolean
  /** Handles Tab. The second Tab in a row lists the candidates. */
  press(line: Line): void
  /** Call on any other key: cancels the completion. */
  drop(): void
}

export interface CompleterOptions {
  readonly complete: (line: Line) => Promise<Completion>
  readonly onLine: (line: Line) => void
  readonly onList: (candidates: readonly string[]) => void
  readonly onNothing: () => void
  /** Called when a completion ends, except after `drop`. */
  readonly onSettled: () => void
}

/** The behaviour of the Tab key, as in readline. */
export function createCompleter({ complete, onLine, onList, onNothing, onSettled }: CompleterOptions): Completer {
  /** Identifies the current completion. Undefined: none. */
  let search: object | undefined
  let isSecond = false
  /** Whether Tab was pressed again during the completion. */
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
