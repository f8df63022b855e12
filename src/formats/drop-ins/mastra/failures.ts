import type { Calls } from '../shared/calls.js'
import { explain, failureOf } from '../shared/explaining.js'
import type { MastraErrors } from './types.js'

const CLASSES = {
  EEXIST: 'FileExistsError',
  EISDIR: 'IsDirectoryError',
  ENOTDIR: 'NotDirectoryError',
  ENOTEMPTY: 'DirectoryNotEmptyError',
} as const

interface Subject {
  readonly path: string
  /** The class for a missing path. */
  readonly missing?: 'FileNotFoundError' | 'DirectoryNotFoundError'
}

/** Does some work. @throws an error of Mastra with the text of the runtime; the reason of the signal */
type Guarded = <Result>(subject: Subject, work: () => Promise<Result>) => Promise<Result>

export function guarding(calls: Calls, errors: MastraErrors, outer: (path: string) => string): Guarded {
  return async ({ path, missing = 'FileNotFoundError' }, work) => {
    calls.signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (error instanceof errors.FilesystemError) throw error
      const failure = failureOf(calls, error)
      const { code, path: source = path, dest = source } = failure.output
      // A copy or a move reports the path of the step that failed.
      const failed = outer(String(dest))
      const message = explain(failure, outer).replace(/^Error: /, '')
      const name = code === 'ENOENT' ? missing : CLASSES[code as keyof typeof CLASSES]
      if (name === undefined) throw new errors.FilesystemError(message, code, failed)
      throw Object.assign(new errors[name](failed), { message })
    }
  }
}
