import { JsError } from 'toolport'
import type { QuickJsOptions } from 'toolport/adapters/quickjs'
import { RateLimit } from '../http/rate-limit.js'
import type { Settings } from '../settings.js'

export type ProgramTurns = ReturnType<NonNullable<QuickJsOptions['turns']>>
export type TurnLimits = Pick<Settings, 'STRETCH_MS' | 'PROGRAM_MS' | 'PROGRAM_MS_PER_MINUTE'>

/** What 10,000 jumps and calls take, for where the clock stands still while code computes. */
const TICK_MS = 0.1
/** After a longer stretch programs rest as long as it was: half of the time is for everything else. */
const SHORT_MS = 16
/** How often one in the queue looks whether it is next. */
const LOOK_MS = 5
/** One that has not looked for so long is gone, with its object. Nobody looks while a program computes. */
const GONE_MS = 5000
/** Workspaces whose last turn is remembered. */
const MOST_SERVED = 10_000

/** A program that asks for its turn. */
interface Asking {
  readonly workspace: string
  readonly queued: boolean
  lookedMs: number
}

/** What a program computes without giving way. */
interface Stretch {
  readonly program: ProgramTurns
  readonly workspace: string
  readonly beganMs: number
  /** It may go on for so long. */
  readonly mostMs: number
  /** When it was last seen at work. */
  seenMs: number
  /** Since the clock has moved last. */
  ticks: number
}

/**
 * Which program computes, of all workspaces whose objects share this isolate and with it one thread: one after another, the workspaces by
 * turns, each as far as its time goes. A program that goes on after it has waited does so without asking, but at the same expense.
 */
export class Turns {
  readonly #limits: TurnLimits
  /** Tokens are milliseconds. */
  readonly #budget: RateLimit
  readonly #asking = new Set<Asking>()
  /** Workspace -> number of its last turn; the one that waits for longest first. */
  readonly #served = new Map<string, number>()
  #turns = 0
  #stretch: Stretch | undefined
  #restUntilMs = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
    this.#budget = new RateLimit({ burst: limits.PROGRAM_MS, perMinute: limits.PROGRAM_MS_PER_MINUTE })
  }

  /**
   * For one program. `queued`: false for those that opening a workspace runs: they have bounds of their own, and only pay for their time.
   *
   * @throws {JsError} unavailable, where its workspace has no time left
   */
  of(workspace: string, { queued = true } = {}): ProgramTurns {
    const waitMs = this.#budget.wait(workspace, this.#limits.STRETCH_MS)
    if (queued && waitMs > 0) throw new JsError('unavailable', `Cannot run the program: ${usedUp(waitMs)}`)
    const program: ProgramTurns = {
      take: (over) => this.#take(program, { workspace, queued, lookedMs: performance.now() }, over),
      leave: () => this.#leave(program),
      end: () => (queued ? this.#endOf(program, workspace) : this.#tick(program, workspace)),
    }
    return program
  }

  async #take(program: ProgramTurns, asking: Asking, over: () => boolean): Promise<void> {
    this.#leave(program)
    this.#asking.add(asking)
    try {
      // The others' calls come in between, first of all.
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
    // Whoever had the thread has it no more.
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
    this.#stretch = { program, workspace, beganMs: now, mostMs, seenMs: now, ticks: 0 }
  }

  #leave(program: ProgramTurns): void {
    if (this.#stretch?.program !== program) return
    look(this.#stretch)
    this.#close()
  }

  /** Its workspace pays for it. */
  #close(): void {
    if (!this.#stretch) return
    const { workspace, seenMs } = this.#stretch
    const ms = lengthOf(this.#stretch)
    this.#stretch = undefined
    this.#budget.spend(workspace, ms)
    if (ms > SHORT_MS) this.#restUntilMs = Math.max(this.#restUntilMs, seenMs + Math.min(ms, this.#limits.STRETCH_MS))
  }

  #tick(program: ProgramTurns, workspace: string): undefined {
    if (this.#stretch?.program !== program) this.#begin(program, workspace)
    const stretch = this.#stretch as Stretch
    look(stretch)
    stretch.ticks++
  }

  #endOf(program: ProgramTurns, workspace: string): string | undefined {
    this.#tick(program, workspace)
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
  if (now !== stretch.seenMs) stretch.ticks = 0
  stretch.seenMs = now
}

/** A clock that stands still tells nothing more: the ticks do. */
const lengthOf = ({ beganMs, seenMs, ticks }: Stretch): number => seenMs - beganMs + ticks * TICK_MS
