import { FsError } from '../../errors/index.js'
import type { PresetAnswer } from '../../types/preset.js'
import type { InputIssue, ToolError } from '../../types/tool.js'
import { otherSpellingIn } from '../shared/other-spelling.js'

/** The nine errors of the original agent, in that agent's JSON format: the variant's name with its content. */
export type LoomToolError =
  | 'Timeout'
  | { readonly FileNotFound: string }
  | { readonly PathOutsideWorkspace: string }
  | { readonly InvalidArguments: string }
  | { readonly Io: string }
  | { readonly Serialization: string }
  | { readonly NotFound: string }
  | { readonly TargetNotFound: string }
  | { readonly Internal: string }

/** Prefix of each variant's text for the model. */
const DISPLAY: Readonly<Record<string, string>> = {
  FileNotFound: 'File not found',
  PathOutsideWorkspace: 'Path outside workspace',
  InvalidArguments: 'Invalid arguments',
  Io: 'IO error',
  Serialization: 'Serialization error',
  NotFound: 'Tool not found',
  TargetNotFound: 'Target not found',
  Internal: 'Internal error',
}

/** Returns the text of an error: `File not found: /workspace/a.txt`. */
export function displayError(error: LoomToolError): string {
  if (error === 'Timeout') return 'Tool execution timed out'
  const [variant = '', text] = Object.entries(error)[0] ?? []
  return `${DISPLAY[variant]}: ${text}`
}

/** Assigns an error to another variant than its code implies. */
export function asVariant<E extends Error>(error: E, variant: LoomToolError): E {
  return Object.assign(error, { details: { tool_error: variant } })
}

/** Returns the variant of a failure: from the failure's details if set there, otherwise from its code. */
export function variantOf(failure: ToolError): LoomToolError {
  const { tool_error: said, code } = failure.output
  if (isVariant(said)) return said
  const variant = Object.hasOwn(OF_CODE, code) ? OF_CODE[code]?.(failure) : undefined
  return variant ?? (FsError.isCode(code) ? { Io: failure.error } : { Internal: failure.error })
}

function isVariant(value: unknown): value is LoomToolError {
  if (value === 'Timeout') return true
  if (typeof value !== 'object' || value === null) return false
  const [entry, more] = Object.entries(value)
  return entry !== undefined && more === undefined && Object.hasOwn(DISPLAY, entry[0]) && typeof entry[1] === 'string'
}

type ToVariant = (failure: ToolError) => LoomToolError | undefined

const fileNotFound: ToVariant = ({ output: { path }, error }) =>
  typeof path === 'string' ? { FileNotFound: path + otherSpellingIn(error) } : undefined
/** For a read, a path without a target counts as a missing file. For a write, it is an I/O error. */
const deadEnd: ToVariant = (failure) => {
  const { op, tool } = failure.output
  // Something exists at this path, so the file is not missing.
  if (/": it is a /.test(failure.error)) return undefined
  // A link loop already fails while the path is resolved, for every operation.
  const reads = op === 'read' || op === 'list' || (op === 'resolve' && tool !== 'edit_file')
  return reads ? fileNotFound(failure) : undefined
}
const outside: ToVariant = ({ output: { path } }) => (typeof path === 'string' ? { PathOutsideWorkspace: path } : undefined)
const invalidArguments: ToVariant = ({ error }) => ({ InvalidArguments: error })
const io: ToVariant = ({ error }) => ({ Io: error })

/** The variant of each code. Other file codes become `Io`, and all remaining codes `Internal`. */
const OF_CODE: Readonly<Record<string, ToVariant>> = {
  ENOENT: fileNotFound,
  ENOTDIR: deadEnd,
  ELOOP: deadEnd,
  path_outside_workspace: outside,
  symlink_escape: outside,
  invalid_path: invalidArguments,
  invalid_input: invalidArguments,
  ambiguous_match: invalidArguments,
  no_match: ({ error }) => ({ TargetNotFound: error }),
  binary_file: io,
  network: io,
  too_large: io,
  blocked_origin: io,
  spawn_failed: io,
  http_status: ({ output: { httpStatus } }) => ({ Internal: `web_search proxy error: HTTP ${String(httpStatus)}` }),
  timeout: () => 'Timeout',
}

const answer = (variant: LoomToolError): PresetAnswer => ({ error: displayError(variant), details: { tool_error: variant } })

export const renderFailure = (failure: ToolError): PresetAnswer => answer(variantOf(failure))

export const renderUnknown = (tool: string): PresetAnswer => answer({ NotFound: tool })

export function renderInvalid(_: string, [first]: readonly InputIssue[]): PresetAnswer {
  return answer({ Serialization: first ? inSerdesWords(first.message) : 'invalid input' })
}

/** Returns serde's message for input that is not an object. Such input is rejected before any field is read. */
function inSerdesWords(message: string): string {
  const got = /^expected object, got (\w+)$/.exec(message)?.[1]
  return got === undefined ? message : `invalid type: ${got === 'array' ? 'sequence' : got}, expected a map`
}
