import { equal, rejects, same } from '../runner.js'
import { expectAbsent, expectKind, expectText, type FsCase, type FsCaseGroup, type FullFs, names, put, seed, utf8 } from './case.js'

const TARGETS: Readonly<Record<string, string>> = {
  relative: 'a/b',
  absolute: '/a/b',
  'that leads out': '../../../etc/passwd',
  'with dots and doubled slashes': './a//b/../c/',
  Unicode: 'grün/🙂',
  'with spaces and quotes': ' a "b" ',
  'of 1,000 bytes': 'x/'.repeat(500),
}

const targetCases: Record<string, FsCase> = {}
for (const [what, target] of Object.entries(TARGETS)) {
  targetCases[`symlink: keeps a target ${what} as it is`] = async (fs) => {
    await fs.symlink(target, '/l')
    equal(await fs.readlink('/l'), target)
    const stat = await fs.lstat('/l')
    equal(stat.kind, 'symlink')
    equal(stat.size, utf8(target).length, 'the size of the link')
  }
}

/** Each call acts on a path below the symlink `/l`, which leads to the directory `/d` with the file `a` and the directory `e`. */
const THROUGH: Readonly<Record<string, (fs: FullFs) => Promise<unknown>>> = {
  lstat: (fs) => fs.lstat('/l/a'),
  readdir: (fs) => fs.readdir('/l/e'),
  read: (fs) => fs.read('/l/a'),
  write: (fs) => put(fs, '/l/a', 'changed'),
  'write of a new file': (fs) => put(fs, '/l/new', 'changed'),
  mkdir: (fs) => fs.mkdir('/l/new'),
  unlink: (fs) => fs.unlink('/l/a'),
  rmdir: (fs) => fs.rmdir('/l/e'),
  'rename from': (fs) => fs.rename('/l/a', '/new'),
  'rename to': (fs) => fs.rename('/x', '/l/new'),
  readlink: (fs) => fs.readlink('/l/a'),
  symlink: (fs) => fs.symlink('a', '/l/new'),
  'lstat of a missing path': (fs) => fs.lstat('/l/none/none'),
}

const throughCases: Record<string, FsCase> = {}
for (const [what, act] of Object.entries(THROUGH)) {
  throughCases[`link in the path: ${what} is ELOOP and changes nothing`] = async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x', '/d/e': null, '/x': 'y', '/l': '-> d' })
    await rejects(act(fs), 'ELOOP')
    await expectText(fs, '/d/a', 'x')
    await expectText(fs, '/x', 'y')
    same(await names(fs, '/d'), ['a', 'e'])
    same(await names(fs, '/'), ['d', 'l', 'x'])
  }
}

