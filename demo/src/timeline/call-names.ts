import type { Checkpoint, ToolCall } from 'toolport'

export interface CallNames {
  /** Records the checkpoint taken before a call. */
  note(checkpoint: Checkpoint | undefined, call: ToolCall): void
  named(checkpoint: Checkpoint): Checkpoint
}

/** Input fields that name the subject of a call, in the order of the library's own labels. */
const SUBJECTS = ['path', 'file_path', 'filePath', 'from', 'command', 'cmd', 'script', 'name']
const LONGEST = 120
/** Long labels are compared only up to this length, because the library cuts their end. */
const COMPARED = 100

/**
 * If a call changes nothing, the library reuses its checkpoint for the next call, under the name of the first one. This module renames such
 * a checkpoint after the newest call. Names by the user stay.
 */
export function createCallNames(): CallNames {
  const names = new Map<string, Partial<Checkpoint>>()
  return {
    note(checkpoint, call) {
      // Ignores a restore, which takes its own checkpoint later.
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
