import type { CommandResult, Context, DescriptorEntry } from '../library-types.js'
import type { Frame } from './frames.js'

interface Copy {
  readonly context: Context
  readonly frame: Frame | undefined
  readonly fd: 1 | 2
}

/** Maximum number of copies. Beyond this, the oldest copies that belong to ended frames are dropped. */
const MAX_COPIES = 10_000

/**
 * Copies of the standard streams, which `3>&1` creates. Output to a copy goes to the target that the stream had when it was copied. The
 * library sees the copies as files, with names that no script can write.
 */
export class StreamCopies {
  readonly #copies = new Map<string, Copy>()
  readonly #names = new WeakMap<object, string>()
  readonly #top = {}
  readonly #print: (copy: Copy, result: CommandResult) => Promise<void>
  #count = 0

  constructor(print: (context: Context, frame: Frame | undefined, result: CommandResult) => Promise<void>) {
    this.#print = ({ context, frame }, result) => print(context, frame, result)
  }

  /** Returns the entry to store instead of `entry` in a descriptor above 2. */
  of(context: Context, entry: DescriptorEntry): DescriptorEntry {
    const { kind, sourceFd: fd } = entry
    if (kind !== 'dup-out' || (fd !== 1 && fd !== 2)) return entry
    const { frame } = context.place
    const key = frame ?? this.#top
    const name = this.#names.get(key) ?? `\0stream ${++this.#count} `
    this.#names.set(key, name)
    const path = `${name}${fd}`
    this.#copies.set(path, { context, frame, fd })
    if (this.#copies.size > MAX_COPIES) for (const [oldest, copy] of this.#copies) if (copy.frame) return this.#without(oldest, path)
    return { kind: 'output', path, append: true }
  }

  /** Returns the entry of a standard stream that is restored from its own copy (`exec 1>&3`). */
  original(context: Context, fd: number, entry: DescriptorEntry | undefined): DescriptorEntry | undefined {
    const copy = entry?.path === undefined ? undefined : this.#copies.get(entry.path)
    return copy && copy.fd === fd && copy.frame === context.place.frame ? { kind: 'dup-out', sourceFd: fd } : undefined
  }

  /** Prints a text on a copy. Returns undefined if the path is not a copy. */
  write(path: string, text: string, binary: boolean): Promise<void> | undefined {
    const copy = path.startsWith('\0') ? this.#copies.get(path) : undefined
    if (!copy) return undefined
    const [stdout, stderr] = copy.fd === 1 ? [text, ''] : ['', text]
    return this.#print(copy, { stdout, stderr, exitCode: 0, stdoutKind: binary ? 'bytes' : 'text' })
  }

  #without(oldest: string, path: string): DescriptorEntry {
    this.#copies.delete(oldest)
    return { kind: 'output', path, append: true }
  }
}
