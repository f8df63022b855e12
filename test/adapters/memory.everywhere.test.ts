// @module-tag memory
// @module-tag testing
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { memory } from '../storages/declared/memory.js'

fsContract({ describe, it }, { ...contractOf(memory), create: () => createMemoryFs() })

const bytes = (length: number): Uint8Array => new Uint8Array(length)
const refusal = (code: string, text: string) => expect.objectContaining({ name: 'FsError', code, message: expect.stringContaining(text) })

describe('createMemoryFs', () => {
  it('accepts text and bytes at relative and absolute paths, and creates parents', async () => {
    const fs = createMemoryFs({ files: { 'src/a.ts': 'grün', '/src/deep/b.bin': Uint8Array.of(0, 255), empty: '' } })
    expect(await fs.read('/src/a.ts')).toEqual(new TextEncoder().encode('grün'))
    expect(await fs.read('/src/deep/b.bin')).toEqual(Uint8Array.of(0, 255))
    expect((await fs.lstat('/src/deep')).kind).toBe('dir')
    expect(await fs.usage()).toEqual({ bytes: 7, files: 5 })
  })

  it('copies the initial content', async () => {
    const content = Uint8Array.of(1, 2)
    const fs = createMemoryFs({ files: { a: content } })
    content.fill(0)
    expect(await fs.read('/a')).toEqual(Uint8Array.of(1, 2))
  })

  it('accepts the name __proto__', async () => {
    const files = Object.fromEntries([['__proto__/constructor', 'x']])
    expect(await createMemoryFs({ files }).readdir('/__proto__')).toEqual([{ name: 'constructor', kind: 'file', size: 1 }])
  })

  it.each([
    ['a//b', 'EINVAL'],
    ['../a', 'EINVAL'],
    ['a/./b', 'EINVAL'],
    ['a/', 'EINVAL'],
    ['', 'EINVAL'],
    ['/', 'EINVAL'],
  ])('rejects the path "%s" with %s', (path, code) => {
    expect(() => createMemoryFs({ files: { [path]: 'x' } })).toThrow(refusal(code, `"${path}"`))
  })

  it('rejects a write that expects another version, and keeps the content', async () => {
    const fs = createMemoryFs({ files: { a: 'one' } })
    const { version } = await fs.lstat('/a')
    await fs.write('/a', new Uint8Array([50]), { expect: version as string })
    await expect(fs.write('/a', new Uint8Array([51]), { expect: version as string })).rejects.toMatchObject({ code: 'ESTALE', path: '/a' })
    expect(await fs.read('/a')).toEqual(new Uint8Array([50]))
  })

  it('rejects a path given twice as a file, or as a file and a directory', () => {
    expect(() => createMemoryFs({ files: { a: '1', '/a': '2' } })).toThrow(refusal('EEXIST', '"/a"'))
    expect(() => createMemoryFs({ files: { a: '1', 'a/b': '2' } })).toThrow(refusal('EEXIST', '"/a"'))
    expect(() => createMemoryFs({ files: { 'a/b': '2', a: '1' } })).toThrow(refusal('EEXIST', '"/a"'))
  })

  it('takes all times from the given clock', async () => {
    let time = 1000
    const fs = createMemoryFs({ files: { 'd/a': '1' }, now: () => time })
    expect((await fs.lstat('/d/a')).mtimeMs).toBe(1000)
    time = 2000
    await fs.write('/d/a', bytes(1))
    expect((await fs.lstat('/d/a')).mtimeMs).toBe(2000)
    expect((await fs.lstat('/d')).mtimeMs).toBe(1000)
    time = 3000
    await fs.unlink('/d/a')
    expect((await fs.lstat('/d')).mtimeMs).toBe(3000)
  })

  it('lists by code unit, regardless of the order of creation and renaming', async () => {
    const names = ['b', '🙂', 'a', 'Z', '\uffff', '10', '9', 'é', 'ab']
    const fs = createMemoryFs()
    for (const name of names) await fs.write(`/${name}`, bytes(0))
    const listed = async () => (await fs.readdir('/')).map((entry) => entry.name)
    expect(await listed()).toEqual([...names].sort())
    await fs.rename('/9', '/A')
    await fs.unlink('/\uffff')
    await fs.write('/zz', bytes(0))
    expect(await listed()).toEqual([...names.filter((name) => name !== '9' && name !== '\uffff'), 'A', 'zz'].sort())
  })

  it('never reuses a version after removal or copy, and rename keeps it', async () => {
    const fs = createMemoryFs({ files: { a: '1', b: '2' } })
    const seen = [(await fs.lstat('/a')).version, (await fs.lstat('/b')).version]
    await fs.unlink('/a')
    await fs.write('/a', bytes(1))
    seen.push((await fs.lstat('/a')).version)
    await fs.copy('/b', '/a')
    seen.push((await fs.lstat('/a')).version)
    expect(new Set(seen).size).toBe(4)
    await fs.rename('/b', '/a')
    expect((await fs.lstat('/a')).version).toBe(seen[1])
  })

  it('rejects an empty link target, an invalid range and an invalid time', async () => {
    const fs = createMemoryFs({ files: { a: '123' } })
    await expect(fs.symlink('', '/l')).rejects.toThrow(refusal('ENOENT', '"/l"'))
    await expect(fs.read('/a', { offset: -1 })).rejects.toThrow(refusal('EINVAL', '"/a"'))
    await expect(fs.read('/a', { length: Number.NaN })).rejects.toThrow(refusal('EINVAL', '"/a"'))
    await expect(fs.setMeta('/a', { mtimeMs: Number.NaN })).rejects.toThrow(refusal('EINVAL', '"/a"'))
  })

  it('removes a tree deeper than the longest path', async () => {
    const fs = createMemoryFs()
    await fs.mkdir('/tree')
    for (let i = 0; i < 20_000; i++) {
      await fs.mkdir('/next')
      await fs.rename('/tree', '/next/d')
      await fs.rename('/next', '/tree')
    }
    await fs.rmTree('/tree')
    expect(await fs.usage()).toEqual({ bytes: 0, files: 0 })
  })
})

