import { equal, rejects, same } from '../runner.js'
import { expectAbsent, expectText, type FsCase, names, pattern, put, seed, utf8 } from './case.js'

export const writeCases: Readonly<Record<string, FsCase>> = {
  'write: creates a file that reads back': async (fs) => {
    await put(fs, '/a.txt', 'hello\n')
    await expectText(fs, '/a.txt', 'hello\n')
    same(await names(fs, '/'), ['a.txt'])
  },
  'write: resolves to undefined': async (fs) => {
    equal(await fs.write('/a', utf8('x')), undefined)
  },
  'write: shorter content replaces longer content completely': async (fs) => {
    await put(fs, '/a', 'a long first version')
    await put(fs, '/a', 'short')
    await expectText(fs, '/a', 'short')
    equal((await fs.lstat('/a')).size, 5)
  },
  'write: longer content replaces shorter content': async (fs) => {
    await put(fs, '/a', 'short')
    await put(fs, '/a', 'a longer second version')
    await expectText(fs, '/a', 'a longer second version')
    equal((await fs.lstat('/a')).size, 23)
  },
  'write: empty content creates an empty file': async (fs) => {
    await fs.write('/a', new Uint8Array(0))
    same(await fs.read('/a'), new Uint8Array(0))
    equal((await fs.lstat('/a')).size, 0)
  },
  'write: empty content empties a file': async (fs) => {
    await put(fs, '/a', 'something')
    await fs.write('/a', new Uint8Array(0))
    equal((await fs.read('/a')).length, 0)
    equal((await fs.lstat('/a')).size, 0)
  },
  'write: keeps all 256 byte values': async (fs) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await fs.write('/a', bytes)
    same(await fs.read('/a'), bytes)
  },
  'write: keeps bytes that are not valid UTF-8': async (fs) => {
    const bytes = Uint8Array.of(0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x00)
    await fs.write('/a', bytes)
    same(await fs.read('/a'), bytes)
  },
  'write: keeps a byte order mark and every line ending': async (fs) => {
    const bytes = utf8('\ufeffa\r\nb\nc\rd')
    await fs.write('/a', bytes)
    same(await fs.read('/a'), bytes)
  },
  'write: keeps 2 MiB': async (fs) => {
    const bytes = pattern(2 * 1024 * 1024)
    await fs.write('/a', bytes)
    same(await fs.read('/a'), bytes)
    equal((await fs.lstat('/a')).size, bytes.length)
  },
  'write: keeps content one byte around a block size': async (fs) => {
    for (const length of [1, 63, 64, 65, 4095, 4096, 4097, 65535, 65536, 65537]) {
      await fs.write('/a', pattern(length))
      same(await fs.read('/a'), pattern(length), `${length} bytes`)
    }
  },
  'write: writes only the window of a view': async (fs) => {
    const whole = utf8('0123456789')
    await fs.write('/a', whole.subarray(3, 6))
    await expectText(fs, '/a', '345')
  },
  'write: accepts a subclass of Uint8Array': async (fs) => {
    class Bytes extends Uint8Array {}
    await fs.write('/a', Bytes.of(1, 2, 3))
    same([...(await fs.read('/a'))], [1, 2, 3])
  },
  'write: into a directory': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/f': 'x' })
    await expectText(fs, '/d/e/f', 'x')
    same(await names(fs, '/d/e'), ['f'])
  },
  'write: a missing parent is ENOENT and is not created': async (fs) => {
    await rejects(put(fs, '/d/a', 'x'), 'ENOENT')
    same(await fs.readdir('/'), [])
  },
  'write: a missing grandparent is ENOENT and is not created': async (fs) => {
    await seed(fs, { '/d': null })
    await rejects(put(fs, '/d/e/f', 'x'), 'ENOENT')
    same(await fs.readdir('/d'), [])
  },
  'write: below a file is ENOTDIR and leaves the file': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(put(fs, '/f/a', 'y'), 'ENOTDIR')
    await rejects(put(fs, '/f/a/b', 'y'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
    same(await names(fs, '/'), ['f'])
  },
  'write: onto a directory is EISDIR and keeps its content': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(put(fs, '/d', 'y'), 'EISDIR')
    await expectText(fs, '/d/a', 'x')
  },
  'write: onto an empty directory is EISDIR': async (fs) => {
    await fs.mkdir('/d')
    await rejects(put(fs, '/d', 'y'), 'EISDIR')
    same(await fs.readdir('/d'), [])
  },
  'write: onto / is EISDIR': async (fs) => {
    await rejects(put(fs, '/', 'y'), 'EISDIR')
  },
  'write: a path that extends another by characters is another file': async (fs) => {
    await seed(fs, { '/ab': 'ab', '/a': 'a', '/abc': 'abc' })
    await put(fs, '/a', 'A')
    await expectText(fs, '/ab', 'ab')
    await expectText(fs, '/abc', 'abc')
  },
  'write: the same content again is accepted': async (fs) => {
    await put(fs, '/a', 'x')
    await put(fs, '/a', 'x')
    await expectText(fs, '/a', 'x')
  },
  'write: keeps the last of 300 writes to one file': async (fs) => {
    for (let i = 0; i < 300; i++) await put(fs, '/a', `version ${i}`)
    await expectText(fs, '/a', 'version 299')
    same(await names(fs, '/'), ['a'])
  },
  'create always: creates and replaces': async (fs) => {
    await fs.write('/a', utf8('1'), { create: 'always' })
    await fs.write('/a', utf8('2'), { create: 'always' })
    await expectText(fs, '/a', '2')
  },
  'create always: is the default': async (fs) => {
    await fs.write('/a', utf8('1'), {})
    await fs.write('/a', utf8('2'), {})
    await expectText(fs, '/a', '2')
  },
  'create never: replaces a file': async (fs) => {
    await put(fs, '/a', 'first')
    await fs.write('/a', utf8('2'), { create: 'never' })
    await expectText(fs, '/a', '2')
  },
  'create never: a missing file is ENOENT and is not created': async (fs) => {
    await rejects(fs.write('/a', utf8('1'), { create: 'never' }), 'ENOENT')
    same(await fs.readdir('/'), [])
  },
  'create never: a missing parent is ENOENT': async (fs) => {
    await rejects(fs.write('/d/a', utf8('1'), { create: 'never' }), 'ENOENT')
  },
  'create never: onto a directory is EISDIR': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.write('/d', utf8('1'), { create: 'never' }), 'EISDIR')
  },
  'create never: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.write('/f/a', utf8('1'), { create: 'never' }), 'ENOTDIR')
  },
  'create exclusive: creates a file': async (fs) => {
    await fs.write('/a', utf8('1'), { create: 'exclusive' })
    await expectText(fs, '/a', '1')
  },
  'create exclusive: onto a file is EEXIST and leaves its content': async (fs) => {
    await put(fs, '/a', 'first')
    await rejects(fs.write('/a', utf8('2'), { create: 'exclusive' }), 'EEXIST')
    await expectText(fs, '/a', 'first')
  },
  'create exclusive: onto an empty file is EEXIST': async (fs) => {
    await put(fs, '/a', '')
    await rejects(fs.write('/a', utf8('2'), { create: 'exclusive' }), 'EEXIST')
    await expectText(fs, '/a', '')
  },
  'create exclusive: onto a directory is EEXIST': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.write('/d', utf8('2'), { create: 'exclusive' }), 'EEXIST')
  },
  'create exclusive: a missing parent is ENOENT': async (fs) => {
    await rejects(fs.write('/d/a', utf8('1'), { create: 'exclusive' }), 'ENOENT')
    await expectAbsent(fs, '/d')
  },
  'create exclusive: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.write('/f/a', utf8('1'), { create: 'exclusive' }), 'ENOTDIR')
  },
  'create exclusive: works again after the file is removed': async (fs) => {
    await fs.write('/a', utf8('1'), { create: 'exclusive' })
    await fs.unlink('/a')
    await fs.write('/a', utf8('2'), { create: 'exclusive' })
    await expectText(fs, '/a', '2')
  },
}
