import type { Preset } from '../types/preset.js'
import type { Limits } from '../types/tool.js'
import { bash } from './loom/bash.js'
import { editFile } from './loom/edit-file.js'
import { listFiles } from './loom/list-files.js'
import { oracle } from './loom/oracle.js'
import { toOutcome } from './loom/outcome.js'
import { readFile } from './loom/read-file.js'
import { renderFailure, renderInvalid, renderUnknown } from './loom/tool-error.js'
import { type LoomWebSearch, webSearchTools } from './loom/web-search.js'

export type { LoomOutcome, LoomToolMessage } from './loom/outcome.js'
export { toolMessage } from './loom/outcome.js'
export type { LoomToolError } from './loom/tool-error.js'
export type { LoomWebSearch } from './loom/web-search.js'

/** Options of the preset `loom`. */
export interface LoomOptions {
  /** The search proxy, which enables `web_search` and `web_search_serper`. No proxy is built in. */
  readonly webSearch?: LoomWebSearch
}

/** The limits allow a command of 300 s, and 1 MiB of contents or two outputs of 256 KiB, even if JSON escapes every character. */
const LIMITS: Partial<Limits> = { deadlineMs: 310_000, outputBytes: 8 * 1024 * 1024, shellStreamBytes: 256 * 1024 }

/**
 * Creates the preset with `read_file`, `list_files`, `edit_file`, `bash` and `oracle`, and with a search proxy also `web_search` and
 * `web_search_serper`. Results are plain fields. A failure is one of nine errors. `toWire` returns `{Success: {call_id, output}}` or
 * `{Error: {call_id, error}}`.
 *
 * @throws {TypeError} for an invalid proxy URL
 */
export function loom({ webSearch }: LoomOptions = {}): Preset {
  return {
    name: 'loom',
    tools: [readFile, listFiles, editFile, bash, oracle, ...(webSearch ? webSearchTools(webSearch) : [])],
    validation: 'strict',
    renderInvalid,
    renderUnknown,
    renderFailure,
    toWire: toOutcome,
    limits: LIMITS,
  }
}
