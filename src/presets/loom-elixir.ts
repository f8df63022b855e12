import type { Preset } from '../types/preset.js'
import { fileEdit } from './loom-elixir/file-edit.js'
import { fileRead } from './loom-elixir/file-read.js'
import { fileWrite } from './loom-elixir/file-write.js'
import { renderFailure, renderInvalid, renderUnknown, toWire } from './loom-elixir/words.js'

/** A call may take so long. */
const DEADLINE_MS = 60_000
/** Most source files come whole; of a longer one, `file_read` shows the lines that fit. */
const OUTPUT_BYTES = 1024 * 1024

/**
 * `file_read`, `file_write` and `file_edit` of Loom (Elixir). A call has 60 s, and a model reads 1 MiB of a result at the most.
 * `toWire` gives `{ok: text}` or `{error: text}`.
 */
export function loomElixir(): Preset {
  return {
    name: 'loom-elixir',
    tools: [fileRead, fileWrite, fileEdit],
    validation: 'lenient',
    renderInvalid,
    renderUnknown,
    renderFailure,
    toWire,
    limits: { deadlineMs: DEADLINE_MS, outputBytes: OUTPUT_BYTES },
  }
}
