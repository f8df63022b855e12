import type { FsStat } from '../types/fs.js'
import type { Host } from '../types/host.js'
import { joinPath } from './paths.js'
import { Slicer } from './slicer.js'
import type { VirtualFs } from './virtual-fs.js'

/** What copying one entry costs, in the slicer's measure. */
const STEPS = 16

/** Copies what may be copied: a file or link over a file or link, a directory to where nothing is. What a failure leaves is removed. */
export async function copyEntry(
  { fs, host }: { readonly fs: VirtualFs; readonly host: Host },
  from: string,
  to: string,
  stat: FsStat,
  replaced: FsStat | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  // A link is not copied over, nor through.
  if (replaced && (stat.kind === 'symlink' || replaced.kind === 'symlink')) await fs.unlink(to)
  if (stat.kind === 'file') return fs.copy(from, to)
  if (stat.kind === 'symlink') return fs.symlink(await fs.readlink(from), to)
  try {
    await copyDirectory(fs, from, to, new Slicer(host, signal), signal)
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
    else await fs.symlink(await fs.readlink(source), dest)
    if (slicer.due(STEPS)) await slicer.pause()
  }
}
