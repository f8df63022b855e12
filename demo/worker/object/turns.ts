import { JsError } from 'toolport'
import type { QuickJsOptions } from 'toolport/adapters/quickjs'
import { RateLimit } from '../http/rate-limit.js'
import type { Settings } from '../settings.js'

export type ProgramTurns = ReturnType<NonNullable<QuickJsOptions['turns']>>
export type TurnLimits = Pick<Settings, 'STRETCH_MS' | 'PROGRAM_MS' | 'PROGRAM_MS_PER_MINUTE'>

/** Assumed time of one jump or call of the engine, for platforms whose clock stands still while code computes. */
const JUMP_MS = 0.1 / 10_000
/** After a longer stretch, programs pause for the length of that stretch: half of the time is reserved for other work. */
const SHORT_MS = 16
/** How often a queued program checks whether its turn has come. */
const LOOK_MS = 5
/**
 * Milliseconds. A queued program that has not checked for this long counts as gone with its object. Longer than a stretch, because no
 * program can check while another one computes.
 */
const GONE_MS = 5000
/** Maximum number of workspaces whose last turn is remembered. */
const MOST_SERVED = 10_000

/** A program that waits for its turn. */
interface Asking {
  readonly workspace: string
  readonly queued: boolean
  lookedMs: number
}

/** The time that a program computes without yielding. */
interface Stretch {
  readonly program: ProgramTurns
  readonly workspace: string
  readonly beganMs: number
  /** Maximum length of this stretch. */
  readonly mostMs: number
  /** When the program was last seen computing. */
  seenMs: number
  /** Jumps and calls since the clock last moved. */
  jumps: number
}

/**
 * Schedules the programs of all workspaces in this isolate, which share one thread. One program computes at a time; workspaces take turns,
 * and each has a time budget. A program that resumes after waiting does not queue again, but its workspace still pays for the time.
 */
export class Turns {
  readonly #limits: TurnLimits
  /** The tokens are milliseconds of processor time. */
  readonly #budget: RateLimit
  readonly #asking = new Set<Asking>()
  /** Workspace -> number of its last turn. The workspace with the lowest number has waited longest, so it is next. */
  readonly #served = new Map<string, number>()
  #turns = 0
  #stretch: Stretch | undefined
  #restUntilMs = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
    this.#budget = new RateLimit({ burst: limits.PROGRAM_MS, perMinute: limits.PROGRAM_MS_PER_MINUTE })
  }

  /**
   * Creates the scheduler of one program. `queued: false` is for programs that run while a workspace opens: these have limits of their own
   * and only pay for their time.
   *
   * @throws {JsError} unavailable, when the workspace has no time left
   */
  of(workspace: string, { queued = true } = {}): ProgramTurns {
    const waitMs = this.#budget.wait(workspace, this.#limits.STRETCH_MS)
    if (queued && waitMs > 0) throw new JsError('unavailable', `Cannot run the program: ${usedUp(waitMs)}`)
    const program: ProgramTurns = {
      take: (over) => this.#take(program, { workspace, queued, lookedMs: performance.now() }, over),
      leave: () => this.#leave(program),
      end: (passed) => (queued ? this.#endOf(program, workspace, passed) : this.#count(program, workspace, passed)),
    }
    return program
  }

  async #take(program: ProgramTurns, asking: Asking, over: () => boolean): Promise<void> {
    this.#leave(program)
    this.#asking.add(asking)
    try {
      // Yields first, so that other requests run before this program.
      for (let ms = 0; !over(); ms = LOOK_MS) {
        await new Promise((resolve) => setTimeout(resolve, ms))
        if (this.#isNext(asking)) return this.#begin(program, asking.workspace)
      }
    } finally {
      this.#asking.delete(asking)
    }
  }

  #isNext(asking: Asking): boolean {
    asking.lookedMs = performance.now()
    this.#asking.add(asking)
    // This code runs, so a program that held the thread before has yielded.
    this.#close()
    if (!asking.queued) return true
    if (asking.lookedMs < this.#restUntilMs) return false
    for (const one of this.#asking) if (asking.lookedMs - one.lookedMs > GONE_MS) this.#asking.delete(one)
    const turnOf = ({ workspace }: Asking): number => this.#served.get(workspace) ?? 0
    return [...this.#asking].every((one) => turnOf(asking) <= turnOf(one))
  }

  #begin(program: ProgramTurns, workspace: string): void {
    this.#close()
    this.#served.delete(workspace)
    if (this.#served.size >= MOST_SERVED) this.#served.delete(this.#served.keys().next().value as string)
    this.#served.set(workspace, ++this.#turns)
    const now = performance.now()
    const mostMs = Math.min(this.#limits.STRETCH_MS, this.#budget.left(workspace))
    this.#stretch = { program, workspace, beganMs: now, mostMs, seenMs: now, jumps: 0 }
  }

  #leave(program: ProgramTurns): void {
    if (this.#stretch?.program !== program) return
    look(this.#stretch)
    this.#close()
  }

  /** Ends the current stretch and charges its workspace. */
  #close(): void {
    if (!this.#stretch) return
    const { workspace, seenMs } = this.#stretch
    const ms = lengthOf(this.#stretch)
    this.#stretch = undefined
    this.#budget.spend(workspace, ms)
    if (ms > SHORT_MS) this.#restUntilMs = Math.max(this.#restUntilMs, seenMs + Math.min(ms, this.#limits.STRETCH_MS))
  }

  #count(program: ProgramTurns, workspace: string, passed: number): undefined {
    if (this.#stretch?.program !== program) this.#begin(program, workspace)
    const stretch = this.#stretch as Stretch
    look(stretch)
    stretch.jumps += passed
  }

  #endOf(program: ProgramTurns, workspace: string, passed: number): string | undefined {
    this.#count(program, workspace, passed)
    const stretch = this.#stretch as Stretch
    if (lengthOf(stretch) < stretch.mostMs) return undefined
    this.#close()
    const { STRETCH_MS } = this.#limits
    if (stretch.mostMs < STRETCH_MS) return `The program was ended: ${usedUp(this.#budget.wait(workspace, STRETCH_MS))}`
    return `The program was ended: it computed for ${STRETCH_MS} ms without a pause. Give way now and then: await new Promise((resolve) => setTimeout(resolve, 0))`
  }
}

const usedUp = (waitMs: number): string =>
  `the programs of this workspace have used up their processor time; try again in ${Math.ceil(waitMs / 1000)} s`

function look(stretch: Stretch): void {
  const now = performance.now()
  if (now !== stretch.seenMs) stretch.jumps = 0
  stretch.seenMs = now
}

/** Length of the stretch. When the clock stands still, the jumps and calls measure the time. */
const lengthOf = ({ beganMs, seenMs, jumps }: Stretch): number => seenMs - beganMs + jumps * JUMP_MS
