// @module-tag archives
import { type ArchiveEntry, collectBytes, readArchive, readSnapshot, writeSnapshot } from 'toolport/archive'
import { describe, expect, it } from 'vitest'
import { cut, dir, file, flat, link, text, utf8 } from './archive-support.js'

const write = (entries: Iterable<ArchiveEntry>, options = {}): Promise<Uint8Array> => collectBytes(writeSnapshot(entries, options))
const read = (bytes: Uint8Array): ReturnType<typeof flat> => flat(readSnapshot(bytes))

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const tree: readonly ArchiveEntry[] = [
  file('b.txt', 'two', { mode: 0o755 }),
  dir('a'),
  file('a/empty'),
  file('a/日本', Uint8Array.of(0, 255, 1)),
  link('a/link', '../b.txt'),
  file('a-b', 'one'),
  file('copy', 'two', { mtimeMs: 99 }),
]
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('a snapshot', () => {
  it('has pinned bytes, the same in every runtime', async () => {
    const bytes = await write(tree)
    const [head, ...lines] = text(bytes).split('\n')
    const manifest = lines.slice(0, 7)
    expect(head).toBe(`toolport-snapshot 1 ${utf8(`${manifest.join('\n')}\n`).length} ${await sha256(utf8(`${manifest.join('\n')}\n`))}`)
    expect(manifest).toEqual([
      '["dir","a"]',
      `["file","a-b",3,"${await sha256(utf8('one'))}"]`,
      `["file","a/empty",0,"${EMPTY}"]`,
      '["symlink","a/link","../b.txt"]',
      `["file","a/日本",3,"${await sha256(Uint8Array.of(0, 255, 1))}"]`,
      `["file","b.txt",3,"${await sha256(utf8('two'))}"]`,
      `["file","copy",3,"${await sha256(utf8('two'))}"]`,
    ])
    expect(bytes.slice(-9)).toEqual(Uint8Array.of(...utf8('one'), 0, 255, 1, ...utf8('two')))
    expect(await sha256(bytes)).toBe('06961eccc0e4477b0016f3c8bb4a6e21656a1ee6d9ad982bbb038c333685e80e')
  })

  it('a snapshot without entries is its first line', async () => {
    const bytes = await write([])
    expect(text(bytes)).toBe(`toolport-snapshot 1 0 ${EMPTY}\n`)
    expect(await read(bytes)).toEqual([])
  })

  it('does not depend on order, times, modes, chunks or listed directories', async () => {
    const bytes = await write(tree)
    const others = [
      [...tree].reverse(),
      tree.filter(({ path }) => path !== 'a'),
      tree.map((entry) => ({ ...entry, mtimeMs: 7, mode: 0o600 })),
      tree.map((entry) => ({ ...entry, ...(entry.content && { content: parts(entry.content as Uint8Array) }) })),
    ]
    for (const entries of others) expect(await write(entries)).toEqual(bytes)
  })

  it('keeps modes on request', async () => {
    const bytes = await write(tree, { modes: true })
    expect(text(bytes)).toContain('["file","b.txt",3,"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3",493]\n')
    const entries = await read(bytes)
    expect(entries.find(({ path }) => path === 'b.txt')?.mode).toBe(0o755)
    expect(entries.find(({ path }) => path === 'a-b')?.mode).toBeUndefined()
  })

  it('survives a round trip in any chunks', async () => {
    const bytes = await write(tree)
    for (const lengths of [[1], [7, 0, 300], [100_000]]) {
      const entries = await flat(readSnapshot(cut(bytes, lengths)))
      expect(entries.map(({ path }) => path)).toEqual(['a', 'a-b', 'a/empty', 'a/日本', 'b.txt', 'copy', 'a/link'])
      expect(entries.map((entry) => text(entry.bytes))).toEqual(['', 'one', '', '\0\ufffd\u0001', 'two', 'two', ''])
      expect(entries.at(-1)?.target).toBe('../b.txt')
    }
    expect(await flat(readArchive(bytes))).toHaveLength(7)
  })
})

