import { toModelText } from '../core/result.js'
import { FsError } from '../errors/index.js'
import type { Preset } from '../types/preset.js'
import type { InputIssue, ToolError, ToolResult } from '../types/tool.js'
import { fileEdit } from './loom-elixir/file-edit.js'
import { fileRead } from './loom-elixir/file-read.js'
import { fileWrite } from './loom-elixir/file-write.js'
import { otherSpellingIn } from './shared/other-spelling.js'

/** Time limit of a call, in milliseconds. */
const DEADLINE_MS = 60_000
/** Maximum bytes of a result for the model, enough for most source files. `file_read` shows only as many lines of a longer file as fit. */
const OUTPUT_BYTES = 1024 * 1024

/**
 * The preset with `file_read`, `file_write` and `file_edit` of Loom (Elixir). A call has 60 s, and a model reads at most 1 MiB of a result.
 * `toWire` returns `{ok: text}` or `{error: text}`.
 */
export function loomElixir(): Preset {
  return {
    name: 'loom-elixir',
    tools: [fileRead, fileWrite, fileEdit],
    validation: 'lenient',
    renderInvalid,
    renderUnknown,
    renderFailure,
    toWire,
    limits: { deadlineMs: DEADLINE_MS, outputBytes: OUTPUT_BYTES },
  }
}

function renderInvalid(tool: string, issues: readonly InputIssue[]): string {
  const problems = issues.map(({ path, message }) => `${path === '' ? 'the input' : path} ${message}`)
  return `Invalid input for ${tool}: ${problems.join('; ')}`
}

const renderUnknown = (tool: string): string => `Unknown tool: ${tool}`

/**
 * Renders a failure as documented. A failure without a documented message, such as a timeout or a denial by the host, keeps Toolport's
 * message without the hint.
 */
function renderFailure({ output, error }: ToolError): string {
  const { code, path } = output
  if (typeof path !== 'string') return error
  if (code === 'path_outside_workspace' || code === 'symlink_escape') return `Path ${path} is outside the project directory`
  const writing = output.tool === 'file_write' || output.op === 'write'
  if (code === 'ENOENT' && !writing) return `File not found: ${path}${otherSpellingIn(error)}`
  if (code === 'EISDIR' && !writing) return `Path is a directory, not a file: ${path}`
  return `Failed to ${writing ? 'write' : 'read'} ${path}: ${reason(code, path, error)}`
}

/** Returns the system's error name with its meaning, as the original agent prints it: `enospc (no space left)`. */
function reason(code: string, path: string, error: string): string {
  const quoted = `"${path}"`
  const at = error.indexOf(quoted)
  const meaning = at < 0 ? error : error.slice(at + quoted.length).replace(/^[^:]*: /, '')
  return FsError.isCode(code) ? `${code.toLowerCase()} (${meaning})` : meaning
}

/** Converts a result to `{ok: text}` or `{error: text}`. The model reads the text. */
function toWire(result: ToolResult): unknown {
  return result.ok ? { ok: toModelText(result) } : { error: result.error }
}
