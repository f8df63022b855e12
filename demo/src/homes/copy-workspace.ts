import { plural } from '../format.js'
import type { Workspace } from '../session.js'
import type { Task } from './task-bar.js'

/** Of what is changed again and again, the last is not waited for: what changes it ends with the workspace. */
const ROUNDS = 10

/** Puts all that is in one workspace into another: what its storage cannot keep (links, permission bits) is left out. @throws the signal's reason */
export async function copyWorkspace(from: Workspace, to: Workspace, { signal, tell }: Partial<Task> = {}): Promise<void> {
  let seen = await moment(from)
  let files = 0
  for await (const run of from.walk(from.root, { ignore: false })) {
    const directories = run.filter(({ kind }) => kind === 'dir')
    await Promise.all(directories.map(({ path }) => to.mkdir(from.relative(path))))
    // What is written at once, some storages store at once.
    await Promise.all(run.map(({ path, kind }) => (kind === 'dir' ? undefined : copyEntry(from, to, path, kind))))
    files += run.length - directories.length
    tell?.(plural(files, 'file'))
    signal?.throwIfAborted()
  }
  // Programs go on meanwhile.
  for (let round = 0; round < ROUNDS; round++) {
    const now = await moment(from)
    const { changes } = await from.diff(seen, now)
    if (changes.length === 0) return
    for (const { path, after } of changes) if (!after) await to.remove(from.relative(path), { recursive: true }).catch(ignoreMissing)
    for (const { path, after } of changes) {
      if (after?.kind === 'dir') await to.mkdir(from.relative(path), { parents: true })
      else if (after) await copyEntry(from, to, path, after.kind)
    }
    seen = now
    signal?.throwIfAborted()
  }
}

async function moment(workspace: Workspace): Promise<string> {
  return (await workspace.checkpoint({ label: 'Before it was copied', reuse: true })).id
}

async function copyEntry(from: Workspace, to: Workspace, path: string, kind: 'file' | 'symlink'): Promise<void> {
  const place = from.relative(path)
  try {
    if (kind === 'file') await copyFile(from, to, path, place)
    else if (to.fs.symlink) await to.symlink(await from.readlink(path), place)
  } catch (error) {
    ignoreMissing(error)
  }
}

async function copyFile(from: Workspace, to: Workspace, path: string, place: string): Promise<void> {
  const { bytes } = await from.readBytes(path)
  await to.writeBytes(place, bytes)
  const { mode } = await from.lstat(path)
  if (mode !== undefined && to.fs.can.mode && isExecutable(mode)) await to.setMeta(place, { mode })
}

/** What went while it was copied is a change that is looked for afterwards. */
function ignoreMissing(error: unknown): void {
  if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error
}

const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0
