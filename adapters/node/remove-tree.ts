import { lstat as lstatCb, rmdir as rmdirCb, unlink as unlinkCb } from 'node:fs'
import { promisify } from 'node:util'
import { type Access, type Pin, withDirectory } from './access.js'
import { errnoOf } from './faults.js'
import { listNames } from './names.js'
import { nameOf, parentOf } from './paths.js'

const lstat = promisify(lstatCb)
const rmdir = promisify(rmdirCb)
const unlink = promisify(unlinkCb)

/** Number of concurrent removals, which is enough to keep the thread pool busy. More would only wait there. */
const AT_ONCE = 8

/**
 * Removes the entry and everything below it. `fs.rm` lists directories by path: if another process swaps a directory for a symlink, `fs.rm`
 * deletes the contents of the link's target. This function pins every directory before emptying it.
 *
 * Ignores entries that other processes remove in the meantime. Pins only one directory at a time, however deep the tree is.
 */
export async function removeTree(access: Access, path: string): Promise<void> {
  const isDirectory = await withDirectory(access, parentOf(path), async (parent) => {
    const host = parent.at(nameOf(path))
    if ((await lstat(host)).isDirectory()) return true
    await unlink(host)
    return false
  })
  if (isDirectory) await removeDirectories(access, path)
}

async function removeDirectories(access: Access, top: string): Promise<void> {
  // Depth first, without recursion. A directory stays on the stack and is removed when everything above it on the stack is gone.
  const stack: { readonly path: string; readonly emptied: boolean }[] = [{ path: top, emptied: false }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { path, emptied } = next
    if (emptied) {
      await withDirectory(access, parentOf(path), (parent) => ignoreGone(rmdir(parent.at(nameOf(path)))))
      continue
    }
    stack.push({ path, emptied: true })
    const names = await ignoreGone(withDirectory(access, path, empty))
    for (const name of names ?? []) stack.push({ path: `${path}/${name}`, emptied: false })
  }
}

/** Removes all entries except directories, and returns the names of the directories. */
async function empty(directory: Pin): Promise<string[]> {
  const entries = await listNames(directory.path, directory.stat.size)
  const others = entries.filter((entry) => !entry.isDirectory())
  await directory.verify()
  let next = 0
  async function worker(): Promise<void> {
    for (let entry = others[next++]; entry; entry = others[next++]) await ignoreGone(unlink(directory.at(entry.name)))
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, others.length) }, worker))
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

async function ignoreGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}
