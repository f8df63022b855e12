import type { CommandContext } from '../shared/command.js'
import { hasErrno } from '../shared/errno.js'
import { pathOf } from '../shared/files.js'

/** Numbers of errors, as WASI has them. */
export const ERRNO = {
  EACCES: 2,
  EBADF: 8,
  EFBIG: 22,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  ENOENT: 44,
  ENOTDIR: 54,
  ENOTTY: 59,
} as const

export type Entry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'directory' }
  | { readonly kind: 'none'; readonly errno: number }

/** Thrown out of the program: this is to be looked at, and the program to begin again. */
export class Unread extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is not here yet`)
    this.path = path
  }
}

/** Of all files that one run reads. */
const MOST_BYTES = 256 * 1024 * 1024
const LIKE_A_PROGRAM = /["|(){}\n]/
const LONGEST = 4096

/** What a run has looked at. A program cannot wait for a file: it ends where it asks for one that is not here, and begins again. */
export class Files {
  readonly #context: CommandContext
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(context: CommandContext) {
    this.#context = context
  }

  /** Those that it will ask for, so that it begins once. */
  async readAhead(args: readonly string[]): Promise<void> {
    const names = args.filter((arg) => arg !== '' && !arg.startsWith('-') && arg.length < LONGEST && !LIKE_A_PROGRAM.test(arg))
    const home = this.#context.exportedEnv?.HOME
    // Where it looks for definitions, each time.
    if (home) names.push(`${home}/.jq`, `${home}/jq/main.jq`)
    for (const path of new Set(names.map((name) => pathOf(this.#context, name)))) await this.read(path)
  }

  async read(path: string): Promise<void> {
    this.#entries.set(path, await this.#look(path))
  }

  /** @throws {Unread} */
  at(name: string): Entry {
    if (name === '') return { kind: 'none', errno: ERRNO.ENOENT }
    const path = pathOf(this.#context, name)
    const found = this.#entries.get(path)
    if (!found) throw new Unread(path)
    return found
  }

  async #look(path: string): Promise<Entry> {
    const { fs } = this.#context
    try {
      const { isDirectory, size } = await fs.stat(path)
      if (isDirectory) return { kind: 'directory' }
      if (this.#bytes + size > MOST_BYTES) return { kind: 'none', errno: ERRNO.EFBIG }
      const bytes = await fs.readFileBuffer(path)
      this.#bytes += bytes.length
      return { kind: 'file', bytes }
    } catch (error) {
      return { kind: 'none', errno: errnoOf(error) }
    }
  }
}

function errnoOf(error: unknown): number {
  for (const code of ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EISDIR', 'EFBIG'] as const) if (hasErrno(error, code)) return ERRNO[code]
  return ERRNO.EIO
}
