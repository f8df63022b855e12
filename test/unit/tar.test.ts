// @module-tag archives
import { type ArchiveEntry, collectBytes, entryBytes, gzip, readArchive, readTar, writeSnapshot, writeTar } from 'toolport/archive'
import { describe, expect, it } from 'vitest'
import { cut, dir, END, file, flat, GNU_MAGIC, join, link, type RawHeader, raw, tarOf, text, utf8 } from './archive-support.js'

const pax = (records: Record<string, string>, type = 'x'): RawHeader => ({
  name: '././@PaxHeader',
  type,
  content: Object.entries(records)
    .map(([key, value]) => record(key, value))
    .join(''),
})

function record(key: string, value: string): string {
  const rest = utf8(` ${key}=${value}\n`).length
  for (let digits = 1; ; digits++) if (String(rest + digits).length === digits) return `${rest + digits} ${key}=${value}\n`
}

const read = async (...headers: readonly RawHeader[]): ReturnType<typeof flat> => flat(readTar(await tarOf(...headers)))
const paths = async (...headers: readonly RawHeader[]): Promise<string[]> => (await read(...headers)).map(({ path }) => path)
const long = `${'d'.repeat(90)}/${'e'.repeat(40)}/${'f'.repeat(60)}.txt`

describe('the tar reader supports', () => {
  it('ustar: kinds, modes, times, contents', async () => {
    const entries = await read(
      { name: 'a/', type: '5', mode: '0000750\0' },
      { name: 'a/f', content: 'hello', mode: '0104755\0', mtime: '00000000012\0' },
      { name: 'a/l', type: '2', target: '../b' },
      { name: 'c', type: '7', content: 'x'.repeat(513) },
    )
    expect(entries.map(({ bytes, ...rest }) => ({ ...rest, content: text(bytes).slice(0, 8) }))).toEqual([
      { path: 'a', kind: 'dir', mode: 0o750, mtimeMs: 0, size: 0, content: '' },
      { path: 'a/f', kind: 'file', mode: 0o755, mtimeMs: 10_000, size: 5, content: 'hello' },
      { path: 'a/l', kind: 'symlink', mode: 0o644, mtimeMs: 0, size: 0, target: '../b', content: '' },
      { path: 'c', kind: 'file', mode: 0o644, mtimeMs: 0, size: 513, content: 'xxxxxxxx' },
    ])
  })

  it('the ustar prefix, but not GNU fields in its place', async () => {
    expect(await paths({ prefix: 'some/folders', name: 'file.txt' })).toEqual(['some/folders/file.txt'])
    expect(await paths({ prefix: '12345670123\x0012345670123\0', name: 'file.txt', magic: GNU_MAGIC })).toEqual(['file.txt'])
    expect(await paths({ prefix: 'folder', name: 'file.txt', tail: 'tar\0' })).toEqual(['folder/file.txt'])
  })

  it('v7: no magic, and a slash for a directory', async () => {
    const entries = await read(
      { name: 'd/', type: '\0', magic: '' },
      { name: 'd/f', type: '\0', magic: '', prefix: 'ignored', content: '1' },
    )
    expect(entries).toMatchObject([
      { path: 'd', kind: 'dir' },
      { path: 'd/f', kind: 'file', size: 1 },
    ])
  })

  it('pax: path, linkpath, size and mtime of the next entry only', async () => {
    const entries = await read(
      pax({ path: long, mtime: '1.5', comment: 'a\nb=c', 'SCHILY.xattr.user': 'é' }),
      { name: 'short', size: 3, content: 'abc' },
      pax({ linkpath: long }),
      { name: 'l', type: '2', target: 'short' },
      pax({ size: '2' }),
      { name: 'sized', size: 0, content: 'xy' },
      { name: 'last' },
    )
    expect(entries).toMatchObject([
      { path: long, mtimeMs: 1500, size: 3 },
      { path: 'l', target: long },
      { path: 'sized', size: 2 },
      { path: 'last', mtimeMs: 0 },
    ])
  })

  it('pax global headers, overridden by later ones and by empty values', async () => {
    const entries = await read(
      pax({ comment: '1234', mtime: '7' }, 'g'),
      { name: 'a' },
      pax({ mtime: '' }),
      { name: 'b', mtime: '00000000001\0' },
      pax({ mtime: '9' }),
      { name: 'c' },
      { name: 'd' },
    )
    expect(entries.map(({ mtimeMs }) => mtimeMs)).toEqual([7000, 1000, 9000, 7000])
  })

  it('GNU long names and link targets', async () => {
    const entries = await read(
      { name: '././@LongLink', type: 'L', content: `${long}\0`, magic: GNU_MAGIC },
      { name: '././@LongLink', type: 'K', content: `${long}\0`, magic: GNU_MAGIC },
      { name: long.slice(0, 100), type: '2', target: long.slice(0, 100), magic: GNU_MAGIC },
      { name: 'next', magic: GNU_MAGIC },
    )
    expect(entries).toMatchObject([{ path: long, kind: 'symlink', target: long }, { path: 'next' }])
  })

  it('sizes in base 256, spaces as zeros, signed checksums, names of 100 bytes', async () => {
    const size = new Uint8Array(12)
    size.set([0x80])
    size[11] = 3
    const full = `${'é'.repeat(10)}${'a'.repeat(80)}`
    expect(await read({ size, content: 'abc' }, { name: 'b', size: utf8('          4 '), content: 'abcd' })).toMatchObject([
      { size: 3 },
      { size: 4 },
    ])
    expect(await paths({ name: full, signed: true })).toEqual([full])
    expect(await paths({ name: full })).toEqual([full])
  })

  it('a leading ./, doubled slashes, and the root itself', async () => {
    expect(await paths({ name: './', type: '5' }, { name: './a//b/./c' })).toEqual(['a/b/c'])
  })

  it('any chunks, and bytes after the end', async () => {
    const bytes = await join(await tarOf({ name: 'a', content: 'x'.repeat(1000) }, { name: 'b', content: 'yy' }), END, utf8('garbage'))
    for (const lengths of [[1], [511], [512], [0, 513, 0], [3, 70_000]]) {
      const entries = await flat(readTar(cut(bytes, lengths)))
      expect(entries.map(({ path, bytes: { length } }) => [path, length])).toEqual([
        ['a', 1000],
        ['b', 2],
      ])
    }
    expect(await flat(readTar(bytes.subarray(0, 3072)))).toHaveLength(2)
  })

  it('streams and lists of parts, and cancels a stream it does not finish', async () => {
    const bytes = await tarOf({ name: 'a', content: '1' }, { name: 'b', content: '2' })
    let cancelled = false
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(bytes.slice(0, 1024)),
        cancel: () => {
          cancelled = true
        },
      })
    for await (const { path } of readTar(stream())) {
      expect(path).toBe('a')
      break
    }
    expect(cancelled).toBe(true)
    expect(await flat(readTar([bytes.subarray(0, 700), bytes.subarray(700)]))).toHaveLength(2)
  })
})

