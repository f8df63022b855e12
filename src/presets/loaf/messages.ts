import { formHint } from '../../ops/unicode-form.js'
import type { PresetAnswer } from '../../types/preset.js'
import type { InputIssue, ToolError, ToolFailure } from '../../types/tool.js'

/** The documented tools whose schemas have their own messages for issues. */
const OWN: ReadonlySet<string> = new Set([
  'read_file',
  'list_dir',
  'grep_files',
  'apply_patch',
  'search_web',
  'bash',
  'install_js_packages',
  'run_js',
  'run_js_module',
  'start_background_js',
  'write_background_js',
])

export function renderInvalid(tool: string, [first]: readonly InputIssue[]): PresetAnswer {
  if (!first) return `Cannot call "${tool}": the input does not fit`
  if (OWN.has(tool) && first.path !== '') return first.message
  return `Cannot call "${tool}": ${first.path === '' ? 'the input' : first.path}: ${first.message}`
}

export const renderUnknown = (tool: string): PresetAnswer => `unknown tool: ${tool}`

/** Renders a failure like the original agent, if the agent has a message for this failure. Otherwise keeps the error and drops the hint. */
export function renderFailure({ output, error }: ToolError): PresetAnswer {
  if (output.tool === 'apply_patch') return patchWords(output, error)
  if (!aboutPath(output.code)) return error
  switch (output.tool) {
    case 'read_file':
      return `failed to read file: ${error}`
    case 'list_dir':
      return `failed to read directory: ${error}`
    case 'grep_files':
      return `unable to access \`${output.path}\`: ${error}`
    default:
      return error
  }
}

const PATH_CODES: ReadonlySet<string> = new Set(['path_outside_workspace', 'invalid_path', 'symlink_escape', 'binary_file'])

/** Whether a code is about a path. Codes of the file system are in capitals. */
const aboutPath = (code: string): boolean => PATH_CODES.has(code) || /^E[A-Z]+$/.test(code)

function patchWords(output: ToolFailure, error: string): string {
  const { code, path, missing, reason, issues } = output
  if (reason !== undefined) return malformed(output)
  if (missing === 'context') return `Failed to find context '${expectedOf(output)}' in ${path}${otherForm(output)}`
  if (missing === 'lines') return `Failed to find expected lines in ${path}:\n${expectedOf(output)}${otherForm(output)}`
  if (code === 'invalid_input' && issues?.[0] && path === undefined) return `invalid patch: ${issues[0].message}`
  return aboutPath(code) ? fileWords(output, error) : error
}

function malformed({ reason, problem, begins }: ToolFailure): string {
  if (String(problem).startsWith('No files were modified')) return 'No files were modified.'
  const isOther = reason === 'argument' && begins !== undefined
  return `invalid patch: ${isOther ? "The first line of the patch must be '*** Begin Patch'" : problem}`
}

function fileWords({ code, op, path }: ToolFailure, error: string): string {
  if (op === 'delete' || op === 'remove') return `Failed to delete file ${path}: ${error}`
  if (op === 'patch' || op === 'move' || op === 'copy' || code === 'binary_file') return `Failed to read file to update ${path}: ${error}`
  return op === 'write' ? `Failed to write file ${path}: ${error}` : error
}

function otherForm({ expected, nearest }: ToolFailure): string {
  return formHint((nearest as { text: string } | undefined)?.text ?? '', linesOf(expected).join('\n'))
}

const linesOf = (expected: unknown): readonly unknown[] => (Array.isArray(expected) ? expected : [])

function expectedOf({ expected, expected_total }: ToolFailure): string {
  const lines = linesOf(expected)
  const rest = typeof expected_total === 'number' ? [`[... ${expected_total - lines.length} more lines]`] : []
  return [...lines, ...rest].join('\n')
}
