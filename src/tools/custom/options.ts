import type { TrustedTools } from '../../types/trusted-tools.js'
import { checkJsOptions, type JsSettings, type JsToolGrants } from '../js/options.js'

/** What custom tools may do, and for how long. */
export interface CustomToolsOptions {
  /** What custom tools may do besides computing. Default: the workspace's files, no `fetch`, no other tools. */
  readonly grants?: JsToolGrants | undefined
  /** Time limit for one call in milliseconds, at most the remaining time of the call. Default 30,000. */
  readonly timeoutMs?: number
  /**
   * Loads tools into the host's own process, without any sandbox: the workspace's rules, grants, time and memory limits do not apply. Use
   * it only for tools whose authors you trust like the host's, never for an agent's own tools. Default: tools run in the sandbox.
   */
  readonly trusted?: TrustedTools | undefined
}

export interface CustomToolsSettings {
  readonly js: JsSettings
  readonly timeoutMs: number
  readonly trusted?: TrustedTools
}

export const TOOLS_DIRECTORY = '.toolport/tools'
const TIMEOUT_MS = 30_000

/** @throws {TypeError} for invalid grants, for grants with `trusted`, and for an invalid timeout */
export function checkCustomOptions({ grants, timeoutMs = TIMEOUT_MS, trusted }: CustomToolsOptions): CustomToolsSettings {
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError('Cannot run custom tools: timeoutMs must be a whole number of 1 or more')
  if (trusted !== undefined && typeof trusted !== 'function')
    throw new TypeError('Cannot run custom tools: trusted is not a loader. Pass the result of createNodeToolLoader()')
  if (trusted && grants)
    throw new TypeError('Cannot run custom tools: grants do not apply to trusted tools. Pass grants or trusted, not both')
  return { js: checkJsOptions(grants ? { grants } : {}), timeoutMs, ...(trusted && { trusted }) }
}
