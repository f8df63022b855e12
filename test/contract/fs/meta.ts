import type { FsAdapter } from '../../../src/types/fs.js'
import { equal, ok, rejects, same } from '../runner.js'
import { expectText, type FsCase, type FsCaseGroup, put, seed } from './case.js'

const PAST = 1_000_000_000_123

/** Accepts a difference of up to 1 ms, because storages keep times as binary fractions of seconds. */
async function expectTime(fs: FsAdapter, path: string, mtimeMs: number): Promise<void> {
  const actual = (await fs.lstat(path)).mtimeMs
  ok(Math.abs(actual - mtimeMs) <= 1, `Expected the time of "${path}" to be ${mtimeMs}, got ${actual}`)
}

const setMetaCases: Readonly<Record<string, FsCase>> = {
  'setMeta: sets the time of a file and leaves its content': async (fs) => {
    await put(fs, '/a', 'x')
    equal(await fs.setMeta('/a', { mtimeMs: PAST }), undefined)
    await expectTime(fs, '/a', PAST)
    await fs.setMeta('/a', { mtimeMs: -86_400_123 })
    await expectTime(fs, '/a', -86_400_123)
    await expectText(fs, '/a', 'x')
  },
  'setMeta: sets the time of a directory': async (fs) => {
    await fs.mkdir('/d')
    await fs.setMeta('/d', { mtimeMs: PAST })
    await expectTime(fs, '/d', PAST)
  },
  'setMeta: a later write advances the time': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.setMeta('/a', { mtimeMs: PAST })
    await put(fs, '/a', 'y')
    ok((await fs.lstat('/a')).mtimeMs > PAST + 1, 'Expected a later time')
  },
  'setMeta: a time that was set survives a rename': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.setMeta('/a', { mtimeMs: PAST })
    await fs.rename('/a', '/b')
    await expectTime(fs, '/b', PAST)
  },
  'setMeta: without values changes nothing': async (fs) => {
    await put(fs, '/a', 'x')
    const { mtimeMs } = await fs.lstat('/a')
    await fs.setMeta('/a', {})
    equal((await fs.lstat('/a')).mtimeMs, mtimeMs)
  },
  'setMeta: a missing path is ENOENT and is not created': async (fs) => {
    await rejects(fs.setMeta('/a', { mtimeMs: PAST }), 'ENOENT')
    await rejects(fs.setMeta('/a', {}), 'ENOENT')
    same(await fs.readdir('/'), [])
  },
  'setMeta: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.setMeta('/f/a', { mtimeMs: PAST }), 'ENOTDIR')
  },
}

const setMetaLinkCases: Readonly<Record<string, FsCase>> = {
  'setMeta: of a link never changes its target': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null, '/l': '-> a', '/m': '-> d' })
    const before = (await fs.lstat('/a')).mtimeMs
    // The call may fail, or change the link itself.
    await fs.setMeta('/l', { mtimeMs: PAST }).catch(() => undefined)
    await rejects(fs.setMeta('/m/b', { mtimeMs: PAST }), 'ELOOP')
    equal((await fs.lstat('/a')).mtimeMs, before)
  },
}

const modeCases: Readonly<Record<string, FsCase>> = {
  'mode: is kept for a file': async (fs) => {
    await put(fs, '/a', 'x')
    for (const mode of [0o755, 0o600, 0o444, 0o644]) {
      await fs.setMeta('/a', { mode })
      equal((await fs.lstat('/a')).mode, mode)
    }
  },
  'mode: is kept for a directory': async (fs) => {
    await fs.mkdir('/d')
    await fs.setMeta('/d', { mode: 0o700 })
    equal((await fs.lstat('/d')).mode, 0o700)
  },
  'mode: setting the mode keeps the time, and setting the time keeps the mode': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.setMeta('/a', { mtimeMs: PAST })
    await fs.setMeta('/a', { mode: 0o755 })
    await expectTime(fs, '/a', PAST)
    await fs.setMeta('/a', { mtimeMs: PAST + 5000 })
    equal((await fs.lstat('/a')).mode, 0o755)
  },
  'mode: both at once': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.setMeta('/a', { mode: 0o755, mtimeMs: PAST })
    equal((await fs.lstat('/a')).mode, 0o755)
    await expectTime(fs, '/a', PAST)
  },
  'mode: survives a write and a rename': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.setMeta('/a', { mode: 0o755 })
    await put(fs, '/a', 'y')
    equal((await fs.lstat('/a')).mode, 0o755)
    await fs.rename('/a', '/b')
    equal((await fs.lstat('/b')).mode, 0o755)
  },
  'mode: a type bit is ENOTSUP': async (fs) => {
    await put(fs, '/a', 'x')
    const before = (await fs.lstat('/a')).mode
    await rejects(fs.setMeta('/a', { mode: 0o100755 }), 'ENOTSUP')
    equal((await fs.lstat('/a')).mode, before)
  },
}

const noModeCases: Readonly<Record<string, FsCase>> = {
  'mode: where it is not kept, setting it is ENOTSUP': async (fs) => {
    await put(fs, '/a', 'x')
    await rejects(fs.setMeta('/a', { mode: 0o755 }), 'ENOTSUP')
  },
}

export const metaGroups: readonly FsCaseGroup[] = [
  { needs: ['setMeta'], cases: setMetaCases },
  { needs: ['setMeta', 'symlink'], cases: setMetaLinkCases },
  { needs: ['setMeta', 'mode'], cases: modeCases },
  { needs: ['setMeta'], lacks: ['mode'], cases: noModeCases },
]
