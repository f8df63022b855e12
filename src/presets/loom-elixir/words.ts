import { toModelText } from '../../core/result.js'
import { FsError } from '../../errors/index.js'
import type { InputIssue, ToolError, ToolResult } from '../../types/tool.js'
import { otherSpellingIn } from '../shared/other-spelling.js'

export function renderInvalid(tool: string, issues: readonly InputIssue[]): string {
  const problems = issues.map(({ path, message }) => `${path === '' ? 'the input' : path} ${message}`)
  return `Invalid input for ${tool}: ${problems.join('; ')}`
}

export const renderUnknown = (tool: string): string => `Unknown tool: ${tool}`

/** The documented words. What has none, a deadline or a refusal of the host, keeps ours, without the hint. */
export function renderFailure({ output, error }: ToolError): string {
  const { code, path } = output
  if (typeof path !== 'string') return error
  if (code === 'path_outside_workspace' || code === 'symlink_escape') return `Path ${path} is outside the project directory`
  const writing = output.tool === 'file_write' || output.op === 'write'
  if (code === 'ENOENT' && !writing) return `File not found: ${path}${otherSpellingIn(error)}`
  if (code === 'EISDIR' && !writing) return `Path is a directory, not a file: ${path}`
  return `Failed to ${writing ? 'write' : 'read'} ${path}: ${reason(code, path, error)}`
}

/** The name of the system's error as the seed prints it, then what it means: `enospc (no space left)`. */
function reason(code: string, path: string, error: string): string {
  const quoted = `"${path}"`
  const at = error.indexOf(quoted)
  const meaning = at < 0 ? error : error.slice(at + quoted.length).replace(/^[^:]*: /, '')
  return FsError.isCode(code) ? `${code.toLowerCase()} (${meaning})` : meaning
}

/** `{ok: text}` or `{error: text}`: what a model reads of it. */
export function toWire(result: ToolResult): unknown {
  return result.ok ? { ok: toModelText(result) } : { error: result.error }
}
