import { equal, ok, rejects, same } from '../runner.js'
import { expectAbsent, expectKind, expectText, type FsCase, names, put, seed } from './case.js'

const DEPTH = 60
const ENTRIES = 2000

export const directoryCases: Readonly<Record<string, FsCase>> = {
  'mkdir: creates an empty directory': async (fs) => {
    await fs.mkdir('/d')
    await expectKind(fs, '/d', 'dir')
    same(await fs.readdir('/d'), [])
  },
  'mkdir: resolves to undefined': async (fs) => {
    equal(await fs.mkdir('/d'), undefined)
  },
  'mkdir: a missing parent is ENOENT and is not created': async (fs) => {
    await rejects(fs.mkdir('/d/e'), 'ENOENT')
    same(await fs.readdir('/'), [])
  },
  'mkdir: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.mkdir('/f/d'), 'ENOTDIR')
    await rejects(fs.mkdir('/f/d/e'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
  },
  'mkdir: onto a directory is EEXIST and keeps its content': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(fs.mkdir('/d'), 'EEXIST')
    await expectText(fs, '/d/a', 'x')
  },
  'mkdir: onto a file is EEXIST and leaves its content': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.mkdir('/f'), 'EEXIST')
    await expectText(fs, '/f', 'x')
  },
  'mkdir: / is EEXIST': async (fs) => {
    await rejects(fs.mkdir('/'), 'EEXIST')
  },
  'readdir: a new storage is empty': async (fs) => {
    same(await fs.readdir('/'), [])
  },
  'readdir: returns name and kind of every entry': async (fs) => {
    await seed(fs, { '/f': 'x', '/d': null, '/d/inner': 'y' })
    const entries = (await fs.readdir('/')).map(({ name, kind }) => `${name} ${kind}`).sort()
    same(entries, ['d dir', 'f file'])
  },
  'readdir: a size, if present, equals that of lstat': async (fs) => {
    await seed(fs, { '/empty': '', '/five': '12345', '/d': null, '/d/inner': 'yyy' })
    await put(fs, '/five', '123456789')
    for (const { name, size } of await fs.readdir('/')) {
      if (size !== undefined) equal(size, (await fs.lstat(`/${name}`)).size, `the size of "${name}"`)
    }
    same(await names(fs, '/'), ['d', 'empty', 'five'])
  },
  'readdir: shows one level': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/f': 'x', '/d/g': 'y' })
    same(await names(fs, '/'), ['d'])
    same(await names(fs, '/d'), ['e', 'g'])
    same(await names(fs, '/d/e'), ['f'])
  },
  'readdir: a name that extends another is not below it': async (fs) => {
    await seed(fs, { '/a': null, '/a/x': '1', '/ab': null, '/ab/y': '2', '/a.b': '3' })
    same(await names(fs, '/a'), ['x'])
    same(await names(fs, '/ab'), ['y'])
    same(await names(fs, '/'), ['a', 'a.b', 'ab'])
  },
  'readdir: a missing directory is ENOENT': async (fs) => {
    await rejects(fs.readdir('/d'), 'ENOENT')
    await rejects(fs.readdir('/d/e'), 'ENOENT')
  },
  'readdir: a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.readdir('/f'), 'ENOTDIR')
    await rejects(fs.readdir('/f/d'), 'ENOTDIR')
  },
  'readdir: a result may be changed': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y' })
    const first = await fs.readdir('/')
    first.length = 0
    same(await names(fs, '/'), ['a', 'b'])
  },
  'readdir: a result does not follow later changes': async (fs) => {
    await put(fs, '/a', 'x')
    const before = await fs.readdir('/')
    await put(fs, '/b', 'y')
    await fs.unlink('/a')
    same(
      before.map(({ name }) => name),
      ['a'],
    )
  },
  'readdir: follows creation, removal and renaming': async (fs) => {
    await seed(fs, { '/m': '1', '/c': '2', '/x': '3' })
    same(await names(fs, '/'), ['c', 'm', 'x'])
    await put(fs, '/a', '4')
    await fs.unlink('/m')
    await fs.rename('/x', '/b')
    same(await names(fs, '/'), ['a', 'b', 'c'])
  },
  [`readdir: ${ENTRIES} entries are complete`]: async (fs) => {
    await fs.mkdir('/d')
    const expected = Array.from({ length: ENTRIES }, (_, i) => `file-${(i * 7919) % ENTRIES}.txt`)
    for (let i = 0; i < ENTRIES; i += 50) await Promise.all(expected.slice(i, i + 50).map((name) => put(fs, `/d/${name}`, name)))
    same(await names(fs, '/d'), expected.sort())
    await expectText(fs, '/d/file-1234.txt', 'file-1234.txt')
  },
  [`directories: nest ${DEPTH} levels deep`]: async (fs) => {
    let path = ''
    for (let i = 0; i < DEPTH; i++) {
      path += '/d'
      await fs.mkdir(path)
    }
    await put(fs, `${path}/f`, 'deep')
    await expectText(fs, `${path}/f`, 'deep')
    await fs.unlink(`${path}/f`)
    for (; path !== ''; path = path.slice(0, -2)) await fs.rmdir(path)
    same(await fs.readdir('/'), [])
  },
  'rmdir: removes an empty directory, not its parent': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null })
    await fs.rmdir('/d/e')
    same(await fs.readdir('/d'), [])
  },
  'rmdir: a directory with a file is ENOTEMPTY and stays whole': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(fs.rmdir('/d'), 'ENOTEMPTY')
    await expectText(fs, '/d/a', 'x')
  },
  'rmdir: a directory with an empty directory is ENOTEMPTY': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null })
    await rejects(fs.rmdir('/d'), 'ENOTEMPTY')
    await expectKind(fs, '/d/e', 'dir')
  },
  'rmdir: removes a directory that was emptied': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await fs.unlink('/d/a')
    await fs.rmdir('/d')
    await expectAbsent(fs, '/d', '/d/a')
  },
  'rmdir: a file is ENOTDIR and stays': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.rmdir('/f'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
  },
  'rmdir: a missing directory is ENOENT': async (fs) => {
    await rejects(fs.rmdir('/d'), 'ENOENT')
    await rejects(fs.rmdir('/d/e'), 'ENOENT')
  },
  'rmdir: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.rmdir('/f/d'), 'ENOTDIR')
  },
  'rmdir: / is EBUSY, empty or not': async (fs) => {
    await rejects(fs.rmdir('/'), 'EBUSY')
    await put(fs, '/a', 'x')
    await rejects(fs.rmdir('/'), 'EBUSY')
    await expectText(fs, '/a', 'x')
  },
  'rmdir: a directory that is created again is empty': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await fs.unlink('/d/a')
    await fs.rmdir('/d')
    await fs.mkdir('/d')
    same(await fs.readdir('/d'), [])
  },
  'unlink: removes a file': async (fs) => {
    await seed(fs, { '/a': 'x', '/ab': 'y' })
    equal(await fs.unlink('/a'), undefined)
    await rejects(fs.read('/a'), 'ENOENT')
    await expectText(fs, '/ab', 'y')
    same(await names(fs, '/'), ['ab'])
  },
  'unlink: a missing file is ENOENT': async (fs) => {
    await rejects(fs.unlink('/a'), 'ENOENT')
    await rejects(fs.unlink('/d/a'), 'ENOENT')
  },
  'unlink: twice is ENOENT': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.unlink('/a')
    await rejects(fs.unlink('/a'), 'ENOENT')
  },
  'unlink: a directory is EISDIR and stays whole': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(fs.unlink('/d'), 'EISDIR')
    await expectText(fs, '/d/a', 'x')
  },
  'unlink: an empty directory is EISDIR': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.unlink('/d'), 'EISDIR')
    await expectKind(fs, '/d', 'dir')
  },
  'unlink: / is EISDIR': async (fs) => {
    await put(fs, '/a', 'x')
    await rejects(fs.unlink('/'), 'EISDIR')
    await expectText(fs, '/a', 'x')
  },
  'unlink: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.unlink('/f/a'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
  },
  'kinds: a name can be a file, then a directory, then a file': async (fs) => {
    await put(fs, '/n', 'first')
    await fs.unlink('/n')
    await fs.mkdir('/n')
    await put(fs, '/n/a', 'inner')
    await fs.unlink('/n/a')
    await fs.rmdir('/n')
    await put(fs, '/n', 'second')
    await expectText(fs, '/n', 'second')
    await rejects(fs.read('/n/a'), 'ENOTDIR')
  },
  'mtime: of a directory never goes back when its entries change': async (fs) => {
    await fs.mkdir('/d')
    const before = (await fs.lstat('/d')).mtimeMs
    await put(fs, '/d/a', 'x')
    const between = (await fs.lstat('/d')).mtimeMs
    await fs.unlink('/d/a')
    const after = (await fs.lstat('/d')).mtimeMs
    ok(before <= between && between <= after, `Expected times in order, got ${before}, ${between}, ${after}`)
  },
}