describe('the tar reader rejects', () => {
  const cases: [string, RawHeader[], { reason?: string; entry?: string; code?: string; message?: RegExp }][] = [
    [
      'hard links',
      [{ name: 'a' }, { name: 'b', type: '1', target: 'a' }],
      { reason: 'unsupported', entry: 'b', message: /"b" is a hard link/ },
    ],
    ['character devices', [{ name: 'null', type: '3' }], { reason: 'unsupported', message: /"null" is a character device/ }],
    ['block devices', [{ name: 'sda', type: '4' }], { reason: 'unsupported', message: /block device/ }],
    ['fifos', [{ name: 'pipe', type: '6' }], { reason: 'unsupported', message: /fifo/ }],
    ['GNU sparse files', [{ name: 's', type: 'S' }], { reason: 'unsupported', message: /sparse/ }],
    ['pax sparse files', [pax({ 'GNU.sparse.major': '1' }), { name: 's' }], { reason: 'unsupported', message: /sparse/ }],
    ['unknown types', [{ name: 'q', type: 'Q' }], { reason: 'unsupported', message: /unknown type "Q"/ }],
    ['absolute paths', [{ name: '/etc/passwd' }], { reason: 'name', entry: '/etc/passwd', message: /absolute/ }],
    ['..', [{ name: 'a/../../b' }], { reason: 'name', entry: 'a/../../b', message: /leaves the archive/ }],
    ['.. that stays inside by its text', [{ name: 'a/../b' }], { reason: 'name' }],
    ['.. in a prefix', [{ name: 'b', prefix: '../..' }], { reason: 'name' }],
    ['.. from pax', [pax({ path: '../x' }), { name: 'good' }], { reason: 'name', entry: '../x' }],
    ['.. from GNU', [{ name: 'L', type: 'L', content: '../x\0' }, { name: 'good' }], { reason: 'name', entry: '../x' }],
    ['NUL from pax', [pax({ path: 'a\0b' }), { name: 'good' }], { reason: 'name', message: /NUL/ }],
    ['drive letters', [{ name: 'C:/x' }], { reason: 'name', message: /drive letter/ }],
    ['backslashes', [{ name: '..\\x' }], { reason: 'name', message: /backslash/ }],
    ['names that are not UTF-8', [{ name: Uint8Array.of(0x61, 0xe9) }], { reason: 'name', message: /UTF-8/ }],
    ['files without a name', [{ name: '' }], { reason: 'name' }],
    ['two entries for one file', [{ name: 'a' }, { name: './a' }], { reason: 'collision', entry: 'a', message: /twice/ }],
    ['a file below a file', [{ name: 'a' }, { name: 'a/b' }], { reason: 'collision', message: /below a file/ }],
    ['a file below a link', [{ name: 'a', type: '2', target: 'x' }, { name: 'a/b' }], { reason: 'collision', message: /below a link/ }],
    ['a link in place of a directory', [{ name: 'a/b' }, { name: 'a', type: '2', target: 'x' }], { reason: 'collision' }],
    ['links without a target', [{ name: 'a', type: '2' }], { reason: 'link' }],
    ['directories with content', [{ name: 'a/', type: '5', content: 'x' }], { reason: 'corrupt' }],
    ['links with content', [{ name: 'a', type: '2', target: 'b', content: 'x' }], { reason: 'corrupt' }],
    ['negative sizes', [{ name: 'a', size: new Uint8Array(12).fill(255) }], { reason: 'corrupt', message: /size/ }],
    ['sizes that overflow', [{ name: 'a', size: Uint8Array.of(0x80, ...new Array(11).fill(0xff)) }], { reason: 'corrupt' }],
    ['sizes that are not numbers', [{ name: 'a', size: utf8('12x45678901\0') }], { reason: 'corrupt' }],
    ['pax sizes that are not numbers', [pax({ size: '-1' }), { name: 'a' }], { reason: 'corrupt' }],
    ['pax records with a wrong length', [{ type: 'x', content: '99 path=a\n' }, { name: 'a' }], { reason: 'corrupt' }],
    ['pax records without a value', [{ type: 'x', content: '7 path\n' }, { name: 'a' }], { reason: 'corrupt' }],
    ['too many headers for one entry', [...new Array(9).fill(pax({ comment: 'x' })), { name: 'a' }], { reason: 'corrupt' }],
    ['huge headers', [{ type: 'x', size: 2 ** 21, content: '' }], { code: 'EFBIG' }],
    ['paths over 4096 bytes', [pax({ path: 'a/'.repeat(2049) }), { name: 'a' }], { code: 'EFBIG' }],
    ['names over 255 bytes', [pax({ path: 'é'.repeat(128) }), { name: 'a' }], { code: 'EFBIG' }],
  ]

  it.each(cases)('%s', async (_, headers, { message, code = 'invalid_input', ...details }) => {
    const error = await read(...headers).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, ...(code === 'invalid_input' && { details }) })
    if (message) expect((error as Error).message).toMatch(message)
  })

  it('duplicate files, but not duplicate directories', async () => {
    expect(await paths({ name: 'a/b' }, { name: 'a/', type: '5' }, { name: 'a/', type: '5' })).toEqual(['a/b', 'a', 'a'])
  })

  it('an archive truncated at any place', async () => {
    const bytes = await tarOf(pax({ path: 'é' }), { name: 'e', content: 'x'.repeat(600) }, { name: 'b' })
    const whole = bytes.length - 512
    for (let length = 0; length < whole; length += 37) {
      const error = await flat(readTar(bytes.subarray(0, length))).catch((thrown: unknown) => thrown)
      expect(error, `${length} bytes`).toMatchObject({ details: { reason: length < 512 ? 'format' : 'truncated' } })
    }
    // Cut after the last entry, so that only the end mark is missing.
    await expect(flat(readTar(bytes.subarray(0, whole - 512)))).rejects.toThrow('cut off')
  })

  it('other formats, with the function that reads them', async () => {
    const reads = (bytes: Uint8Array): Promise<unknown> => flat(readArchive(bytes))
    await expect(reads(utf8('hello world'))).rejects.toThrow('it is not a tar archive')
    await expect(reads(new Uint8Array(2048).fill(65))).rejects.toThrow('it is not a tar archive')
    await expect(reads(new Uint8Array(0))).rejects.toThrow('it is empty')
    await expect(reads(utf8('PK\x03\x04'))).rejects.toThrow('readZip')
    await expect(reads(utf8('BZh91AY'))).rejects.toThrow('bzip2')
    const twice = await collectBytes(gzip(gzip(await tarOf({ name: 'a' }))))
    await expect(reads(twice)).rejects.toThrow('gzipped twice')
  })

  it('a header with one changed bit', async () => {
    const bytes = await tarOf({ name: 'a', content: 'one' }, { name: 'b', content: 'two' })
    const position = 1024
    for (const at of [0, 110, 130, 156, 260]) {
      const changed = bytes.slice()
      changed[position + at] = (changed[position + at] as number) ^ 1
      await expect(flat(readTar(changed)), `byte ${at}`).rejects.toThrow('does not match its checksum')
    }
  })
})

