import { FsError } from '../../../src/errors/index.js'
import { equal, ok, rejects, same } from '../runner.js'
import { type FsCase, type FullFs, put, seed, utf8 } from './case.js'

interface Refusal {
  readonly code: 'ENOENT' | 'ENOTDIR' | 'EISDIR' | 'EEXIST' | 'ENOTEMPTY' | 'EINVAL' | 'EBUSY'
  readonly path: string
  readonly call: (fs: FullFs) => Promise<unknown>
}

/** Failing calls over the tree `/d/a`, `/e` (empty), `/f`. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  lstat: { code: 'ENOENT', path: '/none', call: (fs) => fs.lstat('/none') },
  readdir: { code: 'ENOTDIR', path: '/f', call: (fs) => fs.readdir('/f') },
  read: { code: 'ENOENT', path: '/d/none', call: (fs) => fs.read('/d/none') },
  'read of a directory': { code: 'EISDIR', path: '/d', call: (fs) => fs.read('/d') },
  write: { code: 'ENOENT', path: '/none/a', call: (fs) => fs.write('/none/a', utf8('x')) },
  'write over a directory': { code: 'EISDIR', path: '/d', call: (fs) => fs.write('/d', utf8('x')) },
  'exclusive write': { code: 'EEXIST', path: '/f', call: (fs) => fs.write('/f', utf8('x'), { create: 'exclusive' }) },
  mkdir: { code: 'EEXIST', path: '/d', call: (fs) => fs.mkdir('/d') },
  unlink: { code: 'EISDIR', path: '/e', call: (fs) => fs.unlink('/e') },
  rmdir: { code: 'ENOTEMPTY', path: '/d', call: (fs) => fs.rmdir('/d') },
  'rmdir of the root': { code: 'EBUSY', path: '/', call: (fs) => fs.rmdir('/') },
  rename: { code: 'ENOENT', path: '/none', call: (fs) => fs.rename('/none', '/new') },
  'rename into itself': { code: 'EINVAL', path: '/d', call: (fs) => fs.rename('/d', '/d/x') },
  'path below a file': { code: 'ENOTDIR', path: '/f/x', call: (fs) => fs.lstat('/f/x') },
}

const errorCases: Record<string, FsCase> = {}
for (const [what, { code, path, call }] of Object.entries(REFUSALS)) {
  errorCases[`error of ${what}: names the path it was given`] = async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x', '/e': null, '/f': 'y' })
    const error = await rejects(call(fs), code)
    equal(error.path, path, 'the path of the error')
    ok(error instanceof Error, 'Expected an Error')
    ok(error.message.includes(`"${path}"`), `Expected a message that names "${path}", got "${error.message}"`)
  }
}

/** Calls that must return a rejected promise instead of throwing synchronously. */
const CALLS: readonly ((fs: FullFs) => Promise<unknown>)[] = [
  (fs) => fs.lstat('/none'),
  (fs) => fs.readdir('/none'),
  (fs) => fs.read('/none'),
  (fs) => fs.write('/none/a', utf8('x')),
  (fs) => fs.mkdir('/none/d'),
  (fs) => fs.unlink('/none'),
  (fs) => fs.rmdir('/none'),
  (fs) => fs.rename('/none', '/new'),
]

export const faultCases: Readonly<Record<string, FsCase>> = {
  ...errorCases,
  'errors: are rejections, never thrown by the call itself': async (fs) => {
    for (const call of CALLS) {
      const promise = call(fs)
      ok(promise instanceof Promise, 'Expected a promise')
      await rejects(promise, 'ENOENT')
    }
  },
  'errors: a rejected call leaves the storage usable': async (fs) => {
    for (const call of CALLS) await rejects(call(fs), 'ENOENT')
    await put(fs, '/a', 'x')
    same(await fs.read('/a'), utf8('x'))
  },
  'errors: are recognised without instanceof': async (fs) => {
    const error: unknown = await fs.read('/none').catch((reason: unknown) => reason)
    ok(FsError.is(error), 'Expected FsError.is to recognise it')
    equal(error.name, 'FsError')
  },
  'capabilities: are all declared': async (fs) => {
    ok(fs.name !== '', 'Expected a name')
    const { persistence, ...flags } = fs.can
    ok(['memory', 'best-effort', 'durable'].includes(persistence), `Expected a persistence, got "${persistence}"`)
    same(Object.keys(flags).sort(), ['atomicReplace', 'caseSensitive', 'dirRename', 'durableOnAck', 'mode', 'raceSafe'])
    for (const [name, value] of Object.entries(flags)) equal(typeof value, 'boolean', `the type of can.${name}`)
  },
}
