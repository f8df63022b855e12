// @module-tag indexeddb
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { anyCall, firstCalls, outcome, treeOf } from './beside-memory.js'
import { abort, indexedDbFs, inStore, newName, settled, watched } from './indexeddb-support.js'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

const call = anyCall('a', 'b', '\ud800', '__proto__')
const FIRST = firstCalls('a', 'b')

/** Expects no content without a file, because such content would never be deleted. */
async function expectNoOrphans(name: string): Promise<void> {
  const [parts, named] = await inStore(name, async (db) => {
    const transaction = db.transaction(['parts', 'journal'])
    const keys = await settled(transaction.objectStore('parts').getAllKeys())
    const rows = new Map<number, { parts?: { id: string }[] }>()
    for (const record of await settled(transaction.objectStore('journal').getAll())) {
      for (const row of record) {
        if (typeof row === 'number') rows.delete(row)
        else rows.set(row.id, row)
      }
    }
    return [keys.filter((key) => key !== ''), [...rows.values()].flatMap((row) => row.parts?.map(({ id }) => id) ?? [])]
  })
  expect([...parts].sort()).toEqual([...named].sort())
}

it('gives the same results and errors as createMemoryFs for random calls, also after reopening', async () => {
  const agrees = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }),
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    async (calls, sizes) => {
      const name = newName()
      const now = (): number => 7
      let durable = indexedDbFs({ name, now })
      const memory = createMemoryFs({ now })
      const all = [...FIRST, ...calls]
      const reopenAt = Math.floor(all.length / 2)
      // Calls that start together share a transaction.
      for (let at = 0, group = 0; at < all.length; group++) {
        const some = all.slice(at, at + (sizes[group % sizes.length] ?? 1))
        const [ours, theirs] = [some.map((each) => outcome(durable, each)), some.map((each) => outcome(memory, each))]
        expect(await Promise.all(ours), JSON.stringify(some)).toEqual(await Promise.all(theirs))
        if (at < reopenAt && at + some.length >= reopenAt) {
          await durable.close()
          durable = indexedDbFs({ name, now })
        }
        at += some.length
      }
      const tree = await treeOf(memory)
      expect(await treeOf(durable)).toEqual(tree)
      await durable.close()
      await expectNoOrphans(name)
      durable = indexedDbFs({ name, now })
      expect(await treeOf(durable)).toEqual(tree)
      expect(await durable.usage()).toEqual(await memory.usage())
      await durable.close()
    },
  )
  await fc.assert(agrees, { numRuns: 60 })
})

it('failed transactions in random sequences leave no trace of the calls that failed', async () => {
  const agrees = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }),
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    async (calls, sizes, bad) => {
      const name = newName()
      const now = (): number => 7
      let fails = false
      let written = 0
      const indexedDB = watched((transaction) => {
        if (transaction.mode === 'readwrite' && bad[written++ % bad.length] && fails) abort(transaction)
      })
      let durable = indexedDbFs({ name, now, indexedDB })
      const memory = createMemoryFs({ now })
      for (const first of FIRST) expect(await outcome(durable, first)).toEqual(await outcome(memory, first))
      fails = true
      // If a group's transaction fails, each of its calls runs in its own transaction, which may fail too.
      for (let at = 0, group = 0; at < calls.length; group++) {
        const some = calls.slice(at, at + (sizes[group % sizes.length] ?? 1))
        const results = await Promise.all(some.map((each) => outcome(durable, each)))
        for (const [i, each] of some.entries()) {
          if ((results[i] as { code?: unknown } | undefined)?.code === 'EIO') continue
          expect(results[i], JSON.stringify(some)).toEqual(await outcome(memory, each))
        }
        at += some.length
      }
      fails = false
      const tree = await treeOf(memory)
      expect(await treeOf(durable)).toEqual(tree)
      expect(await durable.usage()).toEqual(await memory.usage())
      await durable.close()
      await expectNoOrphans(name)
      durable = indexedDbFs({ name, now })
      expect(await treeOf(durable)).toEqual(tree)
      await durable.close()
    },
  )
  await fc.assert(agrees, { numRuns: 60 })
})
