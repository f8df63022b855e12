// @module-tag durable-object
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { anyCall, firstCalls, outcome, treeOf } from './beside-memory.js'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

const call = anyCall('a', 'b', "it's", '__proto__')
const FIRST = firstCalls('a', "it's")

it('gives the same results and error messages as createMemoryFs for random sequences of calls', async () => {
  await runInDurableObject(env.AGENT.getByName('random'), async (_, { storage }) => {
    let runs = 0
    const agrees = fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }), async (calls) => {
      // Both clocks move once per call, however often a call reads them.
      let time = 0
      const now = (): number => time
      const prefix = `run_${runs++}`
      const [durable, memory] = [createDurableObjectFs({ storage, now, prefix }), createMemoryFs({ now })]
      for (const each of [...FIRST, ...calls]) {
        time++
        expect(await outcome(durable, each), JSON.stringify(each)).toEqual(await outcome(memory, each))
      }
      expect(await treeOf(durable)).toEqual(await treeOf(memory))
      expect(await durable.usage()).toEqual(await memory.usage())
      const left = storage.sql.exec(
        `SELECT count(*) AS chunks FROM ${prefix}_chunks WHERE id / 65536 NOT IN (SELECT id FROM ${prefix}_nodes)`,
      )
      expect(left.one().chunks).toBe(0)
      for (const table of ['fs', 'nodes', 'chunks']) storage.sql.exec(`DROP TABLE ${prefix}_${table}`)
    })
    await fc.assert(agrees, { numRuns: 150 })
  })
})
