import { createWorkspace, type FsAdapter } from 'toolport'
import { createPace } from '../pace.js'
import type { PackageSource } from '../packages/registry.js'
import { createSession, type Files, type Session, type Workspace } from '../session.js'
import { busyFailure, isBusy } from './failures.js'
import { choiceOf, type Home, isKept, MEMORY_LIMITS } from './homes.js'
import { addHome } from './known-homes.js'
import { beginFilling, deleteHome, empty, endFilling, isUnfinished } from './unfinished.js'

/** One file may be as large as all: a repository's history is one. */
const QUOTAS = { bytes: MEMORY_LIMITS.maxBytes, files: MEMORY_LIMITS.maxFiles, fileBytes: MEMORY_LIMITS.maxBytes }

export interface OpenOptions {
  /** Puts in what a workspace begins with that holds nothing yet: all of it, or it is not opened and nothing is left of it. */
  readonly fill: (workspace: Workspace) => Promise<void>
  /** After `fill`: the id of the checkpoint of the workspace's beginning, where that is an earlier one. */
  readonly beginning?: () => string | undefined
  /** Refuses one that holds something. Default false. */
  readonly onlyNew?: boolean
  readonly packages: PackageSource | undefined
  /** Aborted: it is not opened, as after a failure. */
  readonly signal?: AbortSignal | undefined
}

/** Opens a workspace where it lives. Rejects with what is to be told; what was there before is then as it was. */
export async function openSession(home: Home, { fill, onlyNew = false, packages, signal, beginning }: OpenOptions): Promise<Session> {
  const { fs, isNew } = await openStorage(home)
  const marks = isNew && isKept(home)
  try {
    if (onlyNew && !isNew) throw taken(home)
    // What is kept from earlier may be larger than what is let in now.
    const workspace = createWorkspace({ fs, ...(isNew && { quotas: QUOTAS }) })
    if (marks) await beginFilling(fs, home)
    if (isNew) await fill(workspace)
    await workspace.flush()
    const files = await someFiles(workspace)
    signal?.throwIfAborted()
    if (marks) await endFilling(fs)
    return createSession(home.name, { fs, home, packages, files, beginning: beginning?.() })
  } catch (error) {
    await fs.close().catch(() => undefined)
    if (marks) await deleteHome(home).catch(() => undefined)
    throw error
  }
}

/** It can be opened from the list then, also where this browser has forgotten that it keeps it. */
function taken(home: Home): Error {
  if (isKept(home)) addHome(home)
  return new Error(
    `There is a workspace “${home.name}” in ${choiceOf(home.kind).label} already. Open that, or give the new one another name.`,
  )
}

async function openStorage(home: Home): Promise<{ readonly fs: FsAdapter; readonly isNew: boolean }> {
  let fs: FsAdapter | undefined
  try {
    fs = await choiceOf(home.kind).create(home.name)
    await fs.open?.()
    // An earlier visit ended in the middle of it: half a workspace is none.
    if (isKept(home) && (await isUnfinished(fs))) await empty(fs)
    return { fs, isNew: (await fs.readdir('/')).length === 0 }
  } catch (error) {
    await fs?.close().catch(() => undefined)
    throw isBusy(error) ? busyFailure(home, error) : error
  }
}

/** Some storages take long for one after the other, and all at once would block the page. */
const AT_ONCE = 100

/** `onFiles`: how many there are by now. */
export async function writeFiles(workspace: Workspace, files: Files, onFiles?: (count: number) => void): Promise<void> {
  const all = Object.entries(files)
  const pace = createPace()
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await Promise.all(all.slice(at, at + AT_ONCE).map(([path, content]) => write(workspace, path, content)))
    onFiles?.(Math.min(at + AT_ONCE, all.length))
    await pace()
  }
}

async function write(workspace: Workspace, path: string, content: string | Uint8Array): Promise<void> {
  if (typeof content === 'string') await workspace.writeText(path, content)
  else await workspace.writeBytes(path, content)
}

const SOME = 300
const SOME_BYTES = 64 * 1024

/** Enough for examples, and the file that is shown first. */
async function someFiles(workspace: Workspace): Promise<Files> {
  // Read at once: some storages take long for one after the other.
  const found = await Promise.all((await somePaths(workspace)).map((path) => textOf(workspace, path)))
  return Object.fromEntries(found.filter((one) => one !== undefined))
}

async function somePaths(workspace: Workspace): Promise<readonly string[]> {
  const paths = ['README.md']
  for await (const run of workspace.walk(workspace.root)) {
    for (const { path, kind } of run) {
      if (kind === 'file') paths.push(workspace.relative(path))
      if (paths.length > SOME) return paths
    }
  }
  return paths
}

async function textOf(workspace: Workspace, path: string): Promise<readonly [path: string, text: string] | undefined> {
  const file = await workspace.readText(path, { maxBytes: SOME_BYTES }).catch(() => undefined)
  return file && [path, file.text]
}
