import { required } from '../../../errors/required.js'
import type { CreateRuntimeOptions } from '../../../runtime/compose-runtime.js'
import type { Host } from '../../../types/host.js'
import { attached, type CassetteStart } from './attach.js'
import { CassetteError } from './difference.js'
import { parseCassette, printCassette } from './format.js'
import { type AskedModel, recordedModel, recordedModelFetch } from './model.js'
import { Tape, type TapeMode } from './tape.js'

/** The storage for the text of a cassette. */
export interface CassetteStorage {
  /** Returns undefined if there is no cassette yet. */
  read(): Promise<string | undefined>
  /** Writes the text. A replay does not write. */
  write?(text: string): Promise<void>
}

/** Options of `openCassette`. */
export interface CassetteOptions {
  /**
   * `record` records everything again. `replay` sends no real request. `auto` (default) replays an existing cassette, and records a missing
   * one. `update` replays unchanged requests, records changed ones, and drops unused entries. If the recorded clock was real, `update`
   * records the whole cassette again.
   */
  readonly mode?: 'auto' | TapeMode
  /** Secrets to remove, as strings or patterns. Keys and tokens with well-known names or formats are always removed. */
  readonly redact?: readonly (string | RegExp)[]
}

/** A recording of the requests of a runtime and its model, with the answers. */
export interface Cassette {
  /** The mode in use; never `auto`. */
  readonly mode: TapeMode
  /** A clock and random numbers that are the same in each replay. `attach` uses this host if the options have no `host` or `workspace`. */
  readonly host: Host
  /**
   * Returns options for `createRuntime`. The runtime then records or replays calls, shell commands, JavaScript, requests, approvals, and
   * the adapters `model`, `memory`, `preview` and `bundler`.
   *
   * @throws TypeError for a second runtime
   */
  attach(options: CreateRuntimeOptions, start?: CassetteStart): CreateRuntimeOptions
  /** Wraps the `fetch` of a model's client, to record or replay its requests. */
  fetch(real: typeof fetch): typeof fetch
  /** Wraps a model of AI SDK, to record or replay its requests. */
  model<Model extends AskedModel>(model: Model): Model
  /**
   * Writes the recording.
   *
   * @throws CassetteError for the first difference of a replay, for entries that the replay did not use, and for a value that cannot be
   * recorded
   */
  close(): Promise<void>
}

const MODES: readonly unknown[] = ['auto', 'record', 'replay', 'update']

/** @throws CassetteError for an unreadable cassette, and for `replay` without a cassette; TypeError for an unknown mode */
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
      const difference = tape.close()
      if (difference) throw difference
      if (tape.mode === 'replay') return
      tape.finish()
      const printed = printCassette(tape)
      if (printed !== text) await storage.write?.(printed)
    },
  }
}
