import { JsError, ShellError } from '../../../src/errors/index.js'

/** What is thrown for commands, for programs. */
export function failToStart(error: unknown): never {
  if (!(error instanceof ShellError)) throw error
  const code = error.code === 'unavailable' ? 'unavailable' : 'spawn_failed'
  throw new JsError(code, error.message.replace('the command', 'the program'), { cause: error.cause })
}
