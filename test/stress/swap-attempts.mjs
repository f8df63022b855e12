// The calls that are made during the swaps, and how an escape is detected.
import { INSIDE, OUTSIDE } from './swap-arena.mjs'

/** @typedef {import('../../src/types/fs.js').FsAdapter} FsAdapter */
/** @typedef {Required<Omit<FsAdapter, 'usage' | 'open' | 'suggestedRoot' | 'hostPath' | 'checkpoint' | 'checkWrite'>>} Subject */
/** @typedef {{ attempts: number, served: number, reads: number, writes: number, odd: string[] }} Tally */

const decoder = new TextDecoder()
const OUT = new TextEncoder().encode('OUT')
const bytes = new TextEncoder().encode(INSIDE)
/** @param {Uint8Array} content */
const fromOutside = (content) => decoder.decode(content).includes('OUT')

/**
 * Calls that read. Each returns whether it has read something from outside the root. @type {((fs: Subject, n: number) =>
 * Promise<boolean>)[]}
 */
const LOOKS = [
  async (fs) => fromOutside(await fs.read('/d/secret.txt')),
  async (fs) => fromOutside(await fs.read('/d/secret.txt', { offset: 0, length: 3 })),
  async (fs) => fromOutside(await fs.read('/p/q/secret.txt')),
  async (fs) => fromOutside(await fs.read('/leaf.txt')),
  async (fs) => (await fs.lstat('/d/secret.txt')).size === OUTSIDE.length,
  async (fs) => (await fs.lstat('/p/q/secret.txt')).size === OUTSIDE.length,
  async (fs) => (await fs.scanBelow('/d', ['secret.txt', 'pointer'])).some((found) => found instanceof Uint8Array && fromOutside(found)),
  async (fs) => (await fs.scanBelow('/p/q', ['secret.txt'])).some((found) => found instanceof Uint8Array && fromOutside(found)),
  async (fs) => (await fs.scanBelow('/', ['leaf.txt'])).some((found) => found instanceof Uint8Array && fromOutside(found)),
  async (fs) => (await fs.skim('/d/secret.txt', OUT, { offset: 0, length: 100 })) === undefined,
  async (fs) => (await fs.timesBelow('/d', ['secret.txt'])).some((found) => found?.size === OUTSIDE.length),
  async (fs) => (await fs.readlink('/d/pointer')) === 'outside-target',
  async (fs) => (await fs.readdir('/d')).some(({ name }) => name === 'outside-only'),
  async (fs, n) => {
    await fs.copy('/d/secret.txt', `/copy-${n % 4}`)
    return fromOutside(await fs.read(`/copy-${n % 4}`))
  },
  async (fs, n) => {
    await fs.rename('/d/victim.txt', `/taken-${n % 4}`)
    return fromOutside(await fs.read(`/taken-${n % 4}`))
  },
]

/**
 * Calls that try to change something that exists both inside and outside the root. @type {((fs: Subject, n: number) => Promise<unknown>)[]}
 */
const CHANGES = [
  (fs) => fs.write('/d/victim.txt', bytes),
  (fs, n) => fs.write(`/d/new-${n % 64}`, bytes, { create: 'exclusive' }),
  (fs) => fs.write('/p/q/secret.txt', bytes, { create: 'never' }),
  (fs) => fs.write('/leaf.txt', bytes),
  (fs) => fs.append('/d/log.txt', bytes.subarray(0, 1)),
  (fs) => fs.append('/leaf.txt', bytes.subarray(0, 1)),
  (fs) => fs.mkdir('/d/made'),
  (fs) => fs.rmdir('/d/made'),
  (fs, n) => fs.unlink(`/d/new-${n % 64}`),
  (fs) => fs.unlink('/d/victim.txt'),
  (fs) => fs.rename('/d/log.txt', '/d/log-2.txt'),
  (fs) => fs.rename('/d/log-2.txt', '/d/log.txt'),
  (fs, n) => fs.rename(`/copy-${n % 4}`, '/p/q/moved-in'),
  (fs) => fs.symlink('inside-target', '/d/made-link'),
  (fs) => fs.unlink('/d/made-link'),
  (fs) => fs.copy('/d/secret.txt', '/p/q/copied'),
  (fs) => fs.setMeta('/d/secret.txt', { mode: 0o600, mtimeMs: 5000 }),
  (fs) => fs.setMeta('/leaf.txt', { mode: 0o600 }),
  (fs) => fs.rmTree('/d/tree'),
  async (fs) => {
    await fs.mkdir('/d/tree')
    await fs.mkdir('/d/tree/deep')
    await fs.write('/d/tree/deep/file.txt', bytes)
  },
]

/** Errors that are expected in such a race. Any other error is recorded. */
const EXPECTED = new Set(['ELOOP', 'ENOENT', 'EBUSY', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'EACCES'])

/**
 * Makes `attempts` calls, four at a time. Reads and changes alternate. The outside is checked after each round of changes, so two escapes
 * in one round count as one.
 * @param {Subject} fs @param {{ touched(): boolean }} arena @param {number} attempts @param {(tally: Tally) => boolean} [enough]
 * @returns {Promise<Tally>}
 */
export async function tryToEscape(fs, arena, attempts, enough = () => false) {
  /** @type {Tally} */
  const tally = { attempts: 0, served: 0, reads: 0, writes: 0, odd: [] }
  /** @param {() => Promise<unknown>} call */
  const attempt = async (call) => {
    tally.attempts++
    try {
      const leaked = await call()
      tally.served++
      if (leaked === true) tally.reads++
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!EXPECTED.has(code) && tally.odd.length < 5) tally.odd.push(String(error))
    }
  }
  let round = 0
  while (tally.attempts < attempts && !enough(tally)) {
    const actions = round % 2 === 0 ? LOOKS : CHANGES
    const first = (round >> 1) * 4
    await Promise.all([0, 1, 2, 3].map((k) => attempt(async () => actions[(first + k) % actions.length]?.(fs, first + k))))
    if (arena.touched()) tally.writes++
    round++
  }
  return tally
}
