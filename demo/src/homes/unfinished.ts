import type { FsAdapter } from 'toolport'
import { choiceOf, type Home } from './homes.js'
import { addHome, begunHomes, forgetHome, noteBegun } from './known-homes.js'

/** A name that workspaces keep to themselves: nothing that a tool writes or an archive holds can look like this mark. */
const OWN = '/.toolport-checkpoints'
const MARK = `${OWN}/unfinished`

/** What is put into a storage from now on is not whole until `endFilling`, whenever the page ends. */
export async function beginFilling(fs: FsAdapter, home: Home): Promise<void> {
  noteBegun(home)
  // Where it is there, checkpoints are kept in it.
  if (!(await isThere(fs, OWN))) await fs.mkdir(OWN)
  await fs.write(MARK, new Uint8Array())
  await fs.flush()
}

/** After all of it is stored. */
export async function endFilling(fs: FsAdapter): Promise<void> {
  await fs.unlink(MARK)
  // Checkpoints may be kept there by now.
  await fs.rmdir(OWN).catch(() => undefined)
  await fs.flush()
}

/** It has the mark, or nothing but the folder for it, where the page ended before the mark was made or after it was removed. */
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

/** Removes all that is in a storage; the mark last. */
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
  // At once: some storages take long for one after the other.
  await Promise.all((await fs.readdir(path)).map((entry) => remove(fs, `${path}/${entry.name}`, entry.kind)))
  await fs.rmdir(path)
}

/** Removes all that is in a kept workspace. Rejects while another tab has it open. */
export async function deleteHome(home: Home): Promise<void> {
  const choice = choiceOf(home.kind)
  const fs = await choice.create(home.name)
  try {
    // Another tab may have it: nothing is begun then.
    await fs.open?.()
    // Should the page end before it is done, it is no workspace any more. There may be no room left to say so.
    if (!(await isUnfinished(fs))) await beginFilling(fs, home).catch(ignoreFull)
    await empty(fs)
  } finally {
    await fs.close()
  }
  forgetHome(home)
  for (const database of choice.databases(home.name)) indexedDB.deleteDatabase(database)
}

/** Removes what earlier visits have begun and not ended. What another tab has open is its own. */
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
