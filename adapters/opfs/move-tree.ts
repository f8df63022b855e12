import { type Disk, Unfinished } from './disk.js'
import { patiently } from './faults.js'
import { type DirHandle, type Place, unlessMissing } from './handles.js'

const MOVED_AT_ONCE = 8

/**
 * Moves a directory, or what is left of it, into another, which is made where it is missing. File by file, so that at every moment each
 * file is in one of the two; to do it again completes it. Nothing at `from` is nothing to do.
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
  // All of them, also after a failure: nothing may still be on its way when it is undone.
  const ends = await Promise.allSettled(Array.from({ length: MOVED_AT_ONCE }, moveNext))
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  if (failures.length > 0) throw failures.find((failure) => failure instanceof Unfinished) ?? failures[0]
  for (const name of dirs) await moveTree(disk, { dir: from, name }, { dir: to, name })
}
