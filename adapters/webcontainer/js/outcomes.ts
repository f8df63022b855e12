import { JsError, ShellError } from '../../../src/errors/index.js'

/** Throws the {JsError} about the program that corresponds to a {ShellError} about a command. Rethrows any other error. */
export function failToStart(error: unknown): never {
  if (!(error instanceof ShellError)) throw error
  const code = error.code === 'unavailable' ? 'unavailable' : 'spawn_failed'
  throw new JsError(code, error.message.replace('the command', 'the program'), { cause: error.cause })
}