describe('limits of the tar reader', () => {
  it('limits on entries count directories in paths too', async () => {
    const bytes = await tarOf({ name: 'a/b/c' }, { name: 'a/d' })
    expect(await flat(readTar(bytes, { limits: { entries: 4 } }))).toHaveLength(2)
    await expect(flat(readTar(bytes, { limits: { entries: 3 } }))).rejects.toMatchObject({ code: 'EFBIG', path: 'a/d' })
  })

  it('limits on bytes, per file and in total, apply to the header', async () => {
    const bytes = await tarOf({ name: 'a', content: 'x'.repeat(10) }, { name: 'b', content: 'y'.repeat(11) })
    expect(await flat(readTar(bytes, { limits: { fileBytes: 11, bytes: 21 } }))).toHaveLength(2)
    await expect(flat(readTar(bytes, { limits: { fileBytes: 10 } }))).rejects.toMatchObject({ code: 'EFBIG', path: 'b' })
    await expect(flat(readTar(bytes, { limits: { bytes: 20 } }))).rejects.toMatchObject({ code: 'EFBIG', path: 'b' })
    const size = Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0, 2, 0x18, 0x71, 0x1a, 0)
    await expect(read({ name: 'huge', size })).rejects.toThrow('9000000000 bytes exceed the limit')
  })

  it('apply to the output of gzip', async () => {
    const zeros = async function* (): AsyncGenerator<Uint8Array> {
      yield raw({ name: 'zeros', size: 64 * 1024 * 1024 })
      for (let i = 0; i < 64; i++) yield new Uint8Array(1024 * 1024)
      yield END
    }
    const bomb = await collectBytes(gzip(zeros()))
    expect(bomb.length).toBeLessThan(256 * 1024)
    let most = 0
    const reading = async (): Promise<void> => {
      for await (const { content } of readArchive(bomb)) {
        for await (const part of content as AsyncIterable<Uint8Array>) most += part.length
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'EFBIG', message: expect.stringContaining('200 times') })
    expect(most).toBeLessThan(48 * 1024 * 1024)
    const entries = await flat(readArchive(bomb, { limits: { ratio: 2000 } }))
    expect(entries[0]?.bytes.length).toBe(64 * 1024 * 1024)
  })

  it('limits on the gzip ratio apply above 16 MiB', async () => {
    const zeros = async function* (total: number): AsyncGenerator<Uint8Array> {
      const size = total - 512 - END.length
      yield raw({ name: 'zeros', size })
      yield new Uint8Array(size)
      yield END
    }
    const mib16 = 16 * 1024 * 1024
    expect(await flat(readArchive(gzip(zeros(mib16))))).toHaveLength(1)
    await expect(flat(readArchive(gzip(zeros(mib16 + 512))))).rejects.toMatchObject({ code: 'EFBIG' })
  })

  it('must be numbers', async () => {
    const bytes = await tarOf({ name: 'a' })
    await expect(flat(readTar(bytes, { limits: { entries: -1 } }))).rejects.toThrow(TypeError)
  })
})