const linkCases: Readonly<Record<string, FsCase>> = {
  'symlink: resolves to undefined and needs no target': async (fs) => {
    equal(await fs.symlink('nowhere', '/l'), undefined)
    await expectKind(fs, '/l', 'symlink')
  },
  'symlink: onto a file is EEXIST and leaves it': async (fs) => {
    await put(fs, '/a', 'x')
    await rejects(fs.symlink('t', '/a'), 'EEXIST')
    await expectText(fs, '/a', 'x')
  },
  'symlink: onto a directory is EEXIST': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.symlink('t', '/d'), 'EEXIST')
    await expectKind(fs, '/d', 'dir')
  },
  'symlink: onto a link is EEXIST and leaves it': async (fs) => {
    await fs.symlink('first', '/l')
    await rejects(fs.symlink('second', '/l'), 'EEXIST')
    equal(await fs.readlink('/l'), 'first')
  },
  'symlink: onto / is EEXIST': async (fs) => {
    await rejects(fs.symlink('t', '/'), 'EEXIST')
  },
  'symlink: a missing parent is ENOENT': async (fs) => {
    await rejects(fs.symlink('t', '/d/l'), 'ENOENT')
    await expectAbsent(fs, '/d')
  },
  'symlink: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.symlink('t', '/f/l'), 'ENOTDIR')
  },
  'readlink: a file or a directory is EINVAL': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null })
    await rejects(fs.readlink('/a'), 'EINVAL')
    await rejects(fs.readlink('/d'), 'EINVAL')
    await rejects(fs.readlink('/'), 'EINVAL')
  },
  'readlink: a missing path is ENOENT, below a file ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.readlink('/l'), 'ENOENT')
    await rejects(fs.readlink('/f/l'), 'ENOTDIR')
  },
  'readdir: shows a link as a link': async (fs) => {
    await seed(fs, { '/d': null, '/l': '-> d', '/m': '-> nowhere' })
    const entries = (await fs.readdir('/')).map(({ name, kind }) => `${name} ${kind}`).sort()
    same(entries, ['d dir', 'l symlink', 'm symlink'])
    for (const { name, size } of await fs.readdir('/')) {
      if (size !== undefined) equal(size, (await fs.lstat(`/${name}`)).size, `the size of "${name}"`)
    }
  },
  'link as the path: read is ELOOP': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null, '/l': '-> a', '/m': '-> d', '/n': '-> nowhere' })
    await rejects(fs.read('/l'), 'ELOOP')
    await rejects(fs.read('/m'), 'ELOOP')
    await rejects(fs.read('/n'), 'ELOOP')
    await rejects(fs.read('/l', { length: 0 }), 'ELOOP')
  },
  'link as the path: write is ELOOP and leaves the target': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a' })
    await rejects(put(fs, '/l', 'changed'), 'ELOOP')
    await rejects(fs.write('/l', utf8('changed'), { create: 'never' }), 'ELOOP')
    await expectText(fs, '/a', 'x')
    equal(await fs.readlink('/l'), 'a')
  },
  'link as the path: write to a dangling link creates nothing': async (fs) => {
    await fs.symlink('nowhere', '/l')
    await rejects(put(fs, '/l', 'changed'), 'ELOOP')
    same(await names(fs, '/'), ['l'])
  },
  'link as the path: exclusive write is EEXIST': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a', '/m': '-> nowhere' })
    await rejects(fs.write('/l', utf8('changed'), { create: 'exclusive' }), 'EEXIST')
    await rejects(fs.write('/m', utf8('changed'), { create: 'exclusive' }), 'EEXIST')
    await expectText(fs, '/a', 'x')
    await expectAbsent(fs, '/nowhere')
  },
  'link as the path: readdir is ELOOP': async (fs) => {
    await seed(fs, { '/d': null, '/l': '-> d', '/m': '-> nowhere' })
    await rejects(fs.readdir('/l'), 'ELOOP')
    await rejects(fs.readdir('/m'), 'ELOOP')
  },
  'link as the path: mkdir is EEXIST, also for a dangling link': async (fs) => {
    await seed(fs, { '/d': null, '/l': '-> d', '/m': '-> nowhere' })
    await rejects(fs.mkdir('/l'), 'EEXIST')
    await rejects(fs.mkdir('/m'), 'EEXIST')
    await expectAbsent(fs, '/nowhere')
  },
  'link as the path: unlink removes the link and leaves a target file': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a' })
    await fs.unlink('/l')
    await expectText(fs, '/a', 'x')
    await expectAbsent(fs, '/l')
  },
  'link as the path: unlink removes the link and leaves a target directory': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x', '/l': '-> d' })
    await fs.unlink('/l')
    await expectText(fs, '/d/a', 'x')
    same(await names(fs, '/'), ['d'])
  },
  'link as the path: unlink removes a dangling link': async (fs) => {
    await fs.symlink('nowhere', '/l')
    await fs.unlink('/l')
    same(await fs.readdir('/'), [])
  },
  'link as the path: rmdir is ENOTDIR and leaves both': async (fs) => {
    await seed(fs, { '/d': null, '/l': '-> d' })
    await rejects(fs.rmdir('/l'), 'ENOTDIR')
    same(await names(fs, '/'), ['d', 'l'])
  },
  'link in a directory: rmdir is ENOTEMPTY': async (fs) => {
    await seed(fs, { '/d': null, '/d/l': '-> nowhere' })
    await rejects(fs.rmdir('/d'), 'ENOTEMPTY')
    equal(await fs.readlink('/d/l'), 'nowhere')
  },
  'link to itself: lstat shows it, read is ELOOP, unlink removes it': async (fs) => {
    await fs.symlink('l', '/l')
    await expectKind(fs, '/l', 'symlink')
    await rejects(fs.read('/l'), 'ELOOP')
    await rejects(fs.lstat('/l/a'), 'ELOOP')
    await fs.unlink('/l')
    same(await fs.readdir('/'), [])
  },
  'link in the path: a link to a file and a dangling link are ELOOP too': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a', '/m': '-> nowhere' })
    await rejects(fs.lstat('/l/b'), 'ELOOP')
    await rejects(fs.lstat('/m/b'), 'ELOOP')
    await rejects(put(fs, '/m/b', 'y'), 'ELOOP')
  },
  'link in the path: anywhere before the last component': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/a': 'x', '/d/l': '-> e', '/l': '-> d' })
    await rejects(fs.read('/d/l/a'), 'ELOOP')
    await rejects(fs.read('/l/e/a'), 'ELOOP')
    await rejects(fs.readdir('/l/e'), 'ELOOP')
  },
  'rename of a link: moves the link, not its target': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a' })
    await fs.rename('/l', '/m')
    equal(await fs.readlink('/m'), 'a')
    await expectText(fs, '/a', 'x')
    same(await names(fs, '/'), ['a', 'm'])
  },
  'rename of a link: a link to a directory moves as itself': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x', '/l': '-> d' })
    await fs.rename('/l', '/m')
    equal(await fs.readlink('/m'), 'd')
    await expectText(fs, '/d/a', 'x')
  },
  'rename of a link: a relative target does not change': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null, '/l': '-> a' })
    await fs.rename('/l', '/d/l')
    equal(await fs.readlink('/d/l'), 'a')
  },
  'rename of a link: onto itself changes nothing': async (fs) => {
    await fs.symlink('nowhere', '/l')
    await fs.rename('/l', '/l')
    equal(await fs.readlink('/l'), 'nowhere')
  },
  'rename of a link: onto its own target replaces the target': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a' })
    await fs.rename('/l', '/a')
    equal(await fs.readlink('/a'), 'a')
    same(await names(fs, '/'), ['a'])
  },
  'rename of a link: replaces a file': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y', '/l': '-> a' })
    await fs.rename('/l', '/b')
    equal(await fs.readlink('/b'), 'a')
    await expectText(fs, '/a', 'x')
  },
  'rename of a link: onto a directory is EISDIR': async (fs) => {
    await seed(fs, { '/d': null, '/l': '-> nowhere' })
    await rejects(fs.rename('/l', '/d'), 'EISDIR')
    equal(await fs.readlink('/l'), 'nowhere')
    await expectKind(fs, '/d', 'dir')
  },
  'rename onto a link: a file replaces the link and leaves its target': async (fs) => {
    await seed(fs, { '/a': 'x', '/b': 'y', '/l': '-> a' })
    await fs.rename('/b', '/l')
    await expectText(fs, '/l', 'y')
    await expectText(fs, '/a', 'x')
    same(await names(fs, '/'), ['a', 'l'])
  },
  'rename onto a link: the target itself replaces the link': async (fs) => {
    await seed(fs, { '/a': 'x', '/l': '-> a' })
    await fs.rename('/a', '/l')
    await expectText(fs, '/l', 'x')
    same(await names(fs, '/'), ['l'])
  },
  'rename onto a link: a directory is ENOTDIR and changes nothing': async (fs) => {
    await seed(fs, { '/d': null, '/e': null, '/l': '-> e' })
    await rejects(fs.rename('/d', '/l'), 'ENOTDIR')
    same(await names(fs, '/'), ['d', 'e', 'l'])
    equal(await fs.readlink('/l'), 'e')
  },
  'rename of a directory: moves the links in it unchanged': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null, '/d/l': '-> ../a' })
    await fs.rename('/d', '/e')
    equal(await fs.readlink('/e/l'), '../a')
    await expectText(fs, '/a', 'x')
  },
}

export const symlinkGroups: readonly FsCaseGroup[] = [{ needs: ['symlink'], cases: { ...targetCases, ...linkCases, ...throughCases } }]
