import { FsError, type FsErrorCode } from '../../src/errors/index.js'
import { ERROR_WORDS } from './commands/shared/errno.js'

/** Names of paths that are remembered at the most. */
const MAX_NAMES = 1000

/** Errors that the library's commands know by their names. Of others they print the message. */
const BY_NAME: ReadonlySet<FsErrorCode> = new Set<FsErrorCode>(['ENOENT', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EINVAL', 'ELOOP'])

/** The same error, whose message is what a program of GNU would print; the cause says more. */
function inWords(error: FsError): FsError {
  const { code, op, path } = error
  const told = new FsError({ code, op, path, cause: error })
  told.message = ERROR_WORDS[code] ?? error.message
  return told
}

/** Of an error that the engine raises: its own words say nothing that a script could change. */
export function engineWords(error: unknown): string | undefined {
  if (!(error instanceof RangeError)) return undefined
  if (/call stack/i.test(error.message)) return 'an expression or a word nests too deeply: write it in parts'
  return /string length/i.test(error.message) ? 'a text is longer than this runtime can hold: work on it in parts' : undefined
}

/** Why files could not be opened or written, in the words of bash. */
export class Refusals {
  /** How the script last wrote a path. */
  readonly #names = new Map<string, string>()
  /** What was called when an error came: an error names where a link leads. */
  readonly #called = new WeakMap<object, string>()
  /** Of the last error. */
  #last: string | undefined
  readonly #refused: { readonly path: string; readonly words: string }[] = []

  named(path: string, name: string): void {
    if (this.#names.size >= MAX_NAMES) this.#names.clear()
    this.#names.set(path, name)
  }

  /** Gives the error as commands are to have it. */
  failed(path: string, error: unknown): unknown {
    if (!FsError.is(error)) return error
    const told = BY_NAME.has(error.code) ? error : inWords(error)
    this.#called.set(told, path)
    this.#last = ERROR_WORDS[error.code]
    return told
  }

  /** An error of the filesystem, or whatever else, as bash would end its line. */
  inBashWords(error: unknown): string {
    if (FsError.is(error)) {
      const path = this.#called.get(error) ?? error.path
      return `${this.#names.get(path) ?? path}: ${ERROR_WORDS[error.code] ?? error.message}`
    }
    const words = engineWords(error)
    if (words !== undefined) return words
    return error instanceof Error ? error.message : String(error)
  }

  /** A file could not be opened for output: for descriptors above 2 the library only says that. */
  add(path: string, error: unknown): void {
    this.#refused.push({ path, words: (FsError.is(error) ? ERROR_WORDS[error.code] : undefined) ?? 'Input/output error' })
  }

  explain(given: string): string {
    const text = given.replace(/^split: failed to write output$/gm, (line) => (this.#last === undefined ? line : `${line}: ${this.#last}`))
    if (this.#refused.length === 0) return text
    return text.replace(/^bash: (.*): cannot open redirect target$/gm, (line, target: string) => {
      const words = this.#take(target)
      return words === undefined ? line : `bash: ${target}: ${words}`
    })
  }

  /** The first one of this name; the paths are absolute, the names as the script has them. */
  #take(target: string): string | undefined {
    const name = target.slice(target.lastIndexOf('/') + 1)
    const index = this.#refused.findIndex(({ path }) => path.endsWith(name))
    return this.#refused.splice(Math.max(0, index), 1)[0]?.words
  }
}