describe('the tar reader', () => {
  it('can leave out special files', async () => {
    const bytes = await tarOf({ name: 'a' }, { name: 'h', type: '1', target: 'a' }, { name: 'p', type: '6' }, { name: 'b' })
    const skipped: string[] = []
    expect((await flat(readTar(bytes, { special: 'skip', onSkipped: (path) => skipped.push(path) }))).map(({ path }) => path)).toEqual([
      'a',
      'b',
    ])
    expect(skipped).toEqual(['h', 'p'])
    const [, linked] = await flat(readTar(bytes, { special: 'skip', hardLinks: true }))
    expect(linked).toMatchObject({ path: 'h', kind: 'file', size: 0, hardLink: 'a' })
    for (const write of [writeTar, writeSnapshot])
      await expect(collectBytes(write([linked as ArchiveEntry]))).rejects.toThrow(/"h" is a hard link/)
  })

  it('skips unread content, which cannot be read later', async () => {
    const big = 'z'.repeat(100_000)
    const bytes = await tarOf({ name: 'a', content: big }, { name: 'b', content: 'end' })
    const entries: ArchiveEntry[] = []
    for await (const entry of readTar(cut(bytes, [999]))) entries.push(entry)
    expect(text(await entryBytes(entries[1] as ArchiveEntry))).toBe('end')
    await expect(entryBytes(entries[0] as ArchiveEntry)).rejects.toThrow('was skipped')
  })

  it('returns copies of the source bytes', async () => {
    const bytes = await tarOf({ name: 'a', content: 'hello' })
    const [entry] = await flat(readTar(bytes))
    bytes.fill(0)
    expect(text(entry?.bytes)).toBe('hello')
  })

  it('stops on abort, even if the source never answers', async () => {
    const bytes = await tarOf({ name: 'a', content: 'x'.repeat(100_000) })
    const controller = new AbortController()
    const hanging = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 2000)
      await new Promise(() => undefined)
    }
    const reason = new Error('enough')
    const reading = flat(readTar(hanging(), { signal: controller.signal }))
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    await expect(flat(readArchive(hanging(), { signal: controller.signal }))).rejects.toBe(reason)
  })

  it('throws the error of the source', async () => {
    const fault = new Error('network')
    const failing = async function* (gzipped: boolean): AsyncGenerator<Uint8Array> {
      yield gzipped ? Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...new Array(600).fill(0)) : raw({ name: 'a' })
      throw fault
    }
    await expect(flat(readArchive(failing(false)))).rejects.toBe(fault)
    await expect(flat(readTar('text' as unknown as Uint8Array))).rejects.toThrow(TypeError)
    await expect(flat(readTar(['text'] as unknown as Uint8Array[]))).rejects.toThrow(TypeError)
  })
})

