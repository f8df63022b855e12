import type { CommandResult, RedirectionNode } from '../library-types.js'
import { joined, nothing, part } from './results.js'

/** Takes over what the commands within it print, on the streams that are its own. */
export interface Frame {
  readonly parent: Frame | undefined
  readonly out: boolean
  readonly err: boolean
  take(result: CommandResult): Promise<void> | void
  /** Nothing is held back. */
  flush?(): Promise<void>
  /** Waits for the jobs whose output belongs to it; undefined where nothing does. */
  readonly jobs?: Set<Promise<unknown>>
}

/** The streams of the call. */
export type Sink = (result: CommandResult) => void

/** Hands a result to the frames it belongs to. */
export async function deliver(frame: Frame | undefined, result: CommandResult, sink: Sink): Promise<void> {
  let rest: CommandResult | undefined = result
  for (let at = frame; at && rest; at = at.parent) {
    const mine: CommandResult | undefined = part(rest, at.out, at.err)
    if (mine) await at.take(mine)
    rest = part(rest, !at.out, !at.err)
  }
  if (rest) sink(rest)
}

/** All of them that are around, the inner ones first. */
export async function flushAll(frame: Frame | undefined): Promise<void> {
  for (let at = frame; at; at = at.parent) if (at.flush) await at.flush()
}

/** The frame whose end a job that prints within `frame` puts off: a pipe stays open as long as someone writes to it. */
export function pipeOf(frame: Frame | undefined): Frame | undefined {
  let at = frame
  while (at && !(at.out && at.jobs)) {
    if (at instanceof RedirectionFrame && at.out && !at.passes) return undefined
    at = at.parent
  }
  return at
}

/** Keeps what is printed, for a pipe or a substitution. What comes when it is closed goes on to the frames around it. */
export class CollectingFrame implements Frame {
  readonly jobs?: Set<Promise<unknown>>
  readonly parent: Frame | undefined
  readonly out = true
  readonly err: boolean
  #closed = false
  #kept: CommandResult[] = []
  readonly #late: (result: CommandResult) => Promise<void>

  /** @param waits its jobs belong to it: its end is theirs */
  constructor(parent: Frame | undefined, err: boolean, sink: Sink, waits = true) {
    this.parent = parent
    this.err = err
    if (waits) this.jobs = new Set()
    this.#late = (result) => deliver(parent, result, sink)
  }

  take(result: CommandResult): Promise<void> | void {
    if (this.#closed) return this.#late(result)
    this.#kept.push(result)
  }

  close(): CommandResult {
    this.#closed = true
    const all = this.#kept.reduce(joined, nothing)
    this.#kept = []
    return all
  }
}

/** Redirections write at once what comes after a pause, and then again after so long. */
const FLUSH_MS = 25

export interface RedirectionOptions {
  readonly parent: Frame | undefined
  readonly redirections: readonly RedirectionNode[]
  readonly now: () => number
  /** Writes it as the redirections say; gives what of it goes to the streams around. */
  readonly route: (result: CommandResult) => Promise<CommandResult>
  readonly sink: Sink
}

/** Sends what is printed where redirections say. */
export class RedirectionFrame implements Frame {
  readonly parent: Frame | undefined
  readonly out: boolean
  readonly err: boolean
  /** Standard output may still go where it went before. */
  readonly passes: boolean
  readonly #options: RedirectionOptions
  #written = false
  #held: CommandResult[] = []
  #flushedMs: number = Number.NEGATIVE_INFINITY

  constructor(options: RedirectionOptions) {
    const { redirections, parent } = options
    this.parent = parent
    this.#options = options
    const duplicates = redirections.some(({ operator }) => operator === '>&' || operator === '<&')
    this.passes = duplicates
    this.out = duplicates || redirections.some((each) => isOutput(each, 1))
    this.err = duplicates || redirections.some((each) => isOutput(each, 2))
  }

  /** Something was printed. */
  get used(): boolean {
    return this.#written || this.#held.length > 0
  }

  take(result: CommandResult): Promise<void> | void {
    const held = this.#held
    const last = held.at(-1)
    // In one text, unless that would put what is on standard output before an earlier error.
    if (last && (last.stderr === '' || result.stdout === '')) held[held.length - 1] = joined(last, result)
    else held.push(result)
    if (this.passes || this.#options.now() - this.#flushedMs >= FLUSH_MS) return this.flush()
  }

  async flush(): Promise<void> {
    const held = this.#held
    if (held.length === 0) return
    this.#held = []
    this.#written = true
    for (const result of held) {
      const rest = await this.#options.route(result)
      if (rest.stdout !== '' || rest.stderr !== '') await deliver(this.parent, rest, this.#options.sink)
    }
    this.#flushedMs = this.#options.now()
  }
}

function isOutput({ fd, operator }: RedirectionNode, wanted: 1 | 2): boolean {
  if (operator === '&>' || operator === '&>>') return true
  return (operator === '>' || operator === '>>' || operator === '>|') && (fd ?? 1) === wanted
}

/** Files are opened once: what is written later comes after what is there. */
export function appending(redirections: readonly RedirectionNode[]): readonly RedirectionNode[] {
  return redirections.map((each) => {
    if (each.operator === '>' || each.operator === '>|') return { ...each, operator: '>>' }
    return each.operator === '&>' ? { ...each, operator: '&>>' } : each
  })
}