describe('a snapshot is rejected', () => {
  it('any changed bit is rejected before the affected entry is returned', async () => {
    const bytes = await write(tree)
    const good = new Map((await read(bytes)).map((entry) => [entry.path, text(entry.bytes)]))
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice()
      changed[at] = (changed[at] as number) ^ (1 << (at % 8))
      const seen: string[] = []
      const reading = async (): Promise<void> => {
        for await (const entry of readSnapshot(changed)) {
          seen.push(entry.path)
          if (entry.content) expect(text(entry.content as Uint8Array)).toBe(good.get(entry.path))
        }
      }
      const error = await reading().catch((thrown: unknown) => thrown)
      expect(error, `byte ${at}`).toMatchObject({ name: 'InputError', details: { reason: expect.any(String) } })
      if (at < bytes.length - 9) expect(seen).toEqual([])
    }
  })

  it('damaged content is rejected with the name of its entry', async () => {
    const bytes = await write(tree)
    bytes[bytes.length - 1] = 0
    await expect(read(bytes)).rejects.toMatchObject({
      message: 'Cannot read the archive: entry "b.txt" does not match its hash',
      details: { reason: 'corrupt', entry: 'b.txt' },
    })
  })

  it('a truncated snapshot or trailing bytes are rejected', async () => {
    const bytes = await write(tree)
    for (let length = 0; length < bytes.length; length += 3) {
      const error = await read(bytes.subarray(0, length)).catch((thrown: unknown) => thrown)
      expect(error, `${length}`).toMatchObject({ name: 'InputError' })
    }
    await expect(read(await collectBytes([bytes, Uint8Array.of(10)]))).rejects.toThrow('bytes follow its end')
  })

  it('a later version is rejected with an explanation', async () => {
    await expect(read(utf8(`toolport-snapshot 2 0 ${EMPTY}\n`))).rejects.toThrow('version "2", and only version 1 is supported')
  })

  const withManifest = async (...lines: string[]): Promise<Uint8Array> => {
    const manifest = utf8(lines.map((line) => `${line}\n`).join(''))
    return collectBytes([utf8(`toolport-snapshot 1 ${manifest.length} ${await sha256(manifest)}\n`), manifest])
  }

  it.each([
    ['out of order', ['["dir","b"]', '["dir","a"]'], 'is out of order'],
    ['that occurs twice', ['["dir","b"]', '["dir","b"]'], 'is out of order'],
    ['without its directory', [`["file","a/b",0,"${EMPTY}"]`], 'has no parent directory'],
    ['below a link', ['["symlink","a","b"]', `["file","a/b",0,"${EMPTY}"]`], 'has no parent directory'],
    ['in another JSON form', ['["dir", "a"]'], 'damaged line'],
    ['with an unnecessary escape', ['["dir","\\u0061"]'], 'damaged line'],
    ['outside the archive', ['["dir",".."]'], 'leaves the archive'],
    ['absolute', ['["dir","/a"]'], 'absolute'],
    ['of an unknown kind', ['["fifo","a"]'], 'damaged line'],
    ['with a mode that has more than permission bits', ['["dir","a",2541]'], 'damaged line'],
    ['with a hash of another size', [`["file","a",0,"${EMPTY}"]`, `["file","b",1,"${EMPTY}"]`], 'hash that does not match its size'],
    ['of null', ['null'], 'damaged line'],
  ])('an entry %s is rejected, even if its hashes match', async (_, lines, message) => {
    await expect(read(await withManifest(...lines))).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining(message),
    })
  })

  it('above the limits, before content is read', async () => {
    const bytes = await write(tree)
    for (const limits of [{ entries: 6 }, { bytes: 11 }, { fileBytes: 2 }]) {
      const given: string[] = []
      const reading = async (): Promise<void> => {
        for await (const { path } of readSnapshot(bytes, { limits })) given.push(path)
      }
      await expect(reading()).rejects.toMatchObject({ code: 'EFBIG' })
      expect(given).toEqual([])
    }
    // Content that is stored once counts each time that it is unpacked.
    expect(await flat(readSnapshot(bytes, { limits: { entries: 7, bytes: 12, fileBytes: 3 } }))).toHaveLength(7)
  })
})

describe('the snapshot writer rejects', () => {
  it('duplicate paths, a file below a file, and paths that lead outside', async () => {
    await expect(write([file('a'), file('a')])).rejects.toThrow('twice')
    await expect(write([file('a'), file('a/b')])).rejects.toThrow('below a file')
    await expect(write([file('../a')])).rejects.toThrow('leaves the archive')
  })

  it('content that changes or can be read only once', async () => {
    let round = 0
    const changing = { [Symbol.asyncIterator]: () => cut(utf8(`${++round}`), [1]) }
    await expect(write([{ path: 'a', kind: 'file', size: 1, content: changing }])).rejects.toMatchObject({ code: 'ESTALE', path: 'a' })
    const once = cut(utf8('1'), [1])
    await expect(write([{ path: 'a', kind: 'file', size: 1, content: once }])).rejects.toMatchObject({ code: 'ESTALE', path: 'a' })
  })
})

function parts(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => cut(bytes, [1, 0]) }
}
