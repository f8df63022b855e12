import type { Checkpoint, ToolCall } from 'toolport'

export interface CallNames {
  /** A call is about to run, and this is the checkpoint before it. */
  note(checkpoint: Checkpoint | undefined, call: ToolCall): void
  named(checkpoint: Checkpoint): Checkpoint
}

/** What says what a call works on, as the library's own labels have it. */
const SUBJECTS = ['path', 'file_path', 'filePath', 'from', 'command', 'cmd', 'script', 'name']
const LONGEST = 120
/** The end of a long label is cut in the library's own way. */
const COMPARED = 100

/**
 * Where a call has changed nothing, the library gives its checkpoint again to the next one, under the name of the first. Here the newest call
 * names it, as what it is before. What the user has named stays.
 */
export function createCallNames(): CallNames {
  const names = new Map<string, Partial<Checkpoint>>()
  return {
    note(checkpoint, call) {
      // A restore keeps the state before it by itself, later than this.
      if (!checkpoint || call.name === 'restore_checkpoint') return
      const { id, label } = checkpoint
      if (names.has(id)) names.set(id, { label: `Before ${labelOf(call)}`, time: Date.now() })
      else if (label?.slice(0, COMPARED) === labelOf(call).slice(0, COMPARED)) names.set(id, { label: `Before ${label}` })
    },
    named: (checkpoint) => ({ ...checkpoint, ...names.get(checkpoint.id) }),
  }
}

function labelOf({ name, input }: ToolCall): string {
  const values = Object(input) as Readonly<Record<string, unknown>>
  const subject = SUBJECTS.map((key) => values[key]).find((value) => value && typeof value === 'string') ?? ''
  return `${name} ${subject}`
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
}
