import { equal, ok, rejects, same } from '../runner.js'
import { expectAbsent, expectText, type FsCase, type FsCaseGroup, names, pattern, put, seed, utf8 } from './case.js'

const copyCases: Readonly<Record<string, FsCase>> = {
  'copy: creates a file with the same content': async (fs) => {
    await seed(fs, { '/a': 'content', '/d': null })
    equal(await fs.copy('/a', '/d/b'), undefined)
    await expectText(fs, '/a', 'content')
    await expectText(fs, '/d/b', 'content')
  },
  'copy: replaces longer content completely': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'a much longer content' })
    await fs.copy('/a', '/b')
    await expectText(fs, '/b', 'x')
  },
  'copy: an empty file': async (fs) => {
    await seed(fs, { '/a': '', '/b': 'x' })
    await fs.copy('/a', '/b')
    await expectText(fs, '/b', '')
  },
  'copy: 2 MiB': async (fs) => {
    await fs.write('/a', pattern(2 * 1024 * 1024))
    await fs.copy('/a', '/b')
    same(await fs.read('/b'), pattern(2 * 1024 * 1024))
  },
  'copy: the two are independent afterwards': async (fs) => {
    await put(fs, '/a', 'content')
    await fs.copy('/a', '/b')
    await put(fs, '/b', 'changed')
    await expectText(fs, '/a', 'content')
    await fs.copy('/a', '/c')
    await fs.unlink('/a')
    await expectText(fs, '/c', 'content')
  },
  'copy: onto itself keeps the content': async (fs) => {
    await put(fs, '/a', 'content')
    await fs.copy('/a', '/a')
    await expectText(fs, '/a', 'content')
  },
  'copy: a missing source is ENOENT and leaves the target': async (fs) => {
    await put(fs, '/b', 'x')
    await rejects(fs.copy('/a', '/b'), 'ENOENT')
    await expectText(fs, '/b', 'x')
    await rejects(fs.copy('/a', '/c'), 'ENOENT')
    await expectAbsent(fs, '/c')
  },
  'copy: a directory is EISDIR': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(fs.copy('/d', '/e'), 'EISDIR')
    await rejects(fs.copy('/', '/e'), 'EISDIR')
    await expectAbsent(fs, '/e')
  },
  'copy: onto a directory is EISDIR': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null })
    await rejects(fs.copy('/a', '/d'), 'EISDIR')
    await rejects(fs.copy('/a', '/'), 'EISDIR')
    same(await fs.readdir('/d'), [])
  },
  'copy: a missing target directory is ENOENT': async (fs) => {
    await put(fs, '/a', 'x')
    await rejects(fs.copy('/a', '/d/a'), 'ENOENT')
    await expectAbsent(fs, '/d')
  },
  'copy: below a file is ENOTDIR': async (fs) => {
    await seed(fs, { '/a': 'x', '/f': 'y' })
    await rejects(fs.copy('/a', '/f/a'), 'ENOTDIR')
    await rejects(fs.copy('/f/a', '/b'), 'ENOTDIR')
    await expectText(fs, '/f', 'y')
  },
  'copy: changes the version of an existing target': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y' })
    const before = (await fs.lstat('/b')).version
    await fs.copy('/a', '/b')
    ok((await fs.lstat('/b')).version !== before, 'Expected another version')
  },
}

const copyAppendCases: Readonly<Record<string, FsCase>> = {
  'copy: appending to either leaves the other': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.append('/a', utf8('y'))
    await fs.copy('/a', '/b')
    await fs.append('/a', utf8('1'))
    await fs.append('/b', utf8('2'))
    await fs.append('/a', utf8('3'))
    await expectText(fs, '/a', 'xy13')
    await expectText(fs, '/b', 'xy2')
  },
}

const copyLinkCases: Readonly<Record<string, FsCase>> = {
  'copy: from or onto a link is ELOOP and leaves the target': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y', '/d': null, '/l': '-> a', '/m': '-> nowhere', '/n': '-> d' })
    await rejects(fs.copy('/l', '/c'), 'ELOOP')
    await rejects(fs.copy('/b', '/l'), 'ELOOP')
    await rejects(fs.copy('/b', '/m'), 'ELOOP')
    await rejects(fs.copy('/b', '/n/c'), 'ELOOP')
    await expectText(fs, '/a', 'x')
    same(await names(fs, '/'), ['a', 'b', 'd', 'l', 'm', 'n'])
  },
}

const copyModeCases: Readonly<Record<string, FsCase>> = {
  'copy: copies the mode, to a new and to an existing file': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y' })
    await fs.setMeta('/a', { mode: 0o755 })
    await fs.copy('/a', '/b')
    await fs.copy('/a', '/c')
    equal((await fs.lstat('/b')).mode, 0o755)
    equal((await fs.lstat('/c')).mode, 0o755)
  },
}

export const copyGroups: readonly FsCaseGroup[] = [
  { needs: ['copy'], cases: copyCases },
  { needs: ['copy', 'append'], cases: copyAppendCases },
  { needs: ['copy', 'symlink'], cases: copyLinkCases },
  { needs: ['copy', 'setMeta', 'mode'], cases: copyModeCases },
]
