import { equal, rejects, same } from '../runner.js'
import { expectAbsent, expectKind, expectText, type FsCase, names, pattern, put, seed } from './case.js'

export const renameCases: Readonly<Record<string, FsCase>> = {
  'rename: renames a file': async (fs) => {
    await put(fs, '/a', 'x')
    equal(await fs.rename('/a', '/b'), undefined)
    await expectText(fs, '/b', 'x')
    await expectAbsent(fs, '/a')
    same(await names(fs, '/'), ['b'])
  },
  'rename: moves a file into another directory': async (fs) => {
    await seed(fs, { '/d': null, '/e': null, '/d/a': 'x' })
    await fs.rename('/d/a', '/e/b')
    await expectText(fs, '/e/b', 'x')
    same(await fs.readdir('/d'), [])
  },
  'rename: moves a file up to / and down again': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/a': 'x' })
    await fs.rename('/d/e/a', '/a')
    await expectText(fs, '/a', 'x')
    await fs.rename('/a', '/d/e/a')
    await expectText(fs, '/d/e/a', 'x')
    same(await names(fs, '/'), ['d'])
  },
  'rename: moves an empty file': async (fs) => {
    await put(fs, '/a', '')
    await fs.rename('/a', '/b')
    await expectText(fs, '/b', '')
  },
  'rename: keeps 1 MiB whole': async (fs) => {
    await fs.write('/a', pattern(1024 * 1024))
    await fs.rename('/a', '/b')
    same(await fs.read('/b'), pattern(1024 * 1024))
  },
  'rename: a file onto itself changes nothing': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.rename('/a', '/a')
    await expectText(fs, '/a', 'x')
    same(await names(fs, '/'), ['a'])
  },
  'rename: a directory onto itself changes nothing': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await fs.rename('/d', '/d')
    await expectText(fs, '/d/a', 'x')
  },
  'rename: a missing path onto itself is ENOENT': async (fs) => {
    await rejects(fs.rename('/a', '/a'), 'ENOENT')
    same(await fs.readdir('/'), [])
  },
  'rename: a file replaces a file': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'a much longer content' })
    await fs.rename('/a', '/b')
    await expectText(fs, '/b', 'x')
    equal((await fs.lstat('/b')).size, 1)
    same(await names(fs, '/'), ['b'])
    await seed(fs, { '/in': null, '/in/a': 'x', '/in/b': 'y' })
    await fs.rename('/in/a', '/in/b')
    await fs.unlink('/in/b')
    // Some libraries still count the replaced file, and then reject the removal.
    await fs.rmdir('/in')
  },
  'rename: a file onto an empty directory is EISDIR and leaves both': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null })
    await rejects(fs.rename('/a', '/d'), 'EISDIR')
    await expectText(fs, '/a', 'x')
    await expectKind(fs, '/d', 'dir')
  },
  'rename: a file onto a non-empty directory is EISDIR and leaves both': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null, '/d/b': 'y' })
    await rejects(fs.rename('/a', '/d'), 'EISDIR')
    await expectText(fs, '/a', 'x')
    await expectText(fs, '/d/b', 'y')
  },
  'rename: a missing source is ENOENT and leaves the target': async (fs) => {
    await put(fs, '/b', 'y')
    await rejects(fs.rename('/a', '/b'), 'ENOENT')
    await expectText(fs, '/b', 'y')
  },
  'rename: a missing source is ENOENT and leaves an empty target directory': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.rename('/a', '/d'), 'ENOENT')
    await expectKind(fs, '/d', 'dir')
  },
  'rename: a missing source directory is ENOENT': async (fs) => {
    await rejects(fs.rename('/d/a', '/b'), 'ENOENT')
  },
  'rename: a missing target directory is ENOENT and leaves the source': async (fs) => {
    await put(fs, '/a', 'x')
    await rejects(fs.rename('/a', '/d/a'), 'ENOENT')
    await expectText(fs, '/a', 'x')
    same(await names(fs, '/'), ['a'])
  },
  'rename: a source below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.rename('/f/a', '/b'), 'ENOTDIR')
    await expectAbsent(fs, '/b')
  },
  'rename: a target below a file is ENOTDIR and leaves both': async (fs) => {
    await seed(fs, { '/f': 'x', '/a': 'y' })
    await rejects(fs.rename('/a', '/f/a'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
    await expectText(fs, '/a', 'y')
  },
  'rename: a file below itself is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.rename('/f', '/f/g'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
  },
  'rename: a directory moves with everything below it': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/d/e': null, '/d/e/b': '2', '/d/e/g': null })
    await fs.rename('/d', '/n')
    await expectText(fs, '/n/a', '1')
    await expectText(fs, '/n/e/b', '2')
    same(await fs.readdir('/n/e/g'), [])
    await expectAbsent(fs, '/d', '/d/a', '/d/e/b')
    same(await names(fs, '/'), ['n'])
  },
  'rename: a directory goes into another directory': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/e': null, '/e/f': null })
    await fs.rename('/d', '/e/f/g')
    await expectText(fs, '/e/f/g/a', '1')
    same(await names(fs, '/'), ['e'])
  },
  'rename: a moved directory can be used as any other': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1' })
    await fs.rename('/d', '/n')
    await put(fs, '/n/b', '2')
    await fs.unlink('/n/a')
    same(await names(fs, '/n'), ['b'])
    await fs.mkdir('/d')
    same(await fs.readdir('/d'), [])
  },
  'rename: renames an empty directory': async (fs) => {
    await fs.mkdir('/d')
    await fs.rename('/d', '/e')
    await expectKind(fs, '/e', 'dir')
    await expectAbsent(fs, '/d')
  },
  'rename: a directory replaces an empty directory': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/e': null })
    await fs.rename('/d', '/e')
    await expectText(fs, '/e/a', '1')
    same(await names(fs, '/'), ['e'])
    await seed(fs, { '/in': null, '/in/d': null, '/in/e': null })
    await fs.rename('/in/d', '/in/e')
    await fs.rmdir('/in/e')
    await fs.rmdir('/in')
  },
  'rename: an empty directory replaces an empty directory': async (fs) => {
    await seed(fs, { '/d': null, '/e': null })
    await fs.rename('/d', '/e')
    same(await names(fs, '/'), ['e'])
  },
  'rename: a directory onto a non-empty one is ENOTEMPTY and leaves both': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/e': null, '/e/b': '2' })
    await rejects(fs.rename('/d', '/e'), 'ENOTEMPTY')
    await expectText(fs, '/d/a', '1')
    await expectText(fs, '/e/b', '2')
    same(await names(fs, '/e'), ['b'])
  },
  'rename: an empty directory onto a non-empty one is ENOTEMPTY': async (fs) => {
    await seed(fs, { '/d': null, '/e': null, '/e/b': '2' })
    await rejects(fs.rename('/d', '/e'), 'ENOTEMPTY')
    await expectText(fs, '/e/b', '2')
  },
  'rename: a directory onto its own parent is ENOTEMPTY and leaves both': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/a': '1' })
    await rejects(fs.rename('/d/e', '/d'), 'ENOTEMPTY')
    await expectText(fs, '/d/e/a', '1')
  },
  'rename: a directory onto a file is ENOTDIR and leaves both': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/f': 'x' })
    await rejects(fs.rename('/d', '/f'), 'ENOTDIR')
    await expectText(fs, '/d/a', '1')
    await expectText(fs, '/f', 'x')
  },
  'rename: an empty directory onto a file is ENOTDIR': async (fs) => {
    await seed(fs, { '/d': null, '/f': 'x' })
    await rejects(fs.rename('/d', '/f'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
  },
  'rename: a directory into itself is EINVAL and loses nothing': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1' })
    await rejects(fs.rename('/d', '/d/z'), 'EINVAL')
    await expectText(fs, '/d/a', '1')
    same(await names(fs, '/d'), ['a'])
  },
  'rename: an empty directory into itself is EINVAL': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.rename('/d', '/d/z'), 'EINVAL')
    same(await fs.readdir('/d'), [])
  },
  'rename: a directory into its own child is EINVAL and loses nothing': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/f': null, '/d/e/f/a': '1' })
    await rejects(fs.rename('/d', '/d/e/z'), 'EINVAL')
    await rejects(fs.rename('/d', '/d/e/f/z'), 'EINVAL')
    await expectText(fs, '/d/e/f/a', '1')
  },
  'rename: a directory onto its own child is EINVAL and loses nothing': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/a': '1' })
    await rejects(fs.rename('/d', '/d/e'), 'EINVAL')
    await rejects(fs.rename('/d', '/d/a'), 'EINVAL')
    same(await names(fs, '/d'), ['a', 'e'])
    await expectText(fs, '/d/a', '1')
  },
  'rename: a directory to a name that extends its own is not a move into itself': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/de': null })
    await fs.rename('/d', '/de/d')
    await fs.rename('/de/d', '/d')
    await fs.rename('/d', '/de')
    await fs.rename('/de', '/def')
    await expectText(fs, '/def/a', '1')
    same(await names(fs, '/'), ['def'])
  },
  'rename: / as the source is EBUSY': async (fs) => {
    await put(fs, '/a', 'x')
    await rejects(fs.rename('/', '/b'), 'EBUSY')
    await expectText(fs, '/a', 'x')
  },
  'rename: / as the target is EBUSY': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(fs.rename('/d', '/'), 'EBUSY')
    await expectText(fs, '/d/a', 'x')
  },
  'rename: two files swap through a third name': async (fs) => {
    await seed(fs, { '/a': '1', '/b': '2' })
    await fs.rename('/a', '/t')
    await fs.rename('/b', '/a')
    await fs.rename('/t', '/b')
    await expectText(fs, '/a', '2')
    await expectText(fs, '/b', '1')
    same(await names(fs, '/'), ['a', 'b'])
  },
  'rename: the old name can be reused at once': async (fs) => {
    await put(fs, '/a', '1')
    await fs.rename('/a', '/b')
    await put(fs, '/a', '2')
    await expectText(fs, '/a', '2')
    await expectText(fs, '/b', '1')
  },
  'rename: a name that differs only in case': async (fs) => {
    await put(fs, '/readme', 'x')
    await fs.rename('/readme', '/README')
    same(await names(fs, '/'), ['README'])
    await expectText(fs, '/README', 'x')
  },
}
