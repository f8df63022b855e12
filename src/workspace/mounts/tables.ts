import type { FsAdapter } from '../../types/fs.js'
import type { MountTable } from './table.js'

/** Of combined storages. */
const tables = new WeakMap<FsAdapter, MountTable>()

export function setTable(fs: FsAdapter, table: MountTable): void {
  tables.set(fs, table)
}

export const tableOf = (fs: FsAdapter): MountTable | undefined => tables.get(fs)

/** Of combined storages that others show. */
const shown = new WeakMap<FsAdapter, MountTable>()

/** `fs` shows what is in `of`. */
export function showTable(fs: FsAdapter, of: FsAdapter): void {
  const table = shownTable(of)
  if (table) shown.set(fs, table)
}

/** Of a combined storage, or of one that shows it. */
export const shownTable = (fs: FsAdapter): MountTable | undefined => tables.get(fs) ?? shown.get(fs)

/** Whether a path is in a read-only mount: what others change there cannot be put back. */
export function isInReadOnlyMount(fs: FsAdapter, path: string): boolean {
  return tables.get(fs)?.place(path).mount.readOnly ?? false
}
