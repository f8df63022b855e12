import { hasCode } from '../../../errors/index.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import type { FsAdapter } from '../../../types/fs.js'
import type { Host } from '../../../types/host.js'
import { isInReadOnlyMount } from '../../mounts/mounted-storages.js'
import type { Difference, State } from '../engine.js'
import { mayBeSame } from '../entry-state.js'
import { blobName, readBlob } from './blobs.js'
import { IgnoredThen } from './ignore-history.js'
import type { Manifest, ScannedEntry } from './manifest.js'
import { type Seen, see } from './scan-tree.js'

const AT_ONCE = 8

/**
 * Compares two checkpoints. If only one of them has an entry because the other's ignore rules excluded that path, this is not a difference.
 */
export async function compareManifests(fs: FsAdapter, host: Host, from: Manifest, to: Manifest): Promise<Difference[]> {
  const found: Difference[] = []
  const [ignoredBefore, ignoredAfter] = [from, to].map((manifest) => ignoredIn(fs, host, manifest)) as [IgnoredThen, IgnoredThen]
  for (const path of bothPaths(fs, from.entries, to.entries)) {
    const [before, after] = [from.entries.get(path), to.entries.get(path)]
    const isSame = before?.blob === after?.blob && mayBeSame(before && stateOf(before), after && stateOf(after))
    if (isSame) continue
    if (!before && (await ignoredBefore.has(path, after?.kind === 'dir'))) continue
    if (!after && (await ignoredAfter.has(path, before?.kind === 'dir'))) continue
    found.push({ path, ...(before && { before: stateOf(before) }), ...(after && { after: stateOf(after) }) })
  }
  return found
}

/**
 * Compares a checkpoint with the current tree. `seen` has the entries of a walk. Entries in the checkpoint that ignore rules exclude now
 * are looked up one by one.
 */
export async function compareNow(
  fs: FsAdapter,
  host: Host,
  from: Manifest,
  seen: ReadonlyMap<string, Seen>,
  first: boolean,
): Promise<Difference[]> {
  const found: Difference[] = []
  const ignored = ignoredIn(fs, host, from)
  const spelled = fs.can.caseSensitive ? undefined : new Set([...seen.keys()].map((path) => path.toLowerCase()))
  await forEachLimited(bothPaths(fs, from.entries, seen), first ? 1 : AT_ONCE, async (path) => {
    if (first && found.length > 0) return
    const before = from.entries.get(path)
    // If `seen` has the path in another spelling, that is a different entry, so do not look this one up.
    const now = seen.get(path) ?? (spelled?.has(path.toLowerCase()) ? undefined : await see(fs, path))
    if (before ? await isSame(fs, path, before, now) : !now || (await ignored.has(path, now.kind === 'dir'))) return
    found.push({ path, ...(before && { before: stateOf(before) }), ...(now && { after: stateNow(now) }) })
  })
  return found
}

async function isSame(fs: FsAdapter, path: string, before: ScannedEntry, now: Seen | undefined): Promise<boolean> {
  if (!now || !mayBeSame(stateOf(before), stateNow(now))) return false
  if (before.kind !== 'file' || (before.version !== undefined && before.version === now.version)) return true
  try {
    return (await blobName(await fs.read(path))) === before.blob
  } catch (error) {
    // Somebody removed the entry meanwhile, or it became unreadable.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES')) return false
    throw error
  }
}

function ignoredIn(fs: FsAdapter, host: Host, manifest: Manifest): IgnoredThen {
  return new IgnoredThen(manifest, host, (blob, path) => readBlob(fs, blob, path))
}

/** Returns the paths of both sides, without paths in read-only mounts: a mount may have become read-only since. */
function bothPaths(fs: FsAdapter, a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => !isInReadOnlyMount(fs, path))
}

export function stateOf({ kind, size, mode, target }: ScannedEntry): State {
  return { kind, size, ...(mode !== undefined && { mode }), ...(target !== undefined && { target }) }
}

function stateNow({ version, ...entry }: Seen): State {
  return { ...stateOf(entry), ...(version !== undefined && { version }) }
}
