import type { JsonValue } from '../../../types/tool.js'
import { CassetteError } from './difference.js'

/** `model`: an exchange with the model that runs the loop; `complete`: with the second one that tools may ask. */
const KINDS = ['call', 'model', 'complete', 'fetch', 'shell', 'js', 'process', 'approval', 'memory', 'preview', 'build', 'time'] as const

/** What an entry is about. */
export type EntryKind = (typeof KINDS)[number]

/** A file as a cassette has it: its text, or an object for everything else; null where it was removed. */
export type RecordedFile =
  | string
  | null
  | { readonly text?: string; readonly base64?: string; readonly dir?: true; readonly link?: string; readonly mode?: number }

/** By path relative to the root. */
export type RecordedFiles = Readonly<Record<string, RecordedFile>>

/** What a program or a process did besides its answer, in order. */
export interface RecordedEvent {
  /** Files that changed since the event before. */
  readonly changed?: RecordedFiles
  /** A call of a tool, or a request, by a program through its grants. */
  readonly invoke?: JsonValue
  readonly fetch?: JsonValue
  /** Of a process: how many entries had begun or ended when it came. */
  readonly tick?: number
  readonly stdout?: string
  readonly stderr?: string
  readonly exit?: JsonValue
}

/** One line: what was asked, and what came of it. */
export interface Entry {
  readonly kind: EntryKind
  readonly asked: JsonValue
  answered?: JsonValue
  /** The error that was thrown. */
  failed?: JsonValue
  changed?: RecordedFiles
  events?: RecordedEvent[]
  /** Of a time: how many entries had begun or ended. */
  tick?: number
  /** Of a call: it began before the one before it had ended. */
  beside?: true
  /** Milliseconds since the start of the recording: when it began, and ended. */
  at?: number
  until?: number
}

/** The first line: what the recording started from. */
export interface Header {
  readonly cassette: 1
  /** Of the recorded clock, in milliseconds since the epoch. */
  now: number
  /** Whether the clock was the real one; else a deterministic one. */
  timed?: true
  /** Of the recorded random numbers. */
  seed: number
  root?: string
  /** The files at the start, where the recorder was told. */
  files?: RecordedFiles
  /** The adapters that were there. A replay needs none. */
  ports?: Readonly<Partial<Record<PortName, RecordedAdapter>>>
}

export type PortName = 'shell' | 'js' | 'fetch' | 'model' | 'memory' | 'preview' | 'bundler'

export interface RecordedAdapter {
  readonly name?: string
  readonly can?: object
  /** Whether it has `spawn`. */
  readonly spawn?: boolean
  /** Whether it has `screenshot`. */
  readonly screenshot?: boolean
}

export interface CassetteText {
  readonly header: Header
  readonly entries: readonly Entry[]
}

/** @throws CassetteError for text that is no cassette of a version that this package reads */
export function parseCassette(text: string): CassetteText {
  if (typeof text !== 'string') throw new TypeError('Cannot read the cassette: pass its text.')
  const [first, ...others] = text.split('\n').filter((line, index, all) => line !== '' || index < all.length - 1)
  const header = parseLine(first ?? '', 1) as Header
  if (header.cassette !== 1) {
    const version = JSON.stringify(header.cassette ?? null)
    throw new CassetteError(
      `Cannot read the cassette: expected {"cassette":1,...} on line 1, got version ${version}. Record it again with mode "record".`,
    )
  }
  const entries = others.map((line, index) => {
    const entry = parseLine(line, index + 2) as Entry
    if (!KINDS.includes(entry.kind) || entry.asked === undefined)
      throw new CassetteError(`Cannot read line ${index + 2} of the cassette: expected an entry with "kind" and "asked".`, index + 2)
    return entry
  })
  return { header, entries }
}

export const printCassette = ({ header, entries }: CassetteText): string =>
  [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')

function parseLine(line: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Answered below.
  }
  throw new CassetteError(`Cannot read line ${number} of the cassette: expected a JSON object. Fix the line, or record again.`, number)
}
