import type { FsAdapter } from 'toolport'
import { choiceOf, type Home } from './homes.js'
import { addHome, begunHomes, forgetHome, noteBegun } from './known-homes.js'

/** A reserved path: neither a tool nor an archive can create a file that looks like this mark. */
const OWN = '/.toolport-checkpoints'
const MARK = `${OWN}/unfinished`

/** Marks the storage as incomplete until `endFilling`, even if the page closes meanwhile. */
export async function beginFilling(fs: FsAdapter, home: Home): Promise<void> {
  noteBegun(home)
  // The folder exists already if the storage contains checkpoints.
  if (!(await isThere(fs, OWN))) await fs.mkdir(OWN)
  await fs.write(MARK, new Uint8Array())
  await fs.flush()
}

/** Removes the mark after everything is stored. */
export async function endFilling(fs: FsAdapter): Promise<void> {
  await fs.unlink(MARK)
  // The folder may contain checkpoints by now, so the removal may fail.
  await fs.rmdir(OWN).catch(() => undefined)
  await fs.flush()
}

/**
 * Whether the storage is incomplete: it contains the mark, or only the empty folder of the mark because the page closed just before or
 * after the mark existed.
 */
export async function isUnfinished(fs: FsAdapter): Promise<boolean> {
  if (await isThere(fs, MARK)) return true
  const names = await fs.readdir('/')
  const isBare = names.length > 0 && names.every(({ name }) => `/${name}` === OWN)
  return isBare && (await fs.readdir(OWN)).length === 0
}

function isThere(fs: FsAdapter, path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    () => false,
  )
}

/** Deletes everything in a storage; the mark last. */
export async function empty(fs: FsAdapter): Promise<void> {
  const names = await fs.readdir('/')
  await Promise.all(names.filter(({ name }) => `/${name}` !== OWN).map(({ name, kind }) => remove(fs, `/${name}`, kind)))
  await fs.flush()
  if (!names.some(({ name }) => `/${name}` === OWN)) return
  const own = (await fs.readdir(OWN)).filter(({ name }) => `${OWN}/${name}` !== MARK)
  await Promise.all(own.map(({ name, kind }) => remove(fs, `${OWN}/${name}`, kind)))
  await fs.flush()
  await remove(fs, OWN, 'dir')
  await fs.flush()
}

async function remove(fs: FsAdapter, path: string, kind: string): Promise<void> {
  if (kind !== 'dir') return fs.unlink(path)
  if (fs.rmTree) return fs.rmTree(path)
  // Concurrently, because some storages are slow one by one.
  await Promise.all((await fs.readdir(path)).map((entry) => remove(fs, `${path}/${entry.name}`, entry.kind)))
  await fs.rmdir(path)
}

/** Deletes the content of a stored workspace. Rejects while another tab has the workspace open. */
export async function deleteHome(home: Home): Promise<void> {
  const choice = choiceOf(home.kind)
  const fs = await choice.create(home.name)
  try {
    // Fails early if another tab has the workspace open.
    await fs.open?.()
    // If the page closes meanwhile, the mark tells the next visit to finish the deletion. A full storage may have no room for the mark.
    if (!(await isUnfinished(fs))) await beginFilling(fs, home).catch(ignoreFull)
    await empty(fs)
  } finally {
    await fs.close()
  }
  forgetHome(home)
  for (const database of choice.databases(home.name)) indexedDB.deleteDatabase(database)
}

/** Deletes incomplete workspaces of earlier visits. Skips workspaces that another tab has open. */
export async function clearUnfinished(): Promise<void> {
  for (const home of begunHomes()) await clear(home).catch(() => undefined)
}

async function clear(home: Home): Promise<void> {
  const fs = await choiceOf(home.kind).create(home.name)
  let isWhole: boolean
  try {
    await fs.open?.()
    isWhole = (await fs.readdir('/')).length > 0 && !(await isUnfinished(fs))
  } finally {
    await fs.close()
  }
  if (isWhole) addHome(home)
  else await deleteHome(home)
}

function ignoreFull(error: unknown): void {
  if ((error as { readonly code?: unknown }).code !== 'ENOSPC') throw error
}
