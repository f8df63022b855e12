import { PolicyError } from '../../errors/index.js'
import { untilAborted } from '../../ops/concurrency.js'
import type { Host } from '../../types/host.js'
import type { TrustedToolLoader } from '../../types/trusted-tools.js'
import type { Workspace } from '../../types/workspace.js'
import { CustomToolFailed } from './failure.js'
import { type Called, LONGEST_OUTPUT, type Looked } from './program.js'

// Runs custom tools in this process. `program.ts` does the same in a sandbox.

export type TrustedRun = ExportedTool['run']

/** The tool of a file: its description as JSON, and the function to call. */
export interface TrustedLook extends Looked {
  readonly run?: TrustedRun
}

const LONGEST_ERROR = 65_536
const LONGEST_WORDS = 1000

/** @throws {CustomToolFailed} timeout, aborted; {PolicyError} read_only. Exceptions of the file become `problem`. */
export async function lookTrusted(
  loader: TrustedToolLoader,
  workspace: Workspace,
  path: string,
  bounds: Omit<Bounds, 'host'>,
): Promise<TrustedLook> {
  checkWritable(workspace)
  return inTime('it', { ...bounds, host: workspace.host }, () => look(loader, path))
}

async function look(loader: TrustedToolLoader, path: string): Promise<TrustedLook> {
  try {
    const tool = findTool(await loader.load(path))
    if (!tool) return { tool: null }
    const { name, description, inputSchema, run } = tool
    return { tool: JSON.parse(JSON.stringify({ name, description, inputSchema })), run }
  } catch (error) {
    return { problem: told(error, true) }
  }
}

export interface TrustedCall {
  readonly name: string
  readonly run: TrustedRun
  readonly input: unknown
  readonly now: number
  readonly log: (line: string) => void
}

/** @throws {CustomToolFailed} timeout, aborted; {PolicyError} read_only. Exceptions of the tool become `problem`. */
export async function callTrusted({ name, run, input, now, log }: TrustedCall, workspace: Workspace, bounds: Bounds): Promise<Called> {
  checkWritable(workspace)
  return inTime(`Cannot finish "${name}": it`, bounds, async (signal) => {
    try {
      const context = { now: new Date(now), log: (...words: unknown[]) => log(words.map(wordOf).join(' ')), signal }
      return settled(await run(input, context))
    } catch (error) {
      return { problem: told(error, false) }
    }
  })
}

/** Rejects a read-only workspace, as for every adapter that a workspace cannot restrict. */
function checkWritable({ readOnly }: Workspace): void {
  if (!readOnly) return
  const message = 'Cannot run the tool: the workspace is read-only, and code in this process can write anywhere'
  throw new PolicyError('read_only', message, 'readOnly')
}

function settled(value: unknown): Called {
  const whole = isRecord(value) && typeof value.ok === 'boolean' && 'output' in value
  const ok = whole ? value.ok : true
  const error = whole && typeof value.error === 'string' ? { error: value.error.slice(0, LONGEST_ERROR) } : {}
  const output = whole ? value.output : value
  try {
    return { ok, output: asJson(output), ...error }
  } catch (problem) {
    return { ok, refused: told(problem, false), words: wordsOf(output), ...error }
  }
}

