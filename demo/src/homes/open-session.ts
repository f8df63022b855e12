import { createWorkspace, type FsAdapter } from 'toolport'
import { createPace } from '../pace.js'
import type { PackageSource } from '../packages/registry.js'
import { createSession, type Files, type Session, type Workspace } from '../session.js'
import { busyFailure, isBusy } from './failures.js'
import { choiceOf, type Home, isKept, MEMORY_LIMITS } from './homes.js'
import { addHome } from './known-homes.js'
import { beginFilling, deleteHome, empty, endFilling, isUnfinished } from './unfinished.js'

/** A single file may fill the whole quota, because git stores a repository's history in one file. */
const QUOTAS = { bytes: MEMORY_LIMITS.maxBytes, files: MEMORY_LIMITS.maxFiles, fileBytes: MEMORY_LIMITS.maxBytes }

export interface OpenOptions {
  /** Fills an empty workspace. If this fails, the workspace is not opened and nothing is left of it. */
  readonly fill: (workspace: Workspace) => Promise<void>
  /** Called after `fill`. Returns the id of an existing checkpoint that marks the workspace's initial state. Undefined: none. */
  readonly beginning?: () => string | undefined
  /** Fails if the workspace is not empty. Default: false. */
  readonly onlyNew?: boolean
  readonly packages: PackageSource | undefined
  /** Aborts the opening, with the same cleanup as after a failure. */
  readonly signal?: AbortSignal | undefined
}

/** Opens a workspace. Rejects with a message for the user; the previous content stays unchanged then. */
export async function openSession(home: Home, { fill, onlyNew = false, packages, signal, beginning }: OpenOptions): Promise<Session> {
  const { fs, isNew } = await openStorage(home)
  const marks = isNew && isKept(home)
  try {
    if (onlyNew && !isNew) throw taken(home)
    // Only a new workspace gets quotas: an existing one may already be larger than they allow.
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

/**
 * The error for a new workspace whose name is taken. Also lists the existing workspace, so that the user can open it even if this browser
 * had forgotten it.
 */
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
    // An earlier visit was interrupted while it filled or deleted the workspace. Deletes the incomplete rest.
    if (isKept(home) && (await isUnfinished(fs))) await empty(fs)
    return { fs, isNew: (await fs.readdir('/')).length === 0 }
  } catch (error) {
    await fs?.close().catch(() => undefined)
    throw isBusy(error) ? busyFailure(home, error) : error
  }
}

/** Number of files written concurrently. Some storages are slow one by one, and all at once would block the page. */
const AT_ONCE = 100

/** `onFiles` receives the number of files written so far. */
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

/** Some files for examples, and the file to show first. */
async function someFiles(workspace: Workspace): Promise<Files> {
  // Read concurrently, because some storages are slow one by one.
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