describe('limits of createMemoryFs', () => {
  it('rejects what exceeds maxBytes and changes nothing', async () => {
    const fs = createMemoryFs({ maxBytes: 10, files: { a: '12345' } })
    await expect(fs.write('/b', bytes(6))).rejects.toThrow(refusal('ENOSPC', 'at most 10 bytes, 5 are used'))
    await expect(fs.write('/a', bytes(11))).rejects.toThrow(refusal('ENOSPC', '"/a"'))
    await expect(fs.append('/a', bytes(6))).rejects.toThrow(refusal('ENOSPC', '"/a"'))
    expect(await fs.usage()).toEqual({ bytes: 5, files: 1 })
    await fs.copy('/a', '/b')
    await expect(fs.copy('/a', '/c')).rejects.toThrow(refusal('ENOSPC', '"/a" to "/c"'))
    await expect(fs.append('/b', bytes(1))).rejects.toThrow(refusal('ENOSPC', '"/b"'))
    expect(await fs.usage()).toEqual({ bytes: 10, files: 2 })
  })

  it('allows exactly maxBytes and reuses the space of removed or replaced files', async () => {
    const fs = createMemoryFs({ maxBytes: 10 })
    await fs.write('/a', bytes(10))
    await fs.write('/a', bytes(9))
    await fs.write('/b', bytes(1))
    await fs.unlink('/a')
    await fs.write('/c', bytes(9))
    expect(await fs.usage()).toEqual({ bytes: 10, files: 2 })
  })

  it('rejects entries of every kind above maxFiles', async () => {
    const fs = createMemoryFs({ maxFiles: 2, files: { 'd/a': 'x' } })
    await expect(fs.write('/b', bytes(0))).rejects.toThrow(refusal('ENOSPC', 'at most 2 entries'))
    await expect(fs.mkdir('/b')).rejects.toThrow(refusal('ENOSPC', '"/b"'))
    await expect(fs.symlink('a', '/b')).rejects.toThrow(refusal('ENOSPC', '"/b"'))
    await expect(fs.copy('/d/a', '/b')).rejects.toThrow(refusal('ENOSPC', '"/d/a" to "/b"'))
    await fs.write('/d/a', bytes(3))
    await fs.rename('/d/a', '/b')
    await fs.rmdir('/d')
    await fs.mkdir('/e')
    expect(await fs.usage()).toEqual({ bytes: 3, files: 2 })
  })

  it('apply to the initial files', () => {
    expect(() => createMemoryFs({ maxBytes: 1, files: { a: 'xy' } })).toThrow(refusal('ENOSPC', '"/a"'))
    expect(() => createMemoryFs({ maxFiles: 1, files: { 'd/a': '' } })).toThrow(refusal('ENOSPC', '"/d/a"'))
  })
})

describe('scanBelow of the memory storage', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('returns neither content nor "absent" for directories, large files and files with NUL', async () => {
    const odd = Uint8Array.of(0xff, 0x6f, 0x6e, 0x65, 0xfe)
    const files = { 'd/odd': odd, 'd/marked': '\ufeffn\u00e9', 'd/nul': 'a\0', 'd/large': 'x'.repeat(70_000), 'd/sub/a': '' }
    const fs = createMemoryFs({ files })
    const scanned = (needle?: string) =>
      fs.scanBelow?.('/d', ['odd', 'marked', 'nul', 'large', 'sub', 'gone'], needle === undefined ? undefined : bytes(needle))
    const rest = [undefined, undefined, undefined, undefined]
    expect(await scanned('none')).toEqual(['absent', 'absent', ...rest])
    expect(await scanned('one')).toEqual([undefined, 'absent', ...rest])
    expect(await scanned('\ufeffn\u00e9')).toEqual(['absent', undefined, ...rest])
    expect(await scanned()).toEqual([undefined, undefined, ...rest])
    await expect(fs.scanBelow?.('/none', ['a'], bytes('x'))).rejects.toThrow(refusal('ENOENT', '"/none"'))
  })

  it('returns "absent" for files without the text, also after changes', async () => {
    const fs = createMemoryFs({ files: { 'd/a': 'hay', 'd/b': 'hay and needle' } })
    const scanned = () => fs.scanBelow?.('/d', ['a', 'b'], bytes('needle'))
    expect(await scanned()).toEqual(['absent', undefined])
    await fs.append('/d/a', bytes(' needle'))
    expect(await scanned()).toEqual([undefined, undefined])
    await fs.append('/d/a', bytes('.'))
    await fs.copy('/d/a', '/d/b')
    expect(await scanned()).toEqual([undefined, undefined])
    await fs.write('/d/a', bytes('hay'))
    expect(await scanned()).toEqual(['absent', undefined])
  })
})
