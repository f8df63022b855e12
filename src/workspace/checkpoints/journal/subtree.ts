import { ignoreCodes } from '../../../errors/index.js'
import { systemHost } from '../../../host.js'
import type { FsAdapter, FsEntry } from '../../../types/fs.js'
import { joinPath } from '../../paths.js'
import { isReserved } from '../engine.js'
import { listIfAny } from '../folders.js'

/** The walk yields to the event loop after this many entries: promises that are always ready never yield by themselves. */
const RUN = 2000

/**
 * Lists the entry at `path` and everything below it except the reserved folder. A directory comes before its content. Empty for a missing
 * entry.
 */
export async function subtree(fs: FsAdapter, path: string): Promise<string[]> {
  const paths: string[] = []
  const folders: string[] = []
  const add = (one: string, kind: FsEntry['kind']): void => {
    paths.push(one)
    if (kind === 'dir') folders.push(one)
  }
  const kind = await kindOf(fs, path)
  if (kind) add(path, kind)
  let turn = RUN
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await listIfAny(fs, folder)) {
      const one = joinPath(folder, entry.name)
      if (folder !== '/' || !isReserved(one, fs.can.caseSensitive)) add(one, entry.kind)
    }
    if (paths.length < turn) continue
    turn = paths.length + RUN
    await systemHost.yield()
  }
  return paths
}

async function kindOf(fs: FsAdapter, path: string): Promise<FsEntry['kind'] | undefined> {
  return (await fs.lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ELOOP')))?.kind
}
