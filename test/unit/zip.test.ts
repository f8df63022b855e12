// @module-tag archives
import { strToU8, zipSync } from 'fflate'
import { readZip, writeZip } from 'toolport/adapters/zip'
import { type ArchiveEntry, collectBytes, entryBytes } from 'toolport/archive'
import { describe, expect, it } from 'vitest'
import { cut, dir, file, flat, link, print, text, utf8 } from './archive-support.js'

const write = (entries: Iterable<ArchiveEntry>, options = {}): Promise<Uint8Array> => collectBytes(writeZip(entries, options))
const read = async (bytes: Uint8Array, options = {}): ReturnType<typeof flat> => flat(await readZip(bytes, options))

const tree: readonly ArchiveEntry[] = [
  dir('a', { mode: 0o700 }),
  file('a/run', '#!/bin/sh\n'.repeat(50), { mode: 0o755 }),
  file('a/日本 é', 'ü', { mtimeMs: 1_600_000_000_000 }),
  file('empty'),
  link('l', 'a/run'),
]

/** A copy in which these bytes are replaced at all, the first or the last of their positions. */
function patched(bytes: Uint8Array, find: Uint8Array, replace: Uint8Array, places: 'all' | 'first' | 'last' = 'all'): Uint8Array {
  const copy = bytes.slice()
  const found: number[] = []
  for (let at = 0; at + find.length <= copy.length; at++) if (find.every((byte, i) => copy[at + i] === byte)) found.push(at)
  expect(found.length).toBeGreaterThan(0)
  for (const at of places === 'all' ? found : [places === 'first' ? found[0] : found.at(-1)]) copy.set(replace, at as number)
  return copy
}

/** Changes bytes of the first local header and of the first record in the central directory. */
function fields(bytes: Uint8Array, local: Record<number, number>, central: Record<number, number> = {}): Uint8Array {
  const copy = bytes.slice()
  const start = new DataView(copy.buffer).getUint32(copy.length - 6, true)
  for (const [at, value] of Object.entries(local)) copy[Number(at)] = value
  for (const [at, value] of Object.entries(central)) copy[start + Number(at)] = value
  return copy
}

/** The content of the first entry, in parts. */
async function contentOf(bytes: Uint8Array): Promise<AsyncIterable<Uint8Array>> {
  const [entry] = await readZip(bytes)
  return entry?.content as AsyncIterable<Uint8Array>
}

