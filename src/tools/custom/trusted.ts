import { PolicyError } from '../../errors/index.js'
import type { TrustedToolLoader } from '../../types/trusted-tools.js'
import type { Workspace } from '../../types/workspace.js'
import { type ExportedTool, findTool } from './exported-tool.js'
import { type Bounds, inTime } from './in-time.js'
import { type Called, LONGEST_OUTPUT, type Looked } from './program.js'

// What `program.ts` does in a sandbox, done in this process.

export type TrustedRun = ExportedTool['run']

/** What a file says of its tool, as JSON has it, and the function to call. */
export interface TrustedLook extends Looked {
  readonly run?: TrustedRun
}

const LONGEST_ERROR = 65_536
const LONGEST_WORDS = 1000

/** @throws {CustomToolFailed} timeout, aborted; {PolicyError} read_only. What the file throws is the `problem`. */
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

/** @throws {CustomToolFailed} timeout, aborted; {PolicyError} read_only. What the tool throws is the `problem`. */
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

/** As of every adapter that a workspace's rules do not bind. */
function checkWritable({ readOnly }: Workspace): void {
  if (!readOnly) return
  const message = 'Cannot run the tool: the workspace is read-only, and code that runs in this process writes where it likes'
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
    // An object without a prototype has no words.
    return ''
  }
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // A cycle, or what throws when it is read.
    return wordsOf(value)
  }
}

/** `where`: with the place in the file. */
function told(error: unknown, where: boolean): string {
  const { message, stack } = isRecord(error) ? error : {}
  const text = typeof message === 'string' && message !== '' ? message : wordsOf(error)
  const place = where && typeof stack === 'string' ? placeIn(stack) : undefined
  return place === undefined || text.includes(place) ? text : `${text} (${place})`
}

/** The first `/path:line:column` of a trace, without what makes its address another one each time. */
function placeIn(stack: string): string | undefined {
  const found = /(?:file:\/\/)?(\/[^\n()?]*?)(?:\?[^\n():]*)?(:\d+(?::\d+)?)(?=[\n)]|$)/.exec(stack)
  return found ? `${found[1]}${found[2]}` : undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
