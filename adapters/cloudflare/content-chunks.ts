import type { Database } from './database.js'
import { Fault } from './faults.js'
import { CHUNK_BYTES, CHUNKS } from './queries.js'

const keyOf = (id: number, chunk: number): number => id * CHUNKS + chunk
const chunksIn = (size: number): number => Math.ceil(size / CHUNK_BYTES)

/** Returns the bytes from `start` to `end`, which must lie inside the file. Reads only the chunks that contain these bytes. */
export function readRange(db: Database, id: number, start: number, end: number): Uint8Array {
  const firstChunk = Math.floor(start / CHUNK_BYTES)
  if (end <= start) return new Uint8Array(0)
  if (end <= (firstChunk + 1) * CHUNK_BYTES) return readPart(db, id, firstChunk, start, end)
  const bytes = new Uint8Array(end - start)
  for (let chunk = firstChunk; chunk * CHUNK_BYTES < end; chunk++) {
    const from = Math.max(start, chunk * CHUNK_BYTES)
    bytes.set(readPart(db, id, chunk, from, Math.min(end, (chunk + 1) * CHUNK_BYTES)), from - start)
  }
  return bytes
}

function readPart(db: Database, id: number, chunk: number, start: number, end: number): Uint8Array {
  const skip = start - chunk * CHUNK_BYTES
  // `substr` of SQLite counts from 1.
  const [bytes] = db.first(db.queries.chunkPart, skip + 1, end - start, keyOf(id, chunk))
  if (!(bytes instanceof ArrayBuffer) || bytes.byteLength !== end - start) throw new Fault('EIO', 'a part of its content is missing')
  return new Uint8Array(bytes)
}

/** Replaces the content of a file. `oldSize`: number of bytes of the replaced content. */
export function writeChunks(db: Database, id: number, bytes: Uint8Array, oldSize: number): void {
  const count = chunksIn(bytes.length)
  if (count > CHUNKS) throw new Fault('EFBIG')
  for (let chunk = 0; chunk < count; chunk++) {
    db.exec(db.queries.putChunk, keyOf(id, chunk), bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES))
  }
  if (chunksIn(oldSize) > count) db.exec(db.queries.dropChunks, keyOf(id, count), keyOf(id, CHUNKS - 1))
}

/** Appends bytes: fills the last chunk of the file, then adds further chunks. */
export function appendChunks(db: Database, id: number, bytes: Uint8Array, oldSize: number): void {
  const full = Math.floor(oldSize / CHUNK_BYTES)
  const rest = readRange(db, id, full * CHUNK_BYTES, oldSize)
  const count = chunksIn(rest.length + bytes.length)
  if (full + count > CHUNKS) throw new Fault('EFBIG')
  for (let chunk = 0; chunk < count; chunk++) {
    const start = chunk * CHUNK_BYTES - rest.length
    const tail = bytes.subarray(Math.max(0, start), start + CHUNK_BYTES)
    db.exec(db.queries.putChunk, keyOf(id, full + chunk), chunk === 0 ? joined(rest, tail) : tail)
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  if (head.length === 0) return tail
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/** Copies the chunks of one file to another, inside the database. The target file must have no chunks. */
export function copyChunks(db: Database, from: number, to: number): void {
  db.exec(db.queries.copyChunks, keyOf(to, 0) - keyOf(from, 0), keyOf(from, 0), keyOf(from, CHUNKS - 1))
}

export function dropChunks(db: Database, id: number): void {
  db.exec(db.queries.dropChunks, keyOf(id, 0), keyOf(id, CHUNKS - 1))
}
