import type { CommandResult, RedirectionNode, WordNode } from '../library-types.js'
import { literalText } from '../syntax/nodes.js'
import { joined, nothing, part } from './results.js'

/** Captures the streams `out` and `err`, or one of them, of the commands that run inside the frame. */
export interface Frame {
  readonly parent: Frame | undefined
  readonly out: boolean
  readonly err: boolean
  take(result: CommandResult): Promise<void> | void
  /** Writes all held-back output. */
  flush?(): Promise<void>
  /** The jobs whose output belongs to the frame, and for which the frame therefore waits. Undefined if the frame waits for no jobs. */
  readonly jobs?: Set<Promise<unknown>>
}

/** Receives output that no frame captures, for the streams of the call. */
export type Sink = (result: CommandResult) => void

/** Passes a result to the frames that capture it. */
export async function deliver(frame: Frame | undefined, result: CommandResult, sink: Sink): Promise<void> {
  let rest: CommandResult | undefined = result
  for (let at = frame; at && rest; at = at.parent) {
    const mine: CommandResult | undefined = part(rest, at.out, at.err)
    if (mine) await at.take(mine)
    rest = part(rest, !at.out, !at.err)
  }
  if (rest) sink(rest)
}

/** Flushes all enclosing frames, innermost first. */
export async function flushAll(frame: Frame | undefined): Promise<void> {
  for (let at = frame; at; at = at.parent) if (at.flush) await at.flush()
}

/** Returns the frame that must wait for a job which prints inside `frame`. Like a pipe, it stays open while a process can write to it. */
export function pipeOf(frame: Frame | undefined): Frame | undefined {
  let at = frame
  while (at && !(at.out && at.jobs)) {
    if (at instanceof RedirectionFrame && at.out && !at.passes) return undefined
    at = at.parent
  }
  return at
}

/** Merges standard error into standard output. If both streams have the same target, this keeps the order of the output. */
export function merged(result: CommandResult): CommandResult {
  if (result.stderr === '') return result
  const { internalOutputAccounting: charged } = result
  const accounted = { stdout: (charged?.stdout ?? 0) + (charged?.stderr ?? 0), stderr: 0 }
  const errors: CommandResult = { stdout: result.stderr, stderr: '', exitCode: result.exitCode, stdoutKind: 'text' }
  return { ...joined({ ...result, stderr: '' }, errors), internalOutputAccounting: accounted }
}

/** Collects output for a pipe or a substitution. After it is closed, output passes to the enclosing frames. */
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
   * @param waits whether the frame waits for its jobs
   * @param merges whether both streams are merged
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

/** Minimum milliseconds between two writes of a redirection. Output in between is buffered. */
const FLUSH_MS = 25

export interface RedirectionOptions {
  readonly parent: Frame | undefined
  readonly redirections: readonly RedirectionNode[]
  /** Whether `exec` has redirected one of the streams. */
  readonly isElsewhere: boolean
  readonly now: () => number
  /** Writes a result to the targets of the redirections. Resolves to the part that the enclosing streams receive. */
  readonly route: (result: CommandResult) => Promise<CommandResult>
  readonly sink: Sink
}

/** Applies redirections to output. */
export class RedirectionFrame implements Frame {
  readonly parent: Frame | undefined
  readonly out: boolean
  readonly err: boolean
  /** The streams (1, 2) that `redirections` redirect. */
  readonly redirected: readonly number[]
  /** Whether standard output may still go to its previous target. */
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

  /** Whether the frame has received any output. */
  get used(): boolean {
    return this.#written || this.#held.length > 0
  }

  take(given: CommandResult): Promise<void> | void {
    const result = this.#merges ? merged(given) : given
    const held = this.#held
    const last = held.at(-1)
    // Joins results, unless this would move standard output before an earlier error.
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

/** Target of a stream: the previous target of stream 1 or 2, the file of a redirection, or the name of another descriptor. */
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

/** Returns the redirections for later writes, which append because a redirection opens its file only once. */
export function appending(redirections: readonly RedirectionNode[]): readonly RedirectionNode[] {
  return redirections.map((each) => {
    if (each.operator === '>' || each.operator === '>|') return { ...each, operator: '>>' }
    return each.operator === '&>' ? { ...each, operator: '&>>' } : each
  })
}
