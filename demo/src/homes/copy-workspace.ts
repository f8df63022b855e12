import { plural } from '../format.js'
import { createPace } from '../pace.js'
import type { Workspace } from '../session.js'
import type { Task } from './task-bar.js'

/** Of what is changed again and again, the last is not waited for: what changes it ends with the workspace. */
const ROUNDS = 10

/** Files at a time: what is written at once, some storages store at once, and all at once would block the page. */
const AT_ONCE = 100

/** Copies what has changed since it was copied last. True: something has. */
export type Follow = () => Promise<boolean>

/** Puts all that is in one workspace into another: what its storage cannot keep (links, permission bits) is left out. @throws the signal's reason */
export async function copyWorkspace(from: Workspace, to: Workspace, { signal, tell }: Partial<Task> = {}): Promise<Follow> {
  let seen = await moment(from)
  let files = 0
  const pace = createPace()
  for await (const run of from.walk(from.root, { ignore: false })) {
    const directories = run.filter(({ kind }) => kind === 'dir')
    await Promise.all(directories.map(({ path }) => to.mkdir(from.relative(path))))
    const others = run.flatMap(({ path, kind }) => (kind === 'dir' ? [] : { path, kind }))
    for (let at = 0; at < others.length; at += AT_ONCE) {
      const some = others.slice(at, at + AT_ONCE)
      await Promise.all(some.map(({ path, kind }) => copyEntry(from, to, path, kind)))
      files += some.length
      tell?.(plural(files, 'file'))
      await pace()
      signal?.throwIfAborted()
    }
  }

  async function follow(): Promise<boolean> {
    const now = await moment(from)
    const { changes } = await from.diff(seen, now)
    for (const { path, after } of changes) if (!after) await to.remove(from.relative(path), { recursive: true }).catch(ignoreMissing)
    for (const { path, after } of changes) {
      if (after?.kind === 'dir') await to.mkdir(from.relative(path), { parents: true })
      else if (after) await copyEntry(from, to, path, after.kind)
    }
    seen = now
    return changes.length > 0
  }

  // Programs go on meanwhile.
  for (let round = 0; round < ROUNDS && (await follow()); round++) signal?.throwIfAborted()
  return follow
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
