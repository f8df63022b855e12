import type { JsonValue } from '../../../types/tool.js'
import { CassetteError } from './difference.js'

/** `model`: a request to the model that runs the loop. `complete`: a request of a tool to the model port. */
const KINDS = ['call', 'model', 'complete', 'fetch', 'shell', 'js', 'process', 'approval', 'memory', 'preview', 'build', 'time'] as const

const FIELDS: readonly string[] = ['kind', 'asked', 'answered', 'failed', 'changed', 'events', 'tick', 'beside', 'at', 'until']

/** The kind of operation that an entry records. */
export type EntryKind = (typeof KINDS)[number]

/** A file in a cassette: its text, an object for binary content, a link or a directory, or null for a removed file. */
export type RecordedFile =
  | string
  | null
  | { readonly text?: string; readonly base64?: string; readonly dir?: true; readonly link?: string; readonly mode?: number }

/** Maps paths relative to the root to files. */
export type RecordedFiles = Readonly<Record<string, RecordedFile>>

/** An effect of a program or a process, in order of occurrence. */
export interface RecordedEvent {
  /** Files that changed since the previous event. */
  readonly changed?: RecordedFiles
  /** A tool call or a request that the program made through its grants. */
  readonly invoke?: JsonValue
  readonly fetch?: JsonValue
  /** For a process: how many times an entry had begun or ended before the event. */
  readonly tick?: number
  readonly stdout?: string
  readonly stderr?: string
  readonly exit?: JsonValue
}

/** One line of a cassette: a request and its outcome. */
export interface Entry {
  readonly kind: EntryKind
  readonly asked: JsonValue
  answered?: JsonValue
  /** The error, if the operation failed. */
  failed?: JsonValue
  changed?: RecordedFiles
  events?: RecordedEvent[]
  /** For a time entry: how many times an entry had begun or ended before. */
  tick?: number
  /** For a top-level call: true if another top-level call was still running when this call began. */
  beside?: true
  /** Milliseconds from the start of the recording to the start (`at`) and the end (`until`) of the operation. */
  at?: number
  until?: number
}

/** The first line of a cassette: the initial state of the recording. */
export interface Header {
  readonly cassette: 1
  /** Start time of the recorded clock, in milliseconds since the epoch. */
  now: number
  /** True if the recording used the real clock; absent for a deterministic clock. */
  timed?: true
  /** Seed of the random numbers. */
  seed: number
  root?: string
  /** The initial files, if they were passed to `attach`. */
  files?: RecordedFiles
  /** Describes the adapters of the recording. A replay needs no adapters. */
  ports?: Readonly<Partial<Record<PortName, RecordedAdapter>>>
}

export type PortName = 'shell' | 'js' | 'fetch' | 'model' | 'memory' | 'preview' | 'bundler'

export interface RecordedAdapter {
  readonly name?: string
  readonly can?: object
  /** Whether the adapter has `spawn`. */
  readonly spawn?: boolean
  /** Whether the adapter has `screenshot`. */
  readonly screenshot?: boolean
}

export interface CassetteText {
  readonly header: Header
  readonly entries: readonly Entry[]
  /** The numbers of the lines that do not match their checksum (`sum`), because someone edited them after the recording. */
  readonly edited: readonly number[]
}

const START = '{"cassette"'
/** The last line of a cassette. If it is missing, the file is truncated or was recorded by an older version. */
const END = '{"end":true}'

/** @throws CassetteError for text that is not a cassette of a supported version, and for a cassette without its last line */
export function parseCassette(text: string): CassetteText {
  if (typeof text !== 'string') throw new TypeError('Cannot read the cassette: pass its text.')
  const [first = '', ...others] = text.split('\n')
  if (others.at(-1) === '') others.pop()
  const edited: number[] = []
  const unsigned = (line: { readonly sum?: unknown }, number: number): object => {
    const { sum, ...content } = line
    if (sum !== undefined && sum !== sumOf(content)) edited.push(number)
    return content
  }
  const header = unsigned(parseLine(first, 1, others.length === 0 && START.startsWith(first.slice(0, START.length))), 1) as Header
  if (header.cassette !== 1) {
    const version = JSON.stringify(header.cassette ?? null)
    throw new CassetteError(
      `Cannot read the cassette: expected {"cassette":1,...} on line 1, got version ${version}. Record it again with mode "record".`,
    )
  }
  if (others.at(-1)?.trim() !== END) throw cutOff(others.length + 1, text.endsWith('\n'))
  const entries = others.slice(0, -1).map((line, index) => {
    const entry = unsigned(parseLine(line, index + 2), index + 2) as Entry
    const unknown = Object.keys(entry).find((field) => !FIELDS.includes(field))
    if (unknown !== undefined)
      throw new CassetteError(
        `Cannot read line ${index + 2} of the cassette: the field "${unknown}" is unknown. Remove it, or record again.`,
        index + 2,
      )
    if (!KINDS.includes(entry.kind) || entry.asked === undefined)
      throw new CassetteError(`Cannot read line ${index + 2} of the cassette: expected an entry with "kind" and "asked".`, index + 2)
    return entry
  })
  return { header, entries, edited }
}

/** Adds a checksum to each line, so that a replay can name lines that were edited. */
export const printCassette = ({ header, entries }: Pick<CassetteText, 'header' | 'entries'>): string =>
  [...[header, ...entries].map((line) => JSON.stringify({ ...line, sum: sumOf(line) })), END, ''].join('\n')

/** The 32-bit FNV-1a hash of the JSON text. Finds accidental edits; does not protect against forgery. */
function sumOf(line: object): string {
  let hash = 0x811c9dc5
  for (const char of JSON.stringify(line)) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function cutOff(line: number, isWhole: boolean): CassetteError {
  const where = isWhole ? `after line ${line}, or an older version recorded it` : `in line ${line}`
  const more = isWhole ? ` If the file is complete, append the line ${END}.` : ''
  return new CassetteError(
    `Cannot read the cassette: the file is cut off ${where}, since ${END} is not its last line. Restore the file from version control, or record it again with mode "record".${more}`,
    line,
  )
}

function parseLine(line: string, number: number, isCutOff = false): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Ignored: the check below reports the error.
  }
  if (isCutOff) throw cutOff(number, false)
  throw new CassetteError(`Cannot read line ${number} of the cassette: expected a JSON object. Fix the line, or record again.`, number)
}
