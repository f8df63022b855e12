import type { LoadedFile } from '../text/load-file.js'
import { isDirty, isEditable, type OpenFile } from './open-file.js'
import type { BarAction, BarState } from './state-bar.js'
import type { TextBuffer } from './text-buffer.js'

/** Actions that resolve a problem with a file. */
export interface Remedies {
  readonly isReadOnly: boolean
  save(one: OpenFile, isOver?: boolean): void
  drop(one: OpenFile): void
  merge(one: OpenFile): void
  takeTheirs(one: OpenFile): void
  step(direction: 1 | -1): void
}

/** The state bar for a file's problem. Undefined if there is no problem. */
export function conditionOf(one: OpenFile, remedies: Remedies): BarState | undefined {
  const { buffer, file, theirs, gone } = one
  if (buffer && gone) return deleted(one, remedies)
  if (buffer && theirs) return changed(one, buffer, theirs, remedies)
  if (remedies.isReadOnly && isEditable(file)) return { kind: 'info', text: 'This workspace is read-only. Nothing can be changed here.' }
  if (file?.kind === 'text' && !isEditable(file)) {
    return { kind: 'info', text: 'This file is larger than 2 MiB. It is shown here, and not edited.' }
  }
  return undefined
}

function deleted(one: OpenFile, { save, drop }: Remedies): BarState {
  const what = isDirty(one) ? 'What you wrote' : 'What it held'
  return {
    kind: 'warning',
    text: `This file was deleted. ${what} is still here.`,
    actions: [
      { label: 'Save it again', primary: true, run: () => save(one) },
      { label: 'Close', run: () => drop(one) },
    ],
  }
}

function changed(one: OpenFile, buffer: TextBuffer, theirs: LoadedFile, { save, merge, takeTheirs, step }: Remedies): BarState {
  const whole: readonly BarAction[] = [
    { label: 'Keep mine', run: () => save(one, true) },
    { label: 'Use theirs', run: () => takeTheirs(one) },
  ]
  if (!isEditable(theirs)) {
    return { kind: 'warning', text: 'This file has been replaced by one that cannot be edited here.', actions: whole }
  }
  if (buffer.comparing !== 'merge') {
    const start: BarAction = { label: 'Merge', primary: true, run: () => merge(one) }
    return { kind: 'warning', text: 'This file has changed underneath while you edit it.', actions: [start, ...whole] }
  }
  return {
    kind: 'warning',
    text: `${clashesOf(one)} Green is what you would save over theirs.`,
    actions: [
      { label: 'Previous', run: () => step(-1) },
      { label: 'Next', run: () => step(1) },
      { label: 'Save the merge', primary: true, run: () => save(one) },
      ...whole,
    ],
  }
}

function clashesOf({ clashes }: OpenFile): string {
  if (clashes === 0) return 'Both changes fit together.'
  return clashes === 1 ? '1 place was changed by both.' : `${clashes} places were changed by both.`
}
