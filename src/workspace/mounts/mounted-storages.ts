import type { FsAdapter } from '../../types/fs.js'
import type { MountTable } from './mount-table.js'

/** The mount table of each combined storage. */
const tables = new WeakMap<FsAdapter, MountTable>()

export function setTable(fs: FsAdapter, table: MountTable): void {
  tables.set(fs, table)
}

export const tableOf = (fs: FsAdapter): MountTable | undefined => tables.get(fs)

/** The mount table of each storage that wraps a combined storage. */
const shown = new WeakMap<FsAdapter, MountTable>()

/** Records that `fs` wraps `of`. */
export function showTable(fs: FsAdapter, of: FsAdapter): void {
  const table = shownTable(of)
  if (table) shown.set(fs, table)
}

/** The table of a combined storage, or of a storage that wraps one. */
export const shownTable = (fs: FsAdapter): MountTable | undefined => tables.get(fs) ?? shown.get(fs)

/** Whether a path is in a read-only mount, where a restore could not undo changes by other programs. */
export function isInReadOnlyMount(fs: FsAdapter, path: string): boolean {
  return tables.get(fs)?.place(path).mount.readOnly ?? false
}
