import { required } from '../../../errors/required.js'
import type { CreateRuntimeOptions } from '../../../runtime/compose-runtime.js'
import type { Host } from '../../../types/host.js'
import { attached, type CassetteStart } from './attach.js'
import { CassetteError } from './difference.js'
import { parseCassette, printCassette, type RecordedEvent } from './format.js'
import { type AskedModel, recordedModel, recordedModelFetch } from './model.js'
import { Tape, type TapeMode } from './tape.js'

/** Where the text of a cassette is kept. */
export interface CassetteStorage {
  /** Undefined where there is no cassette yet. */
  read(): Promise<string | undefined>
  /** Not called in a replay. */
  write?(text: string): Promise<void>
}

/** Options of `openCassette`. */
export interface CassetteOptions {
  /**
   * `record` records everything again. `replay` sends no real request. `auto` (default) replays an existing cassette, and records a missing
   * one. `update` replays unchanged requests, records the rest, and drops unused entries; it records a cassette with a real clock from the
   * start.
   */
  readonly mode?: 'auto' | TapeMode
  /** Secrets to remove, as texts or patterns, in addition to keys and tokens with well-known names or forms. */
  readonly redact?: readonly (string | RegExp)[]
}

/** A recording of what a runtime and its model have asked, and of the answers. */
export interface Cassette {
  /** What the cassette does: `auto` is decided. */
  readonly mode: TapeMode
  /** A recorded clock and recorded random numbers. `attach` uses it where neither `host` nor `workspace` is passed. */
  readonly host: Host
  /**
   * Options of `createRuntime` with calls, shell, JavaScript, requests, approvals and second models on the cassette.
   *
   * @throws TypeError for a second runtime
   */
  attach(options: CreateRuntimeOptions, start?: CassetteStart): CreateRuntimeOptions
  /** A `fetch` on the cassette, for the client of a model. */
  fetch(real: typeof fetch): typeof fetch
  /** A model of AI SDK, on the cassette. */
  model<Model extends AskedModel>(model: Model): Model
  /**
   * Writes what was recorded.
   *
   * @throws CassetteError for the first difference of a replay, and for entries that nothing has asked for
   */
  close(): Promise<void>
}

const MODES: readonly unknown[] = ['auto', 'record', 'replay', 'update']

/** @throws CassetteError for a cassette that cannot be read, and for `replay` without one; TypeError for another mode */
export async function openCassette(storage: CassetteStorage, { mode = 'auto', redact = [] }: CassetteOptions = {}): Promise<Cassette> {
  if (!MODES.includes(mode))
    throw new TypeError(`Cannot open the cassette: mode "${mode}" does not exist. Pass "auto", "record", "replay" or "update".`)
  const { read } = required('openCassette', 'a storage with read() and write(text)', storage, 'read')
  const text = mode === 'record' ? undefined : await read.call(storage)
  if (text === undefined && mode === 'replay')
    throw new CassetteError('Cannot replay the cassette: it does not exist. Record it with mode "record" or "auto".')
  const recorded = text === undefined ? undefined : parseCassette(text)
  if (!recorded || (mode === 'update' && recorded.header.timed)) return cassetteOf(new Tape('record', undefined, redact), storage, text)
  return cassetteOf(new Tape(mode === 'update' ? 'update' : 'replay', recorded, redact), storage, text)
}

export function cassetteOf(tape: Tape, storage: CassetteStorage, text: string | undefined): Cassette {
  return {
    mode: tape.mode,
    host: tape.clock,
    attach: (options, start = {}) => attached(tape, options, start),
    fetch: (real) => recordedModelFetch(tape, real),
    model: (model) => recordedModel(tape, model),
    async close() {
      const difference = tape.difference ?? tape.unused()
      if (difference) throw difference
      if (tape.mode === 'replay') return
      // A secret may have come in pieces, which are one by now.
      for (const entry of tape.entries) if (entry.events) entry.events = tape.clean(entry.events) as unknown as RecordedEvent[]
      const printed = printCassette(tape)
      if (printed !== text) await storage.write?.(printed)
    },
  }
}
