import { equal, rejects, same } from '../runner.js'
import { expectText, type FsCase, type FsCaseGroup, type FullFs, names, put, seed, utf8 } from './case.js'

type Call = (fs: FullFs) => Promise<unknown>

/** One call of each required method, on existing paths where the method needs one. */
const REQUIRED: Readonly<Record<string, Call>> = {
  lstat: (fs) => fs.lstat('/f'),
  readdir: (fs) => fs.readdir('/d'),
  read: (fs) => fs.read('/f'),
  write: (fs) => fs.write('/new', utf8('x')),
  mkdir: (fs) => fs.mkdir('/new'),
  unlink: (fs) => fs.unlink('/f'),
  rmdir: (fs) => fs.rmdir('/d'),
  rename: (fs) => fs.rename('/f', '/g'),
  flush: (fs) => fs.flush(),
}

const LINKING: Readonly<Record<string, Call>> = { readlink: (fs) => fs.readlink('/l'), symlink: (fs) => fs.symlink('f', '/new') }
const APPENDING: Readonly<Record<string, Call>> = { append: (fs) => fs.append('/f', utf8('x')) }
const COPYING: Readonly<Record<string, Call>> = { copy: (fs) => fs.copy('/f', '/new') }
const REMOVING: Readonly<Record<string, Call>> = { rmTree: (fs) => fs.rmTree('/d') }
const SETTING: Readonly<Record<string, Call>> = { setMeta: (fs) => fs.setMeta('/f', { mtimeMs: 1 }) }
const COUNTING: Readonly<Record<string, Call>> = { usage: (fs) => fs.usage() }

function refusedWhenClosed(calls: Readonly<Record<string, Call>>): Record<string, FsCase> {
  const cases: Record<string, FsCase> = {}
  for (const [method, call] of Object.entries(calls)) {
    cases[`close: ${method} afterwards is EIO`] = async (fs) => {
      await seed(fs, { '/d': null, '/f': 'x' })
      await fs.close()
      await rejects(call(fs), 'EIO')
    }
  }
  return cases
}

const closingCases: Readonly<Record<string, FsCase>> = {
  'flush: resolves to undefined, also twice and without changes': async (fs) => {
    equal(await fs.flush(), undefined)
    await put(fs, '/a', 'x')
    await fs.flush()
    await fs.flush()
    await expectText(fs, '/a', 'x')
  },
  'flush: leaves the storage usable': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.flush()
    await put(fs, '/b', 'y')
    same(await names(fs, '/'), ['a', 'b'])
  },
  'close: may be called twice, and at the same time': async (fs) => {
    await put(fs, '/a', 'x')
    equal(await fs.close(), undefined)
    await fs.close()
    await Promise.all([fs.close(), fs.close()])
  },
  'close: on a storage that was never used': async (fs) => {
    await fs.close()
    await rejects(fs.lstat('/'), 'EIO')
  },
  'open: twice or not at all, the storage is usable': async (fs) => {
    await fs.open?.()
    await fs.open?.()
    await put(fs, '/a', 'x')
    await expectText(fs, '/a', 'x')
  },
}

export const closingGroups: readonly FsCaseGroup[] = [
  { cases: { ...closingCases, ...refusedWhenClosed(REQUIRED) } },
  { needs: ['symlink'], cases: refusedWhenClosed(LINKING) },
  { needs: ['append'], cases: refusedWhenClosed(APPENDING) },
  { needs: ['copy'], cases: refusedWhenClosed(COPYING) },
  { needs: ['rmTree'], cases: refusedWhenClosed(REMOVING) },
  { needs: ['setMeta'], cases: refusedWhenClosed(SETTING) },
  { needs: ['usage'], cases: refusedWhenClosed(COUNTING) },
]
