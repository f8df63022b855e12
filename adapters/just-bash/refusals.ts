import { FsError, type FsErrorCode } from '../../src/errors/index.js'
import { ERROR_WORDS } from './commands/shared/errno.js'

/** Maximum number of remembered paths. */
const MAX_NAMES = 1000

/** Error codes for which the library's commands have their own words. For other codes they print the message. */
const BY_NAME: ReadonlySet<FsErrorCode> = new Set<FsErrorCode>(['ENOENT', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EINVAL', 'ELOOP'])

/** Returns an error with GNU's wording. Its cause is the original error. */
function inWords(error: FsError): FsError {
  const { code, op, path } = error
  const told = new FsError({ code, op, path, cause: error })
  told.message = ERROR_WORDS[code] ?? error.message
  return told
}

/** Returns a helpful message for an error of the JavaScript engine, whose own message does not help the author of a script. */
export function engineWords(error: unknown): string | undefined {
  if (!(error instanceof RangeError)) return undefined
  if (/call stack/i.test(error.message)) return 'an expression or a word nests too deeply: write it in parts'
  return /string length/i.test(error.message) ? 'a text is longer than this runtime can hold: work on it in parts' : undefined
}

/** Records why files could not be opened or written, in bash's wording. */
export class Refusals {
  /** Maps an absolute path to the spelling that the script last used. */
  readonly #names = new Map<string, string>()
  /** Maps an error to the path of the call, because the error itself names the target of a symlink. */
  readonly #called = new WeakMap<object, string>()
  /** Message of the last error. */
  #last: string | undefined
  readonly #refused: { readonly path: string; readonly words: string }[] = []

  named(path: string, name: string): void {
    if (this.#names.size >= MAX_NAMES) this.#names.clear()
    this.#names.set(path, name)
  }

  /** Converts an error for the library's commands. Remembers the path of the call. */
  failed(path: string, error: unknown): unknown {
    if (!FsError.is(error)) return error
    const told = BY_NAME.has(error.code) ? error : inWords(error)
    this.#called.set(told, path)
    this.#last = ERROR_WORDS[error.code]
    return told
  }

  /** Words an error like the end of a bash message: `path: No such file or directory`. */
  inBashWords(error: unknown): string {
    if (FsError.is(error)) {
      const path = this.#called.get(error) ?? error.path
      return `${this.#names.get(path) ?? path}: ${ERROR_WORDS[error.code] ?? error.message}`
    }
    const words = engineWords(error)
    if (words !== undefined) return words
    return error instanceof Error ? error.message : String(error)
  }

  /** Records that a file could not be opened for output, because for descriptors above 2 the library omits the reason. */
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

  /** Removes and returns the words of the first record for this name. Records hold absolute paths; `target` is spelled as in the script. */
  #take(target: string): string | undefined {
    const name = target.slice(target.lastIndexOf('/') + 1)
    const index = this.#refused.findIndex(({ path }) => path.endsWith(name))
    return this.#refused.splice(Math.max(0, index), 1)[0]?.words
  }
}
