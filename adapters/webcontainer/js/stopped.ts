import type { JsResult } from '../../../src/types/js.js'
import type { Stop } from '../../shared/process/stop.js'
import type { Keeper } from '../shell/keeper.js'

/** The answer to a program that was stopped. */
export function stopped(kept: Keeper, stop: Stop): JsResult {
  return { exitCode: null, ...kept.finish(), timedOut: stop.reason === 'timeout', aborted: stop.reason === 'abort' }
}
