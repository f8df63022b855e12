import type { CommandResult, RedirectionNode, WordNode } from '../library-types.js'
import { literalText } from '../syntax/nodes.js'
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

/** All of it as standard output: where both streams go to one place, that keeps their order. */
export function merged(result: CommandResult): CommandResult {
  if (result.stderr === '') return result
  const { internalOutputAccounting: charged } = result
  const accounted = { stdout: (charged?.stdout ?? 0) + (charged?.stderr ?? 0), stderr: 0 }
  const errors: CommandResult = { stdout: result.stderr, stderr: '', exitCode: result.exitCode, stdoutKind: 'text' }
  return { ...joined({ ...result, stderr: '' }, errors), internalOutputAccounting: accounted }
}

/** Keeps what is printed, for a pipe or a substitution. What comes when it is closed goes on to the frames around it. */
export class CollectingFrame implements Frame {
  readonly jobs?: Set<Promise<unknown>>
  readonly parent: Frame | undefined
  readonly out = true
  readonly err: boolean
  #closed = false
  readonly #merges: boolean
  #kept: CommandResult[] = []
  readonly #late: (result: CommandResult) => Promise<void>

  /**
   * @param waits its jobs belong to it: its end is theirs
   * @param merges both streams are one
   */
  constructor(
    parent: Frame | undefined,
    err: boolean,
    sink: Sink,
    { waits = true, merges = false }: { waits?: boolean; merges?: boolean } = {},
  ) {
    this.parent = parent
    this.#merges = merges
    this.err = err
    if (waits) this.jobs = new Set()
    this.#late = (result) => deliver(parent, result, sink)
  }

  take(result: CommandResult): Promise<void> | void {
    if (this.#closed) return this.#late(result)
    this.#kept.push(this.#merges ? merged(result) : result)
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
  /** `exec` has sent one of the streams somewhere. */
  readonly isElsewhere: boolean
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
  /** The streams that `redirections` send elsewhere: 1, 2. */
  readonly redirected: readonly number[]
  /** Standard output may still go where it went before. */
  readonly passes: boolean
  readonly #options: RedirectionOptions
  readonly #merges: boolean
  #written = false
  #held: CommandResult[] = []
  #flushedMs: number = Number.NEGATIVE_INFINITY

  constructor(options: RedirectionOptions) {
    const { redirections, parent, isElsewhere } = options
    this.parent = parent
    this.#options = options
    const { out, err } = destinations(redirections)
    this.#merges = out === err
    this.redirected = [...(out === 1 ? [] : [1]), ...(err === 2 ? [] : [2])]
    this.out = isElsewhere || this.#merges || out !== 1
    this.err = isElsewhere || this.#merges || err !== 2
    this.passes = isElsewhere || !(isFile(out) && (isFile(err) || !this.err))
  }

  /** Something was printed. */
  get used(): boolean {
    return this.#written || this.#held.length > 0
  }

  take(given: CommandResult): Promise<void> | void {
    const result = this.#merges ? merged(given) : given
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

/** Where a stream goes: where another one went before, to the file of one redirection, or to another descriptor. */
type Destination = 1 | 2 | RedirectionNode | string

const isFile = (to: Destination): boolean => typeof to === 'object'

function destinations(redirections: readonly RedirectionNode[]): { readonly out: Destination; readonly err: Destination } {
  let [out, err]: Destination[] = [1, 2]
  for (const each of redirections) {
    const { operator, target, fdVariable } = each
    const fd = each.fd ?? 1
    if (fdVariable !== undefined || operator.startsWith('<<') || target.type === 'HereDoc') continue
    const name = literalText(target as WordNode) ?? '?'
    const isCopy = (operator === '>&' || operator === '<&') && (each.fd !== null || /^(?:\d+-?|-|\?)$/.test(name))
    if (isCopy) {
      const to = name === '1' ? out : name === '2' ? err : name
      if (fd === 1) out = to as Destination
      if (fd === 2) err = to as Destination
    } else if (operator.startsWith('&>') || operator === '>&') [out, err] = [each, each]
    else if (operator.startsWith('>')) {
      if (fd === 1) out = each
      if (fd === 2) err = each
    }
  }
  return { out: out as Destination, err: err as Destination }
}

/** Files are opened once: what is written later comes after what is there. */
export function appending(redirections: readonly RedirectionNode[]): readonly RedirectionNode[] {
  return redirections.map((each) => {
    if (each.operator === '>' || each.operator === '>|') return { ...each, operator: '>>' }
    return each.operator === '&>' ? { ...each, operator: '&>>' } : each
  })
}
