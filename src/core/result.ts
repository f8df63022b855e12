import { ERROR_TABLE } from '../errors/index.js'
import { required } from '../errors/required.js'
import type { InputIssue, ToolError, ToolFailure, ToolResult } from '../types/tool.js'
import { shorten } from './field-path.js'
import { normaliseOutput } from './normalise-output.js'

export { normaliseOutput } from './normalise-output.js'

/** Identifies the call that a result answers. */
export interface Answered {
  readonly callId: string | null
  readonly tool: string
}

const LONGEST_MESSAGE = 4096
const MOST_ISSUES = 50
/** Names of our error classes. Checked by name, because a second copy of this package, or another realm, has different classes. */
const OURS = new Set([
  'FsError',
  'WorkspaceError',
  'InputError',
  'ShellError',
  'JsError',
  'NetworkError',
  'PolicyError',
  'UnsupportedError',
])
const DETAILS = {
  path: 'string',
  dest: 'string',
  op: 'string',
  rule: 'string',
  reason: 'string',
  capability: 'string',
  adapter: 'string',
  detected: 'string',
  httpStatus: 'number',
  retryable: 'boolean',
} as const

/** Creates a failure, with the status and hint that the error table has for its code. `extra` cannot replace the fixed fields. */
export function failure(code: string, message: string, call: Answered, extra: Readonly<Record<string, unknown>> = {}): ToolError {
  const row = Object.hasOwn(ERROR_TABLE, code) ? ERROR_TABLE[code] : undefined
  const { hint = row?.hint, issues, ...details } = extra
  const output: ToolFailure = {
    ...details,
    status: row?.status ?? 'error',
    code,
    callId: call.callId,
    tool: call.tool,
    recoverable: row?.recoverable ?? false,
    ...(typeof hint === 'string' && { hint }),
    ...(isIssues(issues) && { issues }),
  }
  return { ok: false, output, error: shorten(message, LONGEST_MESSAGE) }
}

/** Converts a thrown value to a result. Never throws, and never includes a stack or a cause. */
export function toFailure(error: unknown, call: Answered): ToolError {
  const code = field(error, 'code')
  const ours = OURS.has(String(primitive(field(error, 'name')))) && typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code)
  if (!ours) return failure('tool_threw', systemMessage(error) ?? messageOf(error, call.tool), call)
  return failure(code, messageOf(error, call.tool), call, { ...ownDetails(error), ...fixedDetails(error) })
}

function fixedDetails(error: unknown): Record<string, unknown> {
  const details: Record<string, unknown> = {}
  for (const [key, type] of Object.entries(DETAILS)) {
    const value = field(error, key)
    if (typeof value === type) details[key] = typeof value === 'string' ? shorten(value, LONGEST_MESSAGE) : value
  }
  return { ...details, issues: readIssues(field(error, 'issues')) }
}

/** Returns the details of an InputError, if they are valid JSON; otherwise none. */
function ownDetails(error: unknown): Readonly<Record<string, unknown>> {
  const details = normaliseOutput(field(error, 'details'))
  return details.ok && typeof details.value === 'object' && details.value !== null && !Array.isArray(details.value)
    ? { ...details.value }
    : {}
}

function readIssues(value: unknown): readonly InputIssue[] | undefined {
  const read = normaliseOutput(value)
  const issues: unknown = read.ok ? read.value : undefined
  return isIssues(issues) ? issues.slice(0, MOST_ISSUES) : undefined
}

function isIssues(value: unknown): value is readonly InputIssue[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((issue) => typeof issue?.path === 'string' && typeof issue.message === 'string')
  )
}

const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{1,63}$/
const ERRNO_NAME = /^E[A-Z0-9]+$/

/**
 * Describes an error of the operating system by its code and meaning, because its own message contains paths and commands of the machine.
 * Returns undefined for other errors.
 */
function systemMessage(error: unknown): string | undefined {
  const code = field(error, 'code')
  const name = typeof code === 'string' && SYSTEM_CODE.test(code) ? code : undefined
  const system = typeof field(error, 'syscall') === 'string' || (field(error, 'errno') !== undefined && name && ERRNO_NAME.test(name))
  if (!system) return undefined
  const message = field(error, 'message')
  const meaning = typeof message === 'string' ? /^[A-Z][A-Z0-9_]*: ([a-z][a-z -]{0,60}), /.exec(message)?.[1] : undefined
  return `${name ?? 'Unknown code'}: the tool failed with a system error${meaning === undefined ? '' : `: ${meaning}`}`
}

function messageOf(error: unknown, tool: string): string {
  const message = typeof error === 'object' && error !== null ? primitive(field(error, 'message')) : primitive(error)
  if (message !== undefined && message !== '') return String(message)
  return `Cannot finish "${tool}": it threw ${error === null ? 'null' : typeof error} without a message`
}

/** Reads a field safely: a getter or a proxy may throw. */
function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    return Reflect.get(value, key)
  } catch {
    return undefined
  }
}

function primitive(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

/**
 * Returns the text of a result for the model: its content parts if present, otherwise its output as text or JSON. For a failure, the text
 * includes the hint and the issues.
 */
export function toModelText(result: ToolResult): string {
  required('toModelText', 'a ToolResult', result, 'output')
  if (!result.ok) return failureText(result)
  const { content, output } = result
  if (content) return content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function failureText({ error, output: { issues = [], hint } }: ToolError): string {
  const lines = [`Error: ${error}`]
  for (const { path, message } of issues) if (!error.includes(message)) lines.push(path === '' ? `- ${message}` : `- ${path}: ${message}`)
  if (hint !== undefined) lines.push(hint)
  return lines.join('\n')
}
