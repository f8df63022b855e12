// @module-tag memfs
import { memfs } from 'memfs'
import { createMemfsFs, type MemfsFs } from 'toolport/adapters/memfs'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { anyCall, type Call, type Compared, firstCalls, outcome, treeOf } from './beside-memory.js'

const call = anyCall('a', 'b', '\ud800', '__proto__').filter(([method]) => method !== 'usage')
const now = (): number => 7

/**
 * Hides what memfs does not store: fractions of milliseconds, sizes in listings, times of symlinks, and times of directories whose entries
 * change.
 */
function plain(fs: MemfsFs | MemoryFs): Compared {
  const withoutTime = async (path: string): Promise<Awaited<ReturnType<Compared['lstat']>>> => {
    const stat = await fs.lstat(path)
    return { ...stat, mtimeMs: stat.kind === 'file' ? Math.trunc(stat.mtimeMs) : 0, ...(path === '/' && { mode: 0 }) }
  }
  return {
    ...(fs as MemoryFs),
    lstat: withoutTime,
    readdir: async (path) => (await fs.readdir(path)).map(({ name, kind }) => ({ name, kind })),
  }
}

it('gives the same results and errors as createMemoryFs for random calls, also concurrent ones', async () => {
  const agrees = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }),
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    async (calls, sizes) => {
      const ours = plain(createMemfsFs({ fs: memfs().fs, now }))
      const theirs = plain(createMemoryFs({ now }))
      const all: Call[] = [...firstCalls('a', 'b'), ...calls]
      for (let at = 0, group = 0; at < all.length; group++) {
        const some = all.slice(at, at + (sizes[group % sizes.length] ?? 1))
        const outcomes = [ours, theirs].map((fs) => Promise.all(some.map((each) => outcome(fs, each))))
        const [given, expected] = await Promise.all(outcomes)
        expect(given, JSON.stringify(some)).toEqual(expected)
        at += some.length
      }
      expect(await treeOf(ours)).toEqual(await treeOf(theirs))
    },
  )
  await fc.assert(agrees, { numRuns: 100 })
})
