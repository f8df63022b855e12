import { plural } from '../format.js'
import type { Workspace } from '../session.js'
import type { Task } from './task-bar.js'

/** Puts all that is in one workspace into another: what its storage cannot keep (links, permission bits) is left out. @throws the signal's reason */
export async function copyWorkspace(from: Workspace, to: Workspace, { signal, tell }: Partial<Task> = {}): Promise<void> {
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
}

async function copyEntry(from: Workspace, to: Workspace, path: string, kind: 'file' | 'symlink'): Promise<void> {
  const place = from.relative(path)
  if (kind === 'symlink') {
    if (to.fs.symlink) await to.symlink(await from.readlink(path), place)
    return
  }
  const { bytes } = await from.readBytes(path)
  await to.writeBytes(place, bytes)
  const { mode } = await from.lstat(path)
  if (mode !== undefined && to.fs.can.mode && isExecutable(mode)) await to.setMeta(place, { mode })
}

const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0
