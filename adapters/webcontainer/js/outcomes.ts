import { JsError, ShellError } from '../../../src/errors/index.js'
import type { JsResult } from '../../../src/types/js.js'
import type { Stop } from '../../shared/process/stop.js'
import type { Keeper } from '../shell/keeper.js'

/** Throws the {JsError} about the program that corresponds to a {ShellError} about a command. Rethrows any other error. */
export function failToStart(error: unknown): never {
  if (!(error instanceof ShellError)) throw error
  const code = error.code === 'unavailable' ? 'unavailable' : 'spawn_failed'
  throw new JsError(code, error.message.replace('the command', 'the program'), { cause: error.cause })
}

/** Returns the result of a program that was stopped. */
export function stopped(kept: Keeper, stop: Stop): JsResult {
  return { exitCode: null, ...kept.finish(), timedOut: stop.reason === 'timeout', aborted: stop.reason === 'abort' }
}
