import type { RegisteredTool } from '../core/tool-registry.js'
import type { ShellAdapter } from '../types/shell.js'
import type { ToolCall } from '../types/tool.js'
import type { Workspace } from '../types/workspace.js'

const MAX_LENGTH = 120
/** Input fields that say what a call works on, most informative first. */
const SUBJECTS = ['path', 'file_path', 'filePath', 'from', 'command', 'cmd', 'script', 'checkpoint', 'name'] as const

/** The tool that makes its own checkpoint. A second checkpoint could exceed the limit and thereby remove the checkpoint to restore. */
const RESTORE = 'restore_checkpoint'

/** Makes the checkpoint before a call. */
export async function checkpointBefore(
  call: ToolCall,
  tool: RegisteredTool['tool'] | undefined,
  workspace: Workspace,
  shell: ShellAdapter | undefined,
): Promise<void> {
  if (call.name === RESTORE) return
  await workspace.checkpoint({ label: labelOf(call), reuse: true, scan: reachesPast(tool, shell) })
}

/** Whether a tool can change the storage without going through the workspace. */
function reachesPast({ annotations, requires = [] }: Partial<RegisteredTool['tool']> = {}, shell?: ShellAdapter): boolean {
  if (annotations?.openWorldHint === false) return false
  const onlyShell = requires.length > 0 && requires.every((port) => port === 'shell' || port === 'shell.spawn')
  return !(onlyShell && shell?.can.isolated)
}

/** Creates the label of a checkpoint: the tool, and its path or command, in one line. */
function labelOf({ name, input }: ToolCall): string {
  const subject = subjectOf(input)
  const label = (subject === undefined ? name : `${name} ${subject}`).replace(/\s+/g, ' ').trim()
  // Split by character, because a lone surrogate cannot be stored.
  const characters = [...label.slice(0, MAX_LENGTH + 1)]
  return label.length <= MAX_LENGTH ? label : `${characters.slice(0, MAX_LENGTH - 3).join('')}...`
}

function subjectOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const key of SUBJECTS) {
    const value = Object.hasOwn(input, key) ? (input as Readonly<Record<string, unknown>>)[key] : undefined
    // A label shows less than this, so do not process the rest of a long value.
    if (typeof value === 'string' && value !== '') return value.slice(0, 4 * MAX_LENGTH)
  }
  return undefined
}
