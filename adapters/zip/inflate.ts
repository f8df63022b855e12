import { archiveError } from '../../src/ops/archive/faults.js'
import { crc32 } from '../../src/ops/archive/zip/crc32.js'
import type { ZipRecord } from '../../src/ops/archive/zip/directory.js'
import { DEFLATED } from '../../src/ops/archive/zip/format.js'
import type { Fflate } from './library.js'

/** Inflated at once: a bomb makes a thousand times as much of it before anybody can look. */
const SLICE = 16 * 1024
/** A file up to this size is inflated at once: a stream costs 100 KB of memory each. */
const WHOLE = 256 * 1024

/**
 * The content of a record in parts. Not one byte more than its size says is given.
 *
 * @throws {InputError} `corrupt`: more or fewer bytes than that, another checksum, data that cannot be inflated
 */
export async function* inflated(library: Fflate, record: ZipRecord, data: Uint8Array): AsyncGenerator<Uint8Array> {
  const { name, size, crc } = record
  let length = 0
  let sum = 0
  for (const part of record.method === DEFLATED ? inflate(library, record, data) : [data.slice()]) {
    length += part.length
    if (length > size) throw archiveError('corrupt', `has more bytes where its size says ${size}`, name)
    sum = crc32(part, sum)
    if (part.length > 0) yield part
  }
  if (length < size) throw archiveError('corrupt', `has ${length} bytes where its size says ${size}`, name)
  if (sum !== crc) throw archiveError('corrupt', 'does not fit its checksum', name)
}

function* inflate({ Inflate, inflateSync }: Fflate, { name, size }: ZipRecord, data: Uint8Array): Generator<Uint8Array> {
  const damaged = (): Error => archiveError('corrupt', 'cannot be inflated: its data is damaged', name)
  if (data.length <= SLICE && size <= WHOLE) {
    // What does not fit is dropped, and one byte too many tells that there was more.
    yield attempt(() => inflateSync(data, { out: new Uint8Array(size + 1) }), damaged)
    return
  }
  let parts: Uint8Array[] = []
  const stream = new Inflate((part) => parts.push(part))
  for (let at = 0; at < data.length; at += SLICE) {
    attempt(() => stream.push(data.subarray(at, at + SLICE), at + SLICE >= data.length), damaged)
    yield* parts
    parts = []
  }
}

function attempt<T>(work: () => T, fault: () => Error): T {
  try {
    return work()
  } catch {
    throw fault()
  }
}
