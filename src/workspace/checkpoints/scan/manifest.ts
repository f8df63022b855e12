import { FsError } from '../../../errors/index.js'
import type { Checkpoint } from '../../../types/checkpoint.js'
import type { FileKind } from '../../../types/fs.js'
import { parseCheckpoint } from '../checkpoint-record.js'

/** An entry of a scanned tree. */
export interface ScannedEntry {
  readonly kind: FileKind
  readonly size: number
  readonly mode?: number
  /** The target of a link. */
  readonly target?: string
  /** For a file: the same version means the same content. Absent: the file was too new for a reliable version. */
  readonly version?: string
  /** For a file: the name under which its content is stored. */
  readonly blob?: string
}

export interface Manifest {
  readonly checkpoint: Checkpoint
  /** Entries by adapter path, including `/`. */
  readonly entries: ReadonlyMap<string, ScannedEntry>
}

const FORMAT = 1
const encoder = new TextEncoder()
const decoder = new TextDecoder()

type Rest = readonly [kind: FileKind, size: number, mode: number | null, version: string | null, contents: string | null]
type Row = readonly [path: string, ...Rest]

/**
 * Encodes a manifest as one JSON value per line: the record, the entries, and the number of entries, which proves that the manifest is
 * complete.
 */
export function encodeManifest({ checkpoint, entries }: Manifest): Uint8Array {
  const lines = [JSON.stringify({ format: FORMAT, ...checkpoint })]
  for (const [path, { kind, size, mode, target, version, blob }] of entries) {
    const row: Row = [path, kind, size, mode ?? null, version ?? null, blob ?? target ?? null]
    lines.push(JSON.stringify(row))
  }
  lines.push(String(entries.size), '')
  return encoder.encode(lines.join('\n'))
}

/** @throws {FsError} EIO: damaged; ENOTSUP */
export function decodeManifest(id: string, bytes: Uint8Array): Manifest {
  const lines = decoder.decode(bytes).split('\n')
  const checkpoint = decodeHead(id, lines[0] as string)
  if (!checkpoint || lines.at(-1) !== '' || lines.at(-2) !== String(lines.length - 3)) throw damaged(id)
  const entries = new Map<string, ScannedEntry>()
  try {
    for (let i = 1; i < lines.length - 2; i++) {
      const [path, ...rest] = JSON.parse(lines[i] as string) as Row
      entries.set(path, decodeEntry(rest))
    }
  } catch {
    throw damaged(id)
  }
  return { checkpoint, entries }
}

function decodeEntry([kind, size, mode, version, contents]: Rest): ScannedEntry {
  return {
    kind,
    size,
    ...(mode !== null && { mode }),
    ...(version !== null && { version }),
    ...(contents !== null && (kind === 'file' ? { blob: contents } : { target: contents })),
  }
}

/** Reads the checkpoint from the first line of its manifest; undefined: damaged. @throws {FsError} ENOTSUP: a later version made it */
export function decodeHead(id: string, line: string): Checkpoint | undefined {
  return parseCheckpoint(id, line, FORMAT, '/')
}

function damaged(id: string): FsError {
  return new FsError({ code: 'EIO', op: 'read', path: '/', detail: `the list of the checkpoint ${id} is damaged` })
}