function asJson(value: unknown): string {
  if (value === undefined) return 'null'
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} is not JSON`)
  if (text.length > LONGEST_OUTPUT) throw new RangeError(`it is longer than ${LONGEST_OUTPUT} characters of JSON`)
  return text
}

function wordsOf(value: unknown): string {
  try {
    return String(value).slice(0, LONGEST_WORDS)
  } catch {
    // Converting failed: for example, an object without a prototype has no `toString`.
    return ''
  }
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // A cycle, or a getter that throws.
    return wordsOf(value)
  }
}

/** Describes an error. `where`: whether to include its place in the file. */
function told(error: unknown, where: boolean): string {
  const { message, stack } = isRecord(error) ? error : {}
  const text = typeof message === 'string' && message !== '' ? message : wordsOf(error)
  const place = where && typeof stack === 'string' ? placeIn(stack) : undefined
  return place === undefined || text.includes(place) ? text : `${text} (${place})`
}

/** Returns the first `/path:line:column` of a stack trace, without the query that makes each loaded version unique. */
function placeIn(stack: string): string | undefined {
  const found = /(?:file:\/\/)?(\/[^\n()?]*?)(?:\?[^\n():]*)?(:\d+(?::\d+)?)(?=[\n)]|$)/.exec(stack)
  return found ? `${found[1]}${found[2]}` : undefined
}

/** The tool that a file exports. */
interface ExportedTool {
  readonly name: string
  readonly description: unknown
  readonly inputSchema: unknown
  readonly run: (...given: unknown[]) => unknown
}

type Fields = Readonly<Record<string, unknown>>
type Run = ExportedTool['run']

// `program.ts` has the same function as text, for sandboxes. A test compares the two.

/** Finds the tool that a module exports, in one of five ways. Tries the module first, then its default export. */
function findTool(namespace: Fields): ExportedTool | null {
  return toolOf(namespace) ?? (isRecord(namespace.default) ? toolOf(namespace.default) : null)
}

function toolOf(root: Fields): ExportedTool | null {
  if (isTool(root)) return plain(root)
  if (isTool(root.tool)) return plain(root.tool)
  const { meta } = root
  if (!isRecord(meta)) return null
  const name = meta.name ?? root.name
  const run = runOf(root)
  if (!isNamed(name) || !run) return null
  const inputSchema = meta.args ?? meta.inputSchema ?? root.args ?? root.inputSchema
  return { name: name.trim(), description: meta.description ?? root.description, inputSchema, run }
}

function plain(tool: Fields & { readonly name: string; readonly run: Run }): ExportedTool {
  const { name, description, inputSchema, args } = tool
  // Read `run` at each call, and call it with the object as `this`.
  return { name: name.trim(), description, inputSchema: inputSchema ?? args, run: (...given) => tool.run(...given) }
}

function runOf(root: Fields): Run | undefined {
  if (typeof root.run === 'function') return (...given) => (root.run as Run)(...given)
  if (typeof root.default === 'function') return (...given) => (root.default as Run)(...given)
  return undefined
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isNamed = (name: unknown): name is string => typeof name === 'string' && name.trim() !== ''
const isTool = (it: unknown): it is Fields & { readonly name: string; readonly run: Run } =>
  isRecord(it) && isNamed(it.name) && typeof it.run === 'function'

/** Maximum delay of a timer, in milliseconds. A timer with a longer delay fires at once. */
const LONGEST_MS = 2 ** 31 - 1

interface Bounds {
  readonly host: Pick<Host, 'sleep'>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the result of the work. Rejects on an abort or at the time limit, and aborts the signal that the work received. Code in this
 * process cannot be stopped: the work may continue, and its result is ignored.
 *
 * @throws {CustomToolFailed} timeout, aborted; errors of the work
 */
async function inTime<T>(what: string, { host, timeoutMs, signal }: Bounds, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const over = new AbortController()
  // Running code cannot be stopped, so check before it starts.
  if (signal?.aborted) throw new CustomToolFailed(`${what} was aborted before it began`, 'aborted')
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  void host.sleep(Math.min(timeoutMs, LONGEST_MS), over.signal).then(() => {
    if (!over.signal.aborted) late.abort()
  })
  try {
    return await untilAborted(work(stop), stop)
  } catch (error) {
    throw stop.aborted && error === stop.reason ? tooLate(what, late.signal.aborted ? timeoutMs : undefined) : error
  } finally {
    over.abort()
  }
}

const tooLate = (what: string, timeoutMs: number | undefined): CustomToolFailed =>
  timeoutMs === undefined
    ? new CustomToolFailed(`${what} was aborted, but may still be running: code in this process cannot be stopped`, 'aborted')
    : new CustomToolFailed(
        `${what} did not end within ${timeoutMs} ms, and may still be running: code in this process cannot be stopped`,
        'timeout',
      )