describe('gzip', () => {
  it('is rejected if truncated or damaged', async () => {
    const packed = await collectBytes(gzip(await tarOf({ name: 'a', content: utf8('some text '.repeat(500)) })))
    expect(await flat(readArchive(packed))).toHaveLength(1)
    for (const length of [12, 40, packed.length - 8, packed.length - 1]) {
      await expect(flat(readArchive(packed.subarray(0, length))), `${length}`).rejects.toMatchObject({ code: 'invalid_input' })
    }
    const damaged = packed.slice()
    damaged[packed.length - 6] = (damaged[packed.length - 6] as number) ^ 1
    await expect(flat(readArchive(damaged))).rejects.toMatchObject({ details: { reason: expect.stringMatching('corrupt|truncated') } })
  })
})

describe('the tar writer', () => {
  const write = (entries: Iterable<ArchiveEntry>, options = {}): Promise<Uint8Array> => collectBytes(writeTar(entries, options))
  const tree = [
    dir('d', { mode: 0o750 }),
    file('d/run.sh', '#!/bin/sh\n', { mode: 0o755, mtimeMs: 1_500_000_000_000 }),
    file('e', 'x'.repeat(512)),
    link('l', 'd/run.sh'),
    file(long, 'long'),
    file('é', 'not ASCII'),
    link('far', long),
    dir(`${'q'.repeat(99)}/${'r'.repeat(30)}`),
    dir('q'.repeat(100)),
  ]

  it('writes what the reader reads', async () => {
    const entries = await flat(readTar(await write(tree)))
    expect(entries.map(({ mode: _, mtimeMs: __, ...rest }) => rest)).toEqual(
      (await flat(tree)).map(({ mode: _, mtimeMs: __, ...rest }) => rest),
    )
    expect(entries.map(({ mode }) => mode?.toString(8))).toEqual(['750', '755', '644', '777', '644', '644', '777', '755', '755'])
  })

  it('gives the same bytes for the same entries, whatever the times', async () => {
    const bytes = await write(tree)
    const later = tree.map((entry) => ({ ...entry, mtimeMs: 5_000 }))
    expect(await write(later)).toEqual(bytes)
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    expect([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(
      '72dc0d40a891d8a6f6e649725bdba67a19e525d7365260889b7534bb56f5bf81',
    )
  })

  it('uses the prefix if the path fits, and pax only if necessary', async () => {
    const split = text(await write([file(`${'d'.repeat(120)}/${'f'.repeat(90)}`, '')]))
    expect(split).not.toContain('PaxHeader')
    expect(split.slice(345, 465)).toBe('d'.repeat(120))
    expect(text(await write([file('a'.repeat(101), '')]))).toContain(`path=${'a'.repeat(101)}\n`)
    expect(text(await write([file('é', '')]))).toContain('11 path=é\n')
  })

  it('keeps times on request, with fractions', async () => {
    const times = [0, 1_500_000_000_000, 1500.5, -2000]
    const entries = times.map((mtimeMs, i) => file(`f${i}`, '', { mtimeMs }))
    const back = await flat(readTar(await write(entries, { mtimeMs: 'keep' })))
    expect(back.map(({ mtimeMs }) => mtimeMs)).toEqual([0, 1_500_000_000_000, 1501, -2000])
    expect((await flat(readTar(await write(entries, { mtimeMs: 9000 })))).map(({ mtimeMs }) => mtimeMs)).toEqual([9000, 9000, 9000, 9000])
  })

  it('writes sizes above 8 GiB', async () => {
    const size = 9_000_000_000
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(70_000)
    }
    for await (const part of writeTar([{ path: 'huge', kind: 'file', size, content: parts() }])) {
      expect(text(part.subarray(0, 2048))).toContain('19 size=9000000000\n')
      const limits = { fileBytes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
      for await (const entry of readTar(part, { limits })) {
        expect(entry.size).toBe(size)
        break
      }
      break
    }
  })

  it('buffers at most one chunk', async () => {
    const part = new Uint8Array(1024 * 1024)
    let written = 0
    let given = 0
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 50; i++) {
        given += part.length
        yield part
        expect(given - written).toBeLessThanOrEqual(2 * part.length)
      }
    }
    for await (const run of writeTar([{ path: 'big', kind: 'file', size: 50 * part.length, content: parts() }])) written += run.length
    expect(written).toBeGreaterThan(50 * part.length)
  })

  it.each([
    ['content that is too short', { ...file('a', 'xy'), size: 3 }, /2 bytes where its size says 3/],
    ['content that is too long', { ...file('a', 'xyz'), size: 2 }, /more bytes where its size says 2/],
    ['absolute paths', file('/a'), /absolute/],
    ['..', file('../a'), /leaves the archive/],
    ['paths that are not normalised', file('a//b'), /not normalised/],
    ['links without a target', { path: 'a', kind: 'symlink', size: 0 } as const, /target/],
  ])('rejects %s', async (_, entry: ArchiveEntry, message) => {
    await expect(write([entry])).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(message) })
  })

  it.each([
    [120, ''],
    [121, '...'],
  ])('shows 120 characters of a name of length %i', async (length, rest) => {
    const entry = `/${'a'.repeat(length - 1)}`
    const message = `entry "${entry.slice(0, 120)}${rest}" `
    await expect(write([file(entry)])).rejects.toMatchObject({ message: expect.stringContaining(message), details: { entry } })
  })

  it('stops on abort', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(write(tree, { signal })).rejects.toThrow('enough')
  })
})
