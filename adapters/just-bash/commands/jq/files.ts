import type { CommandContext } from '../shared/command.js'
import { hasErrno } from '../shared/errno.js'
import { pathOf } from '../shared/files.js'

/** WASI error numbers. */
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

/** Thrown to end the program, so that the file can be loaded and the program restarted. */
export class Unread extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is not here yet`)
    this.path = path
  }
}

/** Maximum total size of the files in one run. */
const MOST_BYTES = 256 * 1024 * 1024
const LIKE_A_PROGRAM = /["|(){}\n]/
const LONGEST = 4096

/**
 * Files that were loaded for a run. WebAssembly cannot wait for a file. So the program ends at a missing file and restarts when the file is
 * loaded.
 */
export class Files {
  readonly #context: CommandContext
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(context: CommandContext) {
    this.#context = context
  }

  /** Loads the files that the program will probably read, to avoid restarts. */
  async readAhead(args: readonly string[]): Promise<void> {
    const names = args.filter((arg) => arg !== '' && !arg.startsWith('-') && arg.length < LONGEST && !LIKE_A_PROGRAM.test(arg))
    const home = this.#context.exportedEnv?.HOME
    // jq looks for definitions in these files on every run.
    if (home) names.push(`${home}/.jq`, `${home}/jq/main.jq`)
    for (const path of new Set(names.map((name) => pathOf(this.#context, name)))) await this.read(path)
  }

  async read(path: string): Promise<void> {
    this.#entries.set(path, await this.#look(path))
  }

  /** @throws {Unread} if the file is not loaded */
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
