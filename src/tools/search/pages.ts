import { InputError } from '../../errors/index.js'
import { quoted, visibleName } from '../../ops/visible-name.js'
import type { Workspace } from '../../types/workspace.js'

/** Returns the cursor of a path: the path relative to the root. */
export function cursorOf(workspace: Workspace, path: string): string {
  return workspace.relative(path)
}

/** Returns the path of a cursor. @throws {InputError} for a cursor that no result contained */
export function fromCursor(workspace: Workspace, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  if (cursor === '' || cursor.startsWith('/')) throw badCursor(cursor)
  return workspace.root === '/' ? `/${cursor}` : `${workspace.root}/${cursor}`
}

export function badCursor(cursor: string): InputError {
  return new InputError('invalid_input', `Cannot continue after "${visibleName(cursor)}": it is not a cursor of this tool`, {
    issues: [{ path: 'cursor', message: 'must be the "next" of an earlier result of the same call' }],
  })
}

/** Returns the line below a list that says that there are more. */
export function moreNote(shown: number, what: string, next: string | undefined): string {
  return next === undefined ? '' : `\n[${shown} ${what} shown, more follow: continue with cursor ${quoted(next)}]`
}

/** Returns the line below a result about its globs. */
export const hintNote = (hint: string | undefined): string => (hint === undefined ? '' : `\n[${hint}]`)
