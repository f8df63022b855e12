import { type ArchiveEntry, collectBytes, entryBytes } from 'toolport/archive'
import fc from '../fast-check.js'

const encoder = new TextEncoder()
export const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
export const utf8 = (content: string): Uint8Array => encoder.encode(content)

/** Length and checksum, because comparing large arrays element by element takes seconds. */
export function print(bytes: Uint8Array): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ (bytes[i] as number), 0x01000193)
  return `${bytes.length}:${sum >>> 0}`
}

/** An entry with its complete content. */
export interface Flat extends Omit<ArchiveEntry, 'content'> {
  readonly bytes: Uint8Array
}

export async function flat(entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>): Promise<Flat[]> {
  const all: Flat[] = []
  for await (const entry of entries) {
    const { content: _, ...rest } = entry
    all.push({ ...rest, bytes: await entryBytes(entry) })
  }
  return all
}

export function file(path: string, content: string | Uint8Array = '', more: Partial<ArchiveEntry> = {}): ArchiveEntry {
  const bytes = typeof content === 'string' ? utf8(content) : content
  return { path, kind: 'file', size: bytes.length, content: bytes, ...more }
}

export const dir = (path: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({ path, kind: 'dir', size: 0, ...more })
export const link = (path: string, target: string): ArchiveEntry => ({ path, kind: 'symlink', size: 0, target })

/** Splits the bytes into parts of these lengths, repeatedly. 0 makes an empty part. */
export async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const steps = lengths.some((length) => length > 0) ? lengths : [1]
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = steps[i % steps.length] as number
    yield bytes.subarray(at, at + length)
    at += length
  }
}

export interface RawHeader {
  readonly name?: string | Uint8Array
  readonly type?: string
  readonly size?: number | Uint8Array
  readonly mode?: string
  readonly mtime?: string
  readonly target?: string
  readonly prefix?: string
  /** Magic and version fields. Default: those of POSIX. */
  readonly magic?: string
  readonly content?: string | Uint8Array
  /** Whether the checksum adds signed bytes. */
  readonly signed?: boolean
  /** Bytes at the very end of the header, as star writes them. */
  readonly tail?: string
}

export const GNU_MAGIC = 'ustar  \0'

/** One header block and its padded content, which may be invalid. */
export function raw(header: RawHeader): Uint8Array {
  const { name = 'file', type = '0', mode = '0000644\0', mtime = '00000000000\0', target = '', prefix = '' } = header
  const { magic = 'ustar\x0000', content = '', signed = false, tail = '' } = header
  const bytes = typeof content === 'string' ? utf8(content) : content
  const size = header.size ?? bytes.length
  const all = new Uint8Array(512 + Math.ceil(bytes.length / 512) * 512)
  all.set(typeof name === 'string' ? utf8(name) : name, 0)
  all.set(utf8(mode), 100)
  all.set(utf8('0000000\x000000000\0'), 108)
  all.set(typeof size === 'number' ? utf8(`${size.toString(8).padStart(11, '0')}\0`) : size, 124)
  all.set(utf8(mtime), 136)
  all.set(utf8(' '.repeat(8)), 148)
  all.set(utf8(type), 156)
  all.set(utf8(target), 157)
  all.set(utf8(magic), 257)
  all.set(utf8(prefix), 345)
  all.set(utf8(tail), 512 - tail.length)
  const sum = all.subarray(0, 512).reduce((before, byte) => before + (signed && byte > 127 ? byte - 256 : byte), 0)
  all.set(utf8(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
  all.set(bytes, 512)
  return all
}

export const END = new Uint8Array(1024)

export function join(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  return collectBytes(parts)
}

/** A tar archive with these headers. */
export const tarOf = (...headers: readonly RawHeader[]): Promise<Uint8Array> => join(...headers.map(raw), END)

const names = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('a', 'b', 'README.md', 'src', '.git', 'x y', 'é', '日本', '😀', '__proto__', '%2e%2e', '...', '-'),
  },
  { weight: 1, arbitrary: fc.constantFrom('n'.repeat(101), 'n'.repeat(255), 'é'.repeat(120)) },
)
const contents = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 700 }) },
  { weight: 1, arbitrary: fc.constantFrom(new Uint8Array(512), new Uint8Array(70_000).fill(7), utf8('x'.repeat(131_073))) },
)

type Node = { readonly mode: number } & (
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'dir' }
  | { readonly kind: 'symlink' }
)

const nodes: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('file' as const), bytes: contents, mode: fc.constantFrom(0o644, 0o755, 0o600) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dir' as const), mode: fc.constantFrom(0o755, 0o700) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('symlink' as const), mode: fc.constant(0o777) }) },
)

/** Entries of a valid tree, sorted by path, including all directories. */
export const trees: fc.Arbitrary<ArchiveEntry[]> = fc
  .array(fc.tuple(fc.array(names, { minLength: 1, maxLength: 4 }), nodes), { maxLength: 12 })
  .map((all) => {
    const entries = new Map<string, ArchiveEntry>()
    for (const [parts, node] of all) {
      const path = parts.join('/')
      const above = parts.map((_, i) => parts.slice(0, i).join('/')).slice(1)
      if (entries.has(path) || above.some((folder) => (entries.get(folder) ?? dir(folder)).kind !== 'dir')) continue
      if (node.kind !== 'dir' && [...entries.keys()].some((other) => other.startsWith(`${path}/`))) continue
      for (const folder of above) if (!entries.has(folder)) entries.set(folder, dir(folder, { mode: 0o755 }))
      if (node.kind === 'file') entries.set(path, file(path, node.bytes, { mode: node.mode }))
      else if (node.kind === 'dir') entries.set(path, dir(path, { mode: node.mode }))
      else entries.set(path, link(path, parts.length > 1 ? '../a' : 'b/c'))
    }
    return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  })

export const cuts: fc.Arbitrary<number[]> = fc.array(fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constant(65_536)), {
  minLength: 1,
  maxLength: 8,
})
