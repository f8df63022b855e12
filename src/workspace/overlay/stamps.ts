import type { FsStat } from '../../types/fs.js'
import { parentPath } from '../paths.js'
import { versionOf } from '../state.js'
import type { Lower } from './lower.js'

export const ABSENT = 'absent'
/** Whatever is there goes along to where it was moved; only its kind counts. */
const MOVED = 'moved'

/** What an entry of the lower storage was like when it was first hidden, replaced or removed. */
export class Stamps {
  readonly #stamps = new Map<string, string>()

  get(path: string): string | undefined {
    return this.#stamps.get(path)
  }

  /** The first one counts; a move leaves open what is there. */
  note(path: string, stamp: string): void {
    const known = this.#stamps.get(path)
    if (known === undefined || known.startsWith(MOVED)) this.#stamps.set(path, stamp)
  }

  noteMoved(path: string, { kind }: Pick<FsStat, 'kind'>): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, `${MOVED} ${kind}`)
  }

  /** The content is the same as it was, under a new version: what was put back after a failure. */
  renew(path: string, stamp: string): void {
    const known = this.#stamps.get(path)
    if (known !== undefined && !known.startsWith(MOVED) && kindOf(known) === kindOf(stamp)) this.#stamps.set(path, stamp)
  }

  /** It shows through again. */
  drop(path: string): void {
    this.#stamps.delete(path)
  }

  /** Whether an entry that has no stamp is part of something that was moved. */
  isInMoved(path: string): boolean {
    return this.#nearest(path)?.startsWith(MOVED) ?? false
  }

  /** Whether an entry is in a directory that was made here, and so was never seen. */
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

/** What has to be the same for nobody to have changed it. Of directories only that they are some: others may change what is in them. */
export async function stampOf(lower: Lower, path: string, stat: FsStat): Promise<string> {
  if (stat.kind === 'dir') return 'dir'
  if (stat.kind === 'symlink') return `symlink ${await lower.readlink(path)}`
  return `file ${versionOf(stat)} ${stat.size} ${stat.mode ?? ''}`
}

/** Why what is there now is not what was there then; undefined: it is. */
export function differs(expected: string, now: string): string | undefined {
  if (expected === now) return undefined
  if (now === ABSENT) return 'it was removed meanwhile'
  if (expected === ABSENT) return 'it was made meanwhile'
  if (expected.startsWith(MOVED)) return expected.slice(MOVED.length + 1) === kindOf(now) ? undefined : 'it became something else meanwhile'
  return kindOf(expected) === kindOf(now) ? 'it was changed meanwhile' : 'it became something else meanwhile'
}

const kindOf = (stamp: string): string => stamp.split(' ', 1)[0] ?? stamp
