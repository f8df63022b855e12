import type { FsStat } from '../../types/fs.js'
import { parentPath } from '../paths.js'
import { contents, versionOf } from '../state.js'
import type { Lower } from './lower.js'

export const ABSENT = 'absent'
/** The stamp of a moved entry. The entry keeps showing its current state in the lower storage, so only a change of its kind counts. */
const MOVED = 'moved'

/** The state of an entry of the lower storage when the overlay first hid, replaced or removed it. */
export class Stamps {
  readonly #stamps = new Map<string, string>()

  get(path: string): string | undefined {
    return this.#stamps.get(path)
  }

  /** Records a stamp. The first stamp of a path counts, but replaces the stamp of a move. */
  note(path: string, stamp: string): void {
    const known = this.#stamps.get(path)
    if (known === undefined || known.startsWith(MOVED)) this.#stamps.set(path, stamp)
  }

  noteMoved(path: string, { kind }: Pick<FsStat, 'kind'>): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, `${MOVED} ${kind}`)
  }

  /** Records a new version of the same content, after a failed commit restored it. */
  renew(path: string, stamp: string): void {
    const known = this.#stamps.get(path)
    if (known !== undefined && !known.startsWith(MOVED) && kindOf(known) === kindOf(stamp)) this.#stamps.set(path, stamp)
  }

  /** Removes a stamp, because the entry shows through again. */
  drop(path: string): void {
    this.#stamps.delete(path)
  }

  /** Whether an entry without a stamp is part of a moved tree. */
  isInMoved(path: string): boolean {
    return this.#nearest(path)?.startsWith(MOVED) ?? false
  }

  /** Whether an entry is in a directory that the overlay created, and so was never seen. */
  isInMade(path: string): boolean {
    return this.#nearest(path) === ABSENT
  }

  #nearest(path: string): string | undefined {
    for (let at = path; ; at = parentPath(at)) {
      const stamp = this.#stamps.get(at)
      if (stamp !== undefined || at === '/') return stamp
    }
  }

  clear(): void {
    this.#stamps.clear()
  }
}

/** Maximum size in bytes of a file that is read only for a stamp. */
const MOST_READ = 1024 * 1024

/**
 * Returns the stamp of an entry: the parts that must stay equal for the entry to count as unchanged. For a directory only the kind, because
 * others may change its content. If `content` is known, a new time or mode, or a write of equal bytes, is not a change.
 */
export async function stampOf(lower: Lower, path: string, stat: FsStat, content?: Uint8Array): Promise<string> {
  if (stat.kind === 'dir') return 'dir'
  if (stat.kind === 'symlink') return `symlink ${await lower.readlink(path)}`
  const stamp = `file ${stat.mode ?? ''} ${stat.size} ${versionOf(stat)}`
  return content ? `${stamp} ${await digestOf(content)}` : stamp
}

/** Reads the content of a file for its stamp. Undefined: the file is too long or unreadable, or changed meanwhile. */
export async function contentThen(lower: Lower, path: string, stat: FsStat): Promise<Uint8Array | undefined> {
  if (stat.kind !== 'file' || stat.size > MOST_READ) return undefined
  const content = await lower.read(path).catch(() => undefined)
  const after = content && (await lower.find(path).catch(() => undefined))
  return after?.kind === 'file' && versionOf(after) === versionOf(stat) ? content : undefined
}

async function digestOf(content: Uint8Array): Promise<string> {
  const digest = (await contents()).contentDigest()
  digest.add(content)
  return digest.end()
}

/** Returns why the current entry (`stat`; undefined: no entry) differs from the stamp. Undefined: the entry is unchanged. */
export async function differs(lower: Lower, path: string, expected: string, stat: FsStat | undefined): Promise<string | undefined> {
  const now = stat ? await stampOf(lower, path, stat) : ABSENT
  if (expected === now) return undefined
  if (!stat) return 'it was removed meanwhile'
  if (expected === ABSENT) return 'it was created meanwhile'
  if (expected.startsWith(MOVED)) return expected.slice(MOVED.length + 1) === kindOf(now) ? undefined : 'its type changed meanwhile'
  if (kindOf(expected) !== kindOf(now)) return 'its type changed meanwhile'
  return stat.kind === 'file' && (await hasContent(lower, path, stat, expected)) ? undefined : 'it was changed meanwhile'
}

async function hasContent(lower: Lower, path: string, stat: FsStat, expected: string): Promise<boolean> {
  const [, , size, version, digest] = expected.split(' ')
  if (Number(size) !== stat.size) return false
  if (version === versionOf(stat)) return true
  return digest !== undefined && digest === (await digestOf(await lower.read(path)))
}

/** Returns the permission bits in the stamp of a file. */
export function modeIn(stamp: string | undefined): number | undefined {
  const [kind, mode] = stamp?.split(' ') ?? []
  return kind === 'file' && mode ? Number(mode) : undefined
}

const kindOf = (stamp: string): string => stamp.split(' ', 1)[0] ?? stamp
