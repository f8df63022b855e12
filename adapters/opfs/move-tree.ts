import { type Disk, Unfinished } from './disk.js'
import { patiently } from './faults.js'
import { type DirHandle, type Place, unlessMissing } from './handles.js'

const MOVED_AT_ONCE = 8

/**
 * Moves the contents of directory `from` to directory `to`, which is created if missing, and removes `from`. Files are moved one by one, so
 * that no file is ever missing from both directories. Call again to complete an interrupted move. If `from` does not exist, nothing
 * happens.
 */
export async function moveTree(disk: Disk, from: Place, to: Place): Promise<void> {
  const source = await unlessMissing(from.dir.getDirectoryHandle(from.name))
  if (!source) return
  await moveAll(disk, source, await to.dir.getDirectoryHandle(to.name, { create: true }))
  await patiently(() => from.dir.removeEntry(from.name))
}

async function moveAll(disk: Disk, from: DirHandle, to: DirHandle): Promise<void> {
  const files: string[] = []
  const dirs: string[] = []
  for await (const [name, { kind }] of from.entries()) (kind === 'file' ? files : dirs).push(name)
  const moveNext = async (): Promise<void> => {
    try {
      for (let name = files.pop(); name !== undefined; name = files.pop()) await disk.move({ dir: from, name }, { dir: to, name })
    } catch (cause) {
      files.length = 0
      throw cause
    }
  }
  // Wait for all moves, even after a failure, so that none is still running when the caller undoes them.
  const ends = await Promise.allSettled(Array.from({ length: MOVED_AT_ONCE }, moveNext))
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  if (failures.length > 0) throw failures.find((failure) => failure instanceof Unfinished) ?? failures[0]
  for (const name of dirs) await moveTree(disk, { dir: from, name }, { dir: to, name })
}