describe('zip', () => {
  it('keeps entries in a round trip', async () => {
    const entries = await read(await write(tree))
    expect(entries.map(({ bytes, mode, ...rest }) => ({ ...rest, mode: mode?.toString(8), text: text(bytes).slice(0, 9) }))).toEqual([
      { path: 'a', kind: 'dir', mode: '700', size: 0, text: '' },
      { path: 'a/run', kind: 'file', mode: '755', size: 500, text: '#!/bin/sh' },
      { path: 'a/日本 é', kind: 'file', mode: '644', size: 2, text: 'ü' },
      { path: 'empty', kind: 'file', mode: '644', size: 0, text: '' },
      { path: 'l', kind: 'symlink', mode: undefined, size: 0, target: 'a/run', text: '' },
    ])
  })

  it('has pinned bytes, the same in every runtime', async () => {
    const bytes = await write(tree)
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    expect([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(
      '42388b98b77f2080f085d0997629e95fa7123e91d7a7ce9feeef9ce50cdcc8f3',
    )
  })

  it('stores what does not shrink, or everything on request', async () => {
    const content = 'x'.repeat(1000)
    expect((await write([file('a', content)])).length).toBeLessThan(200)
    const stored = await write([file('a', content)], { level: 0 })
    expect(text(stored)).toContain(content)
    expect(text((await read(stored))[0]?.bytes)).toBe(content)
  })

  it('reads streams and zips of other programs', async () => {
    const bytes = zipSync({ 'a.txt': strToU8('hello hello hello'), 'd/e.txt': [strToU8('x'), { level: 0 }], 'f/': new Uint8Array(0) })
    const entries = await flat(await readZip(cut(bytes, [5, 0, 100])))
    expect(entries.map(({ path, kind, bytes }) => [path, kind, text(bytes)])).toEqual([
      ['a.txt', 'file', 'hello hello hello'],
      ['d/e.txt', 'file', 'x'],
      ['f', 'dir', ''],
    ])
  })

  it('inflates large files in parts, and rejects more bytes than declared', async () => {
    const noise = new Uint8Array(700_000)
    for (let i = 0, state = 1; i < noise.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      noise[i] = (state >>> 16) & 31
    }
    const bytes = await write([file('noise', noise)])
    expect(bytes.length).toBeLessThan(600_000)
    expect((await read(bytes)).map((entry) => print(entry.bytes))).toEqual([print(noise)])
    let parts = 0
    for await (const part of await contentOf(bytes)) parts += part.length > 0 ? 1 : 0
    expect(parts).toBeGreaterThan(5)
    const lying = fields(bytes, { 24: 5 }, { 26: 5 })
    let given = 0
    const reading = async (): Promise<void> => {
      for await (const part of await contentOf(lying)) given += part.length
    }
    await expect(reading()).rejects.toThrow('has more bytes where its size says')
    expect(given).toBeLessThanOrEqual(0x5ffff)
    await expect(read(fields(bytes, { 600: 0, 601: 0, 602: 0, 603: 0 }))).rejects.toMatchObject({ details: { entry: 'noise' } })
  })

  it.each([
    [
      'a zip by zipfile',
      'UEsDBC0AAAAIAAAAIQAlilvJ//////////8FABQAYS50eHQBABAAKAAAAAAAAAAGAAAAAAAAAEtMJA4AAFBLAQItAy0AAAAIAAAAIQAlilvJBgAAACgAAAAFAAAAAAAAAAAAAACAAQAAAABhLnR4dFBLBQYAAAAAAQABADMAAAA9AAAAAAA=',
    ],
    [
      'a zip by zipfile, written to a pipe',
      'UEsDBC0ACAAIAAAAIQAAAAAA//////////8FABQAYS50eHQBABAAAAAAAAAAAAAAAAAAAAAAAEtMJA4AAFBLBwglilvJBgAAAAAAAAAoAAAAAAAAAFBLAQItAy0ACAAIAAAAIQAlilvJBgAAACgAAAAFAAAAAAAAAAAAAACAAQAAAABhLnR4dFBLBQYAAAAAAQABADMAAABVAAAAAAA=',
    ],
  ])('reads zip64 fields for sizes: %s, force_zip64', async (_, base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const [entry] = await readZip(bytes)
    expect(text(await entryBytes(entry as ArchiveEntry))).toBe('a'.repeat(40))
    await expect(
      readZip(patched(bytes, Uint8Array.of(40, 0, 0, 0, 0, 0), Uint8Array.of(41, 0, 0, 0, 0, 0), 'first')),
    ).rejects.toMatchObject({
      details: { reason: 'corrupt', entry: 'a.txt' },
    })
  })

  it('reads empty zip64 end records and piped content: Info-ZIP, `zip out.zip -`', async () => {
    const base64 =
      'UEsDBC0AAAAAAHo7e12lhW5I//////////8BABQALQEAEAACAAAAAAAAAAIAAAAAAAAAQQpQSwECHgMtAAAAAAB6O3tdpYVuSAIAAAACAAAAAQAAAAAAAAABAAAAgBEAAAAALVBLBgYsAAAAAAAAAB4DLQAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAAAvAAAAAAAAADUAAAAAAAAAUEsGBwAAAABkAAAAAAAAAAEAAABQSwUGAAAAAAEAAQAvAAAANQAAAAAA'
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const [entry] = await readZip(bytes)
    expect(entry).toMatchObject({ path: '-', kind: 'file', size: 2, mode: 0o600 })
    expect(text(await entryBytes(entry as ArchiveEntry))).toBe('A\n')
    // Signature, record size, both counts, size and offset of the directory, and the locator's offset.
    for (const at of [0x64, 0x68, 0x7c, 0x84, 0x8c, 0x94, 0xa4]) {
      const lying = bytes.slice()
      lying[at] = (lying[at] as number) + 1
      await expect(readZip(lying), `byte ${at}`).rejects.toMatchObject({ details: { reason: 'unsupported' } })
    }
  })

  it('reads empty archives and comments, and content repeatedly', async () => {
    expect(await read(await write([]))).toEqual([])
    const bytes = await write([file('a', 'one one one')])
    const commented = await collectBytes([bytes.subarray(0, -2), Uint8Array.of(3, 0), utf8('abc')])
    const [entry] = await readZip(commented)
    for (let i = 0; i < 2; i++) expect(text(await entryBytes(entry as ArchiveEntry))).toBe('one one one')
  })
})

describe('backslashes in zip names', () => {
  /** `system` is the system that created the entry: 3 is Unix, 0 FAT, 10 NTFS. */
  const named = async (name: string, system: number, type?: number): Promise<Uint8Array> => {
    const bytes = await write([file('x'.repeat(name.length), name.endsWith('\\') ? '' : 'content'), file('z', 'other')])
    const attributes: Record<number, number> = type === undefined ? {} : { 41: type }
    return fields(patched(bytes, utf8('x'.repeat(name.length)), utf8(name)), {}, { 5: system, ...attributes })
  }

  it.each([0, 10, 14])('are separators if the archive was created on system %i', async (system) => {
    expect((await read(await named('dir\\in\\f', system))).map(({ path, kind }) => [path, kind])).toEqual([
      ['dir/in/f', 'file'],
      ['z', 'file'],
    ])
    expect((await read(await named('dir\\', system)))[0]).toMatchObject({ path: 'dir', kind: 'dir' })
    await expect(read(await named('..\\me', system))).rejects.toMatchObject({ message: expect.stringMatching(/leaves the archive/) })
    await expect(read(await named('\\server', system))).rejects.toMatchObject({ message: expect.stringMatching(/absolute/) })
    await expect(read(await named('C:\\x', system))).rejects.toMatchObject({ message: expect.stringMatching(/drive letter/) })
  })

  it('are characters elsewhere, and such entries and devices can be left out', async () => {
    for (const bytes of [await named('a\\b', 3), await named('dev', 3, 0x21)]) {
      const left: string[] = []
      const onSkipped = (path: string): unknown => left.push(path)
      expect((await read(bytes, { special: 'skip', onSkipped })).map(({ path }) => path)).toEqual(['z'])
      expect(left).toHaveLength(1)
      await expect(read(bytes)).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })
})

describe('zip rejects', () => {
  const refused = async (bytes: Uint8Array, message: RegExp, details: object = {}): Promise<void> => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message), details })
  }
  const one = (): Promise<Uint8Array> => write([file('name.txt', 'some content')])

  it.each([
    ['../me.txt', /leaves the archive/],
    ['/ame.txt', /absolute/],
    ['a\\me.txt', /backslash/],
    ['C:/e.txt', /drive letter/],
    ['a\0me.txt', /NUL/],
  ])('the name %j', async (name, message) => {
    const bytes = await write([file('x'.repeat(name.length), 'some content')])
    await refused(patched(bytes, utf8('x'.repeat(name.length)), utf8(name)), message, { reason: 'name' })
  })

  it('names that differ between entry and central directory', async () => {
    const bytes = await one()
    await refused(patched(bytes, utf8('name.txt'), utf8('evil.txt'), 'first'), /different name/, { reason: 'corrupt', entry: 'name.txt' })
    await refused(patched(bytes, utf8('name.txt'), utf8('evil.txt'), 'last'), /different name/, { entry: 'evil.txt' })
  })

  it('differing flags, methods, checksums and sizes', async () => {
    const bytes = await one()
    await refused(fields(bytes, { 6: 2 }), /different flags/)
    await refused(fields(bytes, { 8: 8 }), /different method/)
    await refused(fields(bytes, { 14: 1 }), /different checksum/)
    await refused(fields(bytes, { 18: 1 }), /different size/)
    await refused(fields(bytes, { 22: 1 }), /different size/)
  })

  it('encryption, zip64, other methods and split archives', async () => {
    const bytes = await one()
    await refused(fields(bytes, { 6: 1 }, { 8: 1 }), /"name.txt" is encrypted/, { reason: 'unsupported' })
    await refused(fields(bytes, { 8: 12 }, { 10: 12 }), /method 12/)
    await refused(fields(bytes, {}, { 24: 255, 25: 255, 26: 255, 27: 255 }), /zip64/)
    const split = bytes.slice()
    split[split.length - 18] = 1
    await refused(split, /split/)
  })

  it('duplicate names, and devices', async () => {
    const two = await write([file('a', '1'), file('b', '2')])
    await refused(patched(two, utf8('b'), utf8('a')), /twice/, { reason: 'collision' })
    await refused(fields(await one(), {}, { 41: 0x21 }), /device/)
    await refused(fields(await one(), {}, { 41: 0x41 }), /directory with content/)
  })

  it('content with a wrong checksum or size when it is read', async () => {
    const bytes = await one()
    await refused(patched(bytes, utf8('some'), utf8('same')), /does not fit its checksum/, { reason: 'corrupt', entry: 'name.txt' })
    const deflated = await write([file('zeros', new Uint8Array(1000))])
    const smaller = fields(deflated, { 22: 100, 23: 0 }, { 24: 100, 25: 0 })
    await refused(smaller, /more bytes where its size says 100/)
    const larger = fields(deflated, { 22: 0, 23: 8 }, { 24: 0, 25: 8 })
    await refused(larger, /has 1000 bytes where its size says 2048/)
    await refused(fields(deflated, { 35: 0xff, 36: 0xff, 37: 0xff }), /cannot be inflated/)
  })

  it('overlapping entries, gaps, and leading bytes', async () => {
    const bytes = await write([file('a', 'same'), file('b', 'same')])
    const view = new DataView(bytes.buffer)
    const start = view.getUint32(bytes.length - 6, true)
    const overlapping = bytes.slice()
    new DataView(overlapping.buffer).setUint32(start + 47 + 42, 0, true)
    await refused(overlapping, /does not begin where/)
    await refused(await collectBytes([utf8('MZ'), bytes]), /not at the offset in its end record/)
    await refused(await collectBytes([bytes, utf8('x')]), /cut off, or other data follows/)
  })

  it('other formats and truncated archives', async () => {
    await refused(utf8('hello'), /not a zip archive/, { reason: 'format' })
    await refused(new Uint8Array(0), /not a zip archive/)
    const bytes = await write(tree)
    for (let length = 4; length < bytes.length; length += 7) {
      await refused(bytes.subarray(0, length), /cut off|not a zip/)
    }
  })

  it('entries above the limits, without inflating', async () => {
    const bytes = await write([file('a', 'x'.repeat(100)), file('b', 'y'.repeat(200))])
    await expect(read(bytes, { limits: { entries: 1 } })).rejects.toMatchObject({ code: 'EFBIG' })
    await expect(read(bytes, { limits: { fileBytes: 199 } })).rejects.toMatchObject({ code: 'EFBIG', path: 'b' })
    await expect(read(bytes, { limits: { bytes: 299 } })).rejects.toMatchObject({ code: 'EFBIG' })
    await expect(readZip(cut(bytes, [10]), { limits: { bytes: 100 } })).rejects.toMatchObject({ code: 'EFBIG' })
    const bomb = await write([file('zeros', new Uint8Array(40 * 1024 * 1024))], { level: 9 })
    await expect(readZip(bomb)).rejects.toMatchObject({ code: 'EFBIG', message: expect.stringContaining('200 times') })
  })

  it('writing a duplicate path or one that leads outside', async () => {
    await expect(write([file('a'), file('a')])).rejects.toThrow('twice')
    await expect(write([file('../a')])).rejects.toThrow('leaves the archive')
    await expect(write([{ ...file('a', 'x'), size: 2 }])).rejects.toThrow('size says 2')
  })

  it('a read after an abort is rejected', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(write(tree, { signal })).rejects.toThrow('enough')
    await expect(readZip(await one(), { signal })).rejects.toThrow('enough')
  })
})
