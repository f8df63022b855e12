import type { ToolCall } from '../types/tool.js'

const MAX_LENGTH = 120
/** What tools call the thing that they work on, the most telling first. */
const SUBJECTS = ['path', 'file_path', 'filePath', 'from', 'command', 'cmd', 'script', 'checkpoint', 'name'] as const

/** What a checkpoint before a call is called: the tool, and the path or command that it was given. One line. */
export function labelOf({ name, input }: ToolCall): string {
  const subject = subjectOf(input)
  const label = (subject === undefined ? name : `${name} ${subject}`).replace(/\s+/g, ' ').trim()
  // By character: half of a surrogate pair can be kept nowhere.
  const characters = [...label.slice(0, MAX_LENGTH + 1)]
  return label.length <= MAX_LENGTH ? label : `${characters.slice(0, MAX_LENGTH - 3).join('')}...`
}

function subjectOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const key of SUBJECTS) {
    const value = Object.hasOwn(input, key) ? (input as Readonly<Record<string, unknown>>)[key] : undefined
    // No more of it than could be shown.
    if (typeof value === 'string' && value !== '') return value.slice(0, 4 * MAX_LENGTH)
  }
  return undefined
}
