import { equal, ok, rejects, same } from '../runner.js'
import { expectText, type FsCase, pattern, put, seed, utf8 } from './case.js'

const isPlain = (bytes: Uint8Array): boolean => Object.getPrototypeOf(bytes) === Uint8Array.prototype

export const readCases: Readonly<Record<string, FsCase>> = {
  'read: a missing file is ENOENT': async (fs) => {
    await rejects(fs.read('/a'), 'ENOENT')
  },
  'read: a missing parent is ENOENT': async (fs) => {
    await rejects(fs.read('/d/a'), 'ENOENT')
  },
  'read: a directory is EISDIR': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.read('/d'), 'EISDIR')
  },
  'read: / is EISDIR': async (fs) => {
    await rejects(fs.read('/'), 'EISDIR')
  },
  'read: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.read('/f/a'), 'ENOTDIR')
    await rejects(fs.read('/f/a/b'), 'ENOTDIR')
  },
  'read: returns a plain Uint8Array': async (fs) => {
    await seed(fs, { '/a': 'hello', '/e': '' })
    ok(isPlain(await fs.read('/a')), 'Expected a plain Uint8Array for a file')
    ok(isPlain(await fs.read('/e')), 'Expected a plain Uint8Array for an empty file')
    ok(isPlain(await fs.read('/a', { offset: 1, length: 2 })), 'Expected a plain Uint8Array for a range')
  },
  'read: without options and with empty options returns the whole file': async (fs) => {
    await put(fs, '/a', 'hello')
    same(await fs.read('/a', {}), utf8('hello'))
    same(await fs.read('/a', undefined), utf8('hello'))
  },
  'read: twice returns the same content': async (fs) => {
    await fs.write('/a', pattern(1000))
    same(await fs.read('/a'), await fs.read('/a'))
  },
  'range: from an offset': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 7 }), utf8('789'))
  },
  'range: a length from the start': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { length: 4 }), utf8('0123'))
  },
  'range: offset and length': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 2, length: 3 }), utf8('234'))
  },
  'range: a length beyond the end is truncated': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 8, length: 100 }), utf8('89'))
  },
  'range: exactly the whole file': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 0, length: 10 }), utf8('0123456789'))
  },
  'range: the last byte': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 9, length: 1 }), utf8('9'))
  },
  'range: a length of 0 reads nothing': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { length: 0 }), new Uint8Array(0))
    same(await fs.read('/a', { offset: 5, length: 0 }), new Uint8Array(0))
  },
  'range: at the end reads nothing': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 10 }), new Uint8Array(0))
    same(await fs.read('/a', { offset: 10, length: 5 }), new Uint8Array(0))
  },
  'range: past the end reads nothing': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 11 }), new Uint8Array(0))
    same(await fs.read('/a', { offset: 5_000_000_000, length: 5 }), new Uint8Array(0))
  },
  'range: a length far beyond the end does not reserve it': async (fs) => {
    await put(fs, '/a', '0123456789')
    same(await fs.read('/a', { offset: 4, length: Number.MAX_SAFE_INTEGER }), utf8('456789'))
  },
  'range: of an empty file reads nothing': async (fs) => {
    await put(fs, '/a', '')
    same(await fs.read('/a', { offset: 0, length: 10 }), new Uint8Array(0))
    same(await fs.read('/a', { offset: 1 }), new Uint8Array(0))
  },
  'range: the pieces add up to the whole file': async (fs) => {
    const bytes = pattern(200_003)
    await fs.write('/a', bytes)
    const joined = new Uint8Array(bytes.length)
    for (let offset = 0; offset < bytes.length; offset += 65_536) joined.set(await fs.read('/a', { offset, length: 65_536 }), offset)
    same(joined, bytes)
  },
  'range: of a directory is EISDIR': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.read('/d', { offset: 1, length: 1 }), 'EISDIR')
    await rejects(fs.read('/d', { length: 0 }), 'EISDIR')
  },
  'range: of a missing file is ENOENT': async (fs) => {
    await rejects(fs.read('/a', { offset: 1, length: 1 }), 'ENOENT')
    await rejects(fs.read('/a', { length: 0 }), 'ENOENT')
  },
  'copies: the input may change after the write is done': async (fs) => {
    const bytes = utf8('original')
    await fs.write('/a', bytes)
    bytes.fill(0)
    await expectText(fs, '/a', 'original')
  },
  'copies: the input may change before the write is awaited': async (fs) => {
    const bytes = pattern(100_000)
    const writing = fs.write('/a', bytes)
    bytes.fill(0)
    await writing
    same(await fs.read('/a'), pattern(100_000))
  },
  'copies: the input of a replacing write may change before it is awaited': async (fs) => {
    await put(fs, '/a', 'first')
    const bytes = utf8('second')
    const writing = fs.write('/a', bytes, { create: 'never' })
    bytes.fill(0)
    await writing
    await expectText(fs, '/a', 'second')
  },
  'copies: the input of an exclusive write may change before it is awaited': async (fs) => {
    const bytes = utf8('original')
    const writing = fs.write('/a', bytes, { create: 'exclusive' })
    bytes.fill(0)
    await writing
    await expectText(fs, '/a', 'original')
  },
  'copies: the rest of the input buffer may change too': async (fs) => {
    const whole = utf8('..window..')
    await fs.write('/a', whole.subarray(2, 8))
    new Uint8Array(whole.buffer).fill(0)
    await expectText(fs, '/a', 'window')
  },
  'copies: a result may be changed': async (fs) => {
    await put(fs, '/a', 'original')
    const first = await fs.read('/a')
    first.fill(0)
    await expectText(fs, '/a', 'original')
  },
  'copies: the buffer behind a result may be changed': async (fs) => {
    await seed(fs, { '/a': 'original', '/b': 'neighbour' })
    const first = await fs.read('/a')
    new Uint8Array(first.buffer).fill(0)
    await expectText(fs, '/a', 'original')
    await expectText(fs, '/b', 'neighbour')
  },
  'copies: the buffer behind a range may be changed': async (fs) => {
    await put(fs, '/a', 'original')
    const range = await fs.read('/a', { offset: 2, length: 3 })
    new Uint8Array(range.buffer).fill(0)
    await expectText(fs, '/a', 'original')
  },
  'copies: two results are independent': async (fs) => {
    await put(fs, '/a', 'original')
    const [first, second] = await Promise.all([fs.read('/a'), fs.read('/a')])
    first.fill(0)
    same(second, utf8('original'))
  },
  'copies: a result does not follow later writes': async (fs) => {
    await put(fs, '/a', 'original')
    const before = await fs.read('/a')
    await put(fs, '/a', 'replaced')
    same(before, utf8('original'))
  },
  'lstat: a file has its kind and size': async (fs) => {
    await put(fs, '/a', 'grün')
    const stat = await fs.lstat('/a')
    equal(stat.kind, 'file')
    equal(stat.size, 5)
  },
  'lstat: a directory has its kind and size 0, whatever its content': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'some content' })
    const stat = await fs.lstat('/d')
    equal(stat.kind, 'dir')
    equal(stat.size, 0)
  },
  'lstat: / is a directory of size 0': async (fs) => {
    const stat = await fs.lstat('/')
    equal(stat.kind, 'dir')
    equal(stat.size, 0)
  },
  'lstat: a missing path is ENOENT': async (fs) => {
    await rejects(fs.lstat('/a'), 'ENOENT')
    await rejects(fs.lstat('/a/b'), 'ENOENT')
  },
  'lstat: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.lstat('/f/a'), 'ENOTDIR')
    await rejects(fs.lstat('/f/a/b'), 'ENOTDIR')
  },
  'lstat: a result does not follow later writes': async (fs) => {
    await put(fs, '/a', 'x')
    const before = await fs.lstat('/a')
    await put(fs, '/a', 'longer')
    equal(before.size, 1)
  },
  'lstat: a mode holds permission bits only': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null })
    for (const path of ['/', '/a', '/d']) {
      const { mode } = await fs.lstat(path)
      if (fs.can.mode)
        ok(mode !== undefined && Number.isInteger(mode) && mode >= 0 && mode <= 0o7777, `Expected permission bits, got ${mode}`)
      else equal(mode, undefined, 'the mode')
    }
  },
  'mtime: is a time': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null })
    for (const path of ['/', '/a', '/d']) {
      const { mtimeMs } = await fs.lstat(path)
      ok(Number.isFinite(mtimeMs) && mtimeMs >= 0, `Expected a time for "${path}", got ${mtimeMs}`)
    }
  },
  'mtime: never goes back with a write': async (fs) => {
    let last = 0
    for (let i = 0; i < 5; i++) {
      await put(fs, '/a', `version ${i}`)
      const { mtimeMs } = await fs.lstat('/a')
      ok(mtimeMs >= last, `Expected a time not before ${last}, got ${mtimeMs}`)
      last = mtimeMs
    }
  },
  'mtime: does not change with reads': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    const before = [(await fs.lstat('/d')).mtimeMs, (await fs.lstat('/d/a')).mtimeMs]
    await fs.read('/d/a')
    await fs.readdir('/d')
    same([(await fs.lstat('/d')).mtimeMs, (await fs.lstat('/d/a')).mtimeMs], before)
  },
  'version: changes with every write, also of the same size at the same time': async (fs) => {
    await put(fs, '/a', 'x')
    let last = (await fs.lstat('/a')).version
    equal(typeof last, 'string', 'the type of version')
    for (let i = 0; i < 20; i++) {
      await put(fs, '/a', String(i % 10))
      const { version } = await fs.lstat('/a')
      ok(version !== last, `Expected another version after write ${i}, got ${version} again`)
      last = version
    }
  },
  'version: changes with a write of the same content': async (fs) => {
    await put(fs, '/a', 'x')
    const before = (await fs.lstat('/a')).version
    await put(fs, '/a', 'x')
    ok((await fs.lstat('/a')).version !== before, 'Expected another version')
  },
  'version: stays while nothing is written': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y' })
    const before = (await fs.lstat('/a')).version
    await fs.read('/a')
    await fs.readdir('/')
    await put(fs, '/b', 'z')
    await rejects(fs.write('/a', utf8('no'), { create: 'exclusive' }), 'EEXIST')
    equal((await fs.lstat('/a')).version, before)
  },
}
