import { checkJsOptions, type JsSettings, type JsToolGrants } from '../js/options.js'

export interface CustomToolsOptions {
  /** What custom tools may do besides computing. Default: the workspace's files, no `fetch`, no other tools. */
  readonly grants?: JsToolGrants | undefined
  /** Of one call, in milliseconds, at most what is left of it; default 30,000. */
  readonly timeoutMs?: number
}

export interface CustomToolsSettings {
  readonly js: JsSettings
  readonly timeoutMs: number
}

export const TOOLS_DIRECTORY = '.toolport/tools'
const TIMEOUT_MS = 30_000

/** @throws {TypeError} for grants that are none, and for a time that is none */
export function checkCustomOptions({ grants, timeoutMs = TIMEOUT_MS }: CustomToolsOptions): CustomToolsSettings {
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError('Cannot run custom tools: timeoutMs is not a whole number from 1 up')
  return { js: checkJsOptions(grants ? { grants } : {}), timeoutMs }
}
