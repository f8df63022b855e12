import { joinBytes } from '../../src/ops/bytes.js'
import { Fault } from '../shared/fault.js'
import { answer } from '../shared/idb-requests.js'
import type { PartStep } from './change.js'
import type { Part } from './nodes.js'

/**
 * Maximum bytes of a part, so that a range of a large file can be read without the rest. Browsers also reject values of several hundred
 * MiB.
 */
export const PART_BYTES: number = 4 * 1024 * 1024

/** Copies bytes into pieces with buffers of their own: for a view, the browser would store the whole buffer. */
export function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += PART_BYTES) pieces.push(new Uint8Array(bytes.subarray(start, start + PART_BYTES)))
  return pieces
}

/** Reads the bytes from `start` to `end`, which must lie inside the content. */
export async function readParts(open: () => IDBObjectStore, parts: readonly Part[], start: number, end: number): Promise<Uint8Array> {
  const found: { readonly at: number; readonly bytes: Promise<Uint8Array> }[] = []
  if (end > start) {
    const store = open()
    let at = 0
    for (const part of parts) {
      if (at < end && at + part.size > start) found.push({ at, bytes: readPart(store, part) })
      at += part.size
    }
  }
  const loaded = await Promise.all(found.map(async ({ at, bytes }) => ({ at, bytes: await bytes })))
  const [only] = loaded
  if (loaded.length === 1 && only)
    return only.at === start && only.bytes.length === end - start ? only.bytes : only.bytes.slice(start - only.at, end - only.at)
  const bytes = new Uint8Array(Math.max(0, end - start))
  for (const part of loaded) {
    const skip = Math.max(0, start - part.at)
    bytes.set(part.bytes.subarray(skip, end - part.at), part.at + skip - start)
  }
  return bytes
}

async function readPart(store: IDBObjectStore, { id, size }: Part): Promise<Uint8Array> {
  const bytes: unknown = await answer(store.get(id))
  if (!(bytes instanceof Uint8Array) || bytes.length !== size) throw new Fault('EIO', 'a part of its content is missing')
  return bytes
}

/** Runs the steps in order, because a step may use the results of earlier steps. */
export async function doSteps(store: IDBObjectStore, steps: Iterable<PartStep>): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'put') store.put(step.bytes, step.id)
    else if (step.kind === 'drop') store.delete(step.id)
    else store.put(await join(store, step.from, step.bytes), step.id)
  }
}

async function join(store: IDBObjectStore, from: readonly Part[], tail: Uint8Array = new Uint8Array(0)): Promise<Uint8Array> {
  const loaded = await Promise.all(from.map((part) => readPart(store, part)))
  return joinBytes([...loaded, tail])
}
