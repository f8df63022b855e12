import type { Disk } from './disk.js'
import { patiently } from './faults.js'
import { type DirHandle, type Place, unlessMissing } from './handles.js'
import type { Intent } from './intents.js'
import { moveTree } from './move-tree.js'
import type { Tree } from './tree.js'

interface Recovered {
  readonly tree: Tree
  readonly disk: Disk
}

/** Finishes or undoes what an earlier user had begun. Doing it twice is doing it once. */
export async function recover(store: Recovered, intent: Intent): Promise<void> {
  if (intent.kind === 'rename') return finishRename(store, intent.from, intent.to)
  if (intent.kind === 'fill') return clear(await store.tree.handleOf(store.tree.root))
  const place = await placeAt(store, intent.path)
  const file = place && (await unlessMissing(place.dir.getFileHandle(place.name)))
  if (!place || !file) return
  const { size } = await file.getFile()
  if (intent.kind === 'create') {
    // What was filled is whole; what is empty was perhaps to be filled.
    if (size === 0) await patiently(() => place.dir.removeEntry(place.name))
    return
  }
  if (size <= intent.size) return
  const access = await patiently(() => file.createSyncAccessHandle())
  try {
    await access.truncate(intent.size)
    await access.flush()
  } finally {
    await access.close()
  }
}

async function finishRename(store: Recovered, from: string, to: string): Promise<void> {
  const [source, target] = [await placeAt(store, from), await placeAt(store, to)]
  if (!source || !target) return
  const file = await fileAt(source)
  if (file) await store.disk.move(source, target)
  else await moveTree(store.disk, source, target)
}

/** Not with the tree: that is to list nothing before all is as it should be. */
async function placeAt({ tree }: Recovered, path: string): Promise<Place | undefined> {
  const names = path
    .slice(1)
    .split('/')
    .map((name) => tree.names.encode(name))
  const name = names.pop() ?? ''
  let dir: DirHandle | undefined = await tree.handleOf(tree.root)
  for (const each of names) dir = dir && (await unlessMissing(dir.getDirectoryHandle(each)))
  return dir && { dir, name }
}

async function fileAt({ dir, name }: Place): Promise<boolean> {
  for await (const [each, { kind }] of dir.entries()) if (each === name) return kind === 'file'
  return false
}

async function clear(dir: DirHandle): Promise<void> {
  const names: string[] = []
  for await (const [name] of dir.entries()) names.push(name)
  for (const name of names) await patiently(() => dir.removeEntry(name, { recursive: true }))
}
