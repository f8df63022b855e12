import { FsError } from '../errors/index.js'
import type { FsStat } from '../types/fs.js'
import { makeAside, type Storage } from './aside.js'
import { joinPath } from './paths.js'
import { Slicer } from './slicer.js'
import { IS_OTHER } from './state.js'
import type { VirtualFs } from './virtual-fs.js'

/** What copying one entry costs, in the slicer's measure. */
const STEPS = 16

/** Copies what may be copied: a file or link over a file or link, a directory to where nothing is. What a failure leaves is removed. */
export async function copyEntry(
  storage: Storage,
  from: string,
  to: string,
  stat: FsStat,
  replaced: FsStat | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { fs, host } = storage
  if (stat.kind !== 'dir') {
    const make = async (at: string): Promise<void> => (stat.kind === 'file' ? fs.copy(from, at) : fs.symlink(await fs.readlink(from), at))
    // A link is not copied over, nor through.
    const isReplaced = replaced && (stat.kind === 'symlink' || replaced.kind === 'symlink')
    return isReplaced ? makeAside(storage, to, make) : make(to)
  }
  try {
    await copyDirectory(fs, from, to, new Slicer(host, { signal }), signal)
  } catch (error) {
    // Best effort: the first error is the one to tell.
    await fs.rmTree(to).catch(() => undefined)
    throw error
  }
}

async function copyDirectory(fs: VirtualFs, from: string, to: string, slicer: Slicer, signal: AbortSignal | undefined): Promise<void> {
  await fs.mkdir(to)
  for (const { name, kind } of await fs.readdir(from)) {
    signal?.throwIfAborted()
    const [source, dest] = [joinPath(from, name), joinPath(to, name)]
    if (kind === 'dir') await copyDirectory(fs, source, dest, slicer, signal)
    else if (kind === 'file') await fs.copy(source, dest)
    else if (kind === 'other') throw new FsError({ code: 'ENOTSUP', op: 'copy', path: source, dest, detail: IS_OTHER })
    else await fs.symlink(await fs.readlink(source), dest)
    if (slicer.due(STEPS)) await slicer.pause()
  }
}
