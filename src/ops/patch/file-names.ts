import { FsError, InputError } from '../../errors/index.js'
import type { FilePatch } from './types.js'

/** Suffixes that editors and tools add to the name of a backup file. */
const BACKUP = /^(?:\.orig|\.bak|\.old|~)$/

type Update = FilePatch & { readonly kind: 'update' }

interface Files {
  exists(name: string): Promise<boolean>
}

/**
 * Chooses the name of the file if the diff has two different names. Takes the name that exists, or for a new file the name whose first
 * directory exists.
 *
 * @throws {FsError} ENOENT if neither exists; {InputError} `invalid_input` if both exist
 */
export async function withNameOf<Section extends FilePatch>(section: Section, files: Files): Promise<Section | Update> {
  if (!section.names) return section
  const { from, to, below } = section.names
  const isNew = section.kind === 'add'
  const there = (name: string): Promise<boolean> => files.exists(isNew ? (name.split('/', 1)[0] ?? name) : name)
  const [hasFrom, hasTo] = [await there(from), await there(to)]
  if (section.kind === 'move') {
    // The section is a rename, unless only the new name exists.
    if (hasFrom || !(hasTo || (below !== undefined && (await files.exists(below))))) return section
    const { line, hunks } = section
    return { kind: 'update', line, path: hasTo ? to : (below ?? to), hunks }
  }
  if (hasFrom !== hasTo) return { ...section, path: hasFrom ? from : to }
  if (hasFrom) {
    if (from.startsWith(to) && BACKUP.test(from.slice(to.length))) return { ...section, path: to }
    const problem = `it names "${from}" after --- and "${to}" after +++, and both exist. Use the name of the file to change on both lines`
    throw new InputError('invalid_input', `Cannot apply the patch: ${problem}`, {
      issues: [{ path: 'patch', message: problem }],
      details: { line: section.line },
    })
  }
  if (below !== undefined && (isNew || (await files.exists(below)))) return { ...section, path: below }
  if (isNew) return { ...section, path: to }
  const detail = `neither "${from}" (after ---) nor "${to}" (after +++) exists. Use the name of an existing file on both lines`
  throw new FsError({ code: 'ENOENT', op: 'patch', path: to, detail })
}
