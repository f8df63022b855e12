import { FsError } from '../../errors/index.js'
import type { Preset, PresetAnswer } from '../../types/preset.js'
import type { InputIssue, JsonValue, ToolError, ToolResult } from '../../types/tool.js'
import { missingParam } from './arguments.js'
import type { ZeroclawToolResult } from './types.js'

/** Codes with which the workspace rejects a path. */
const PATH_CODES: ReadonlySet<string> = new Set(['EACCES', 'path_outside_workspace', 'symlink_escape', 'approval_required'])
const READ_ONLY_CODES: ReadonlySet<string> = new Set(['EROFS', 'read_only'])

/** The beginning of each tool's error messages. */
const DOING: Readonly<Record<string, string>> = {
  file_read: 'Failed to read file',
  file_write: 'Failed to write file',
  file_edit: 'Failed to edit file',
  memory_recall: 'Memory recall failed',
}

/** Codes of the runtime for which this preset has no own message. */
const OF_THE_RUNTIME: ReadonlySet<string> = new Set(['aborted', 'unsupported', 'tool_excluded', 'invalid_input', 'rate_limited'])

export const renderUnknown = (tool: string): PresetAnswer => `Unknown tool: ${tool}`

/** The argument of each tool to report as missing if the input is not an object. */
const REQUIRED: Readonly<Record<string, string>> = { shell: 'command', file_read: 'path', file_write: 'path', file_edit: 'path' }

const OWN_WORDS = /^(expected|matches|has|must|is|\d+ more) /

export function renderInvalid(tool: string, [first]: readonly InputIssue[]): PresetAnswer {
  if (!first) return 'Invalid arguments'
  const { path, message } = first
  const required = Object.hasOwn(REQUIRED, tool) ? REQUIRED[tool] : undefined
  if (path === '' && required !== undefined && message.startsWith('expected object')) return missingParam(required)
  if (message === 'is required') return missingParam(path)
  // A message of a tool's own reader is complete. A generic message needs the name of the field.
  if (path === '') return OWN_WORDS.test(message) ? `Invalid arguments: ${message}` : message
  return /^[a-z]/.test(message) ? `Invalid '${path}' parameter: ${message}` : message
}

export const renderFailure: NonNullable<Preset['renderFailure']> = (failure) => {
  const { tool, code, reported } = failure.output
  if (reported === true) return { error: failure.error, details: { recoverable: true } }
  return tool === 'shell' ? shellWords(failure) : fileWords(failure, Object.hasOwn(DOING, tool) ? DOING[tool] : undefined, code)
}

function shellWords({ output: { code, rule, reason }, error }: ToolError): PresetAnswer | undefined {
  if (code === 'timeout') return 'Command timed out'
  // Also applies if the runtime's own policy rejected the command.
  if (rule === 'commands' && !error.startsWith('Command blocked')) return `Command blocked by security policy: ${reason ?? error}`
  if (OF_THE_RUNTIME.has(code) || rule !== undefined) return error
  return `Execution failed: ${error}`
}

function fileWords({ output: { rule }, error }: ToolError, doing: string | undefined, code: string): PresetAnswer | undefined {
  if (doing === undefined) return undefined
  if (OF_THE_RUNTIME.has(code) || (rule === 'tools' && !FsError.isCode(code))) return error
  if (PATH_CODES.has(code)) return `Path not allowed by security policy: ${withoutCode(error)}`
  if (READ_ONLY_CODES.has(code)) return `Action blocked: ${withoutCode(error)}`
  return `${doing}: ${withoutCode(error)}`
}

const withoutCode = (error: string): string => error.replace(/^E[A-Z]+: /, '')

/** Converts a result to the documented form. A pure function. */
export function toWire(result: ToolResult): ZeroclawToolResult {
  if (result.ok) return { success: true, output: asText(result.output), error: null }
  const { printed } = result.output
  return { success: false, output: typeof printed === 'string' ? printed : '', error: result.error }
}

const asText = (output: JsonValue): string => (typeof output === 'string' ? output : JSON.stringify(output))
