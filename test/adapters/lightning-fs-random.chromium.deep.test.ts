// @module-tag lightning-fs
import type { FsEntry } from 'toolport'
import type { LightningFs } from 'toolport/adapters/lightning-fs'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { anyCall, type Call, type Compared, firstCalls, outcome, treeOf } from './beside-memory.js'
import { inDatabase, lightningFs, newName, settled } from './lightning-fs-support.js'

const call = anyCall('a', 'b', '\ud800', '__proto__')
const now = (): number => 7

/** Hides what the library does not store: fractions of ms, sizes of symlinks in listings, times of symlinks and of changed directories. */
function plain(fs: LightningFs | MemoryFs): Compared {
  return {
    ...(fs as MemoryFs),
    lstat: async (path) => {
      const stat = await fs.lstat(path)
      return { ...stat, mtimeMs: stat.kind === 'file' ? Math.trunc(stat.mtimeMs) : 0 }
    },
    readdir: async (path) =>
      (await fs.readdir(path)).map(
        (entry) => ({ name: entry.name, kind: entry.kind, ...(entry.kind === 'file' && { size: entry.size }) }) as FsEntry,
      ),
  }
}

it('gives the same results and errors as createMemoryFs for random calls, also after reopening', async () => {
  const agrees = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }),
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    async (calls, sizes) => {
      const name = newName()
      let fs = lightningFs({ name, now })
      const memory = createMemoryFs({ now })
      const all: Call[] = [...firstCalls('a', 'b'), ...calls]
      const reopenAt = Math.floor(all.length / 2)
      for (let at = 0, group = 0; at < all.length; group++) {
        const some = all.slice(at, at + (sizes[group % sizes.length] ?? 1))
        const outcomes = [fs, memory].map((each) => Promise.all(some.map((one) => outcome(plain(each), one))))
        const [given, expected] = await Promise.all(outcomes)
        expect(given, JSON.stringify(some)).toEqual(expected)
        if (at < reopenAt && at + some.length >= reopenAt) {
          await fs.close()
          fs = lightningFs({ name, now })
        }
        at += some.length
      }
      const tree = await treeOf(plain(memory))
      expect(await treeOf(plain(fs))).toEqual(tree)
      await fs.close()
      // One database entry per file, and one for the tree.
      const contents = (await inDatabase(name, (store) => settled(store.getAllKeys()))).length - 1
      fs = lightningFs({ name, now })
      expect(await treeOf(plain(fs))).toEqual(tree)
      expect(await fs.usage()).toEqual(await memory.usage())
      const files = Object.values(tree).filter((entry) => Array.isArray(entry) && (entry[0] as { kind: string }).kind === 'file')
      expect(contents).toBe(files.length)
      await fs.close()
    },
  )
  await fc.assert(agrees, { numRuns: 40 })
})
