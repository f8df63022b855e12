import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createDurableObjectFs, type DurableObjectFs } from 'toolport/adapters/cloudflare'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { callsOf, pathsOf, preamble } from './random-calls.js'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

type Method = Exclude<keyof DurableObjectFs, 'name' | 'can' | 'suggestedRoot' | 'hostPath' | 'open' | 'close' | 'flush'>
type Call = { [M in Method]: readonly [M, ...Parameters<DurableObjectFs[M]>] }[Method]

/** All that a call tells its caller but `version`, which every storage words for itself. */
async function outcome(fs: DurableObjectFs | ReturnType<typeof createMemoryFs>, [method, ...args]: Call): Promise<unknown> {
  try {
    const value: unknown = await (fs[method] as (...args: unknown[]) => Promise<unknown>)(...args)
    if (value instanceof Uint8Array) return [...value]
    if (Array.isArray(value)) return value.map(({ name, kind, size }) => `${name} ${kind} ${size}`).sort()
    return typeof value === 'object' && value !== null && 'version' in value ? { ...value, version: typeof value.version } : value
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FsError') throw error
    const { code, op, path, dest, message } = error as unknown as Record<string, unknown>
    return { code, op, path, dest, message }
  }
}

async function treeOf(fs: DurableObjectFs | ReturnType<typeof createMemoryFs>, dir = '/'): Promise<Record<string, unknown>> {
  const tree: Record<string, unknown> = { [dir]: await outcome(fs, ['lstat', dir]) }
  for (const { name, kind } of await fs.readdir(dir)) {
    const path = dir === '/' ? `/${name}` : `${dir}/${name}`
    if (kind === 'dir') Object.assign(tree, await treeOf(fs, path))
    else tree[path] = [await outcome(fs, ['lstat', path]), await outcome(fs, [kind === 'file' ? 'read' : 'readlink', path])]
  }
  return tree
}

const path = pathsOf('a', 'b', "it's", '__proto__')
const meta = fc.record(
  { mode: fc.constantFrom(0o755, 0o600, 0o100644), mtimeMs: fc.constantFrom(5, 6.5, Number.NaN) },
  { requiredKeys: [] },
)

const call: fc.Arbitrary<Call> = fc.oneof(
  ...callsOf({
    path,
    target: fc.constantFrom('a', 'a/b', '/a', '..', 'grün', ''),
    range: fc.record({ offset: fc.integer({ min: -1, max: 8 }), length: fc.nat(8) }, { requiredKeys: [] }),
  }),
  { weight: 1, arbitrary: fc.tuple(fc.constant('setMeta' as const), path, meta) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('usage' as const)) },
)

const PREAMBLE: readonly Call[] = preamble('a', "it's")

it('ends random sequences of calls as the memory does, call by call, to the words of each refusal', { timeout: 180_000 }, async () => {
  await runInDurableObject(env.AGENT.getByName('random'), async (_, { storage }) => {
    let runs = 0
    const agrees = fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }), async (calls) => {
      // The clock of either moves on with each call, however often it is asked during one.
      let time = 0
      const now = (): number => time
      const prefix = `run_${runs++}`
      const [durable, memory] = [createDurableObjectFs({ storage, now, prefix }), createMemoryFs({ now })]
      for (const each of [...PREAMBLE, ...calls]) {
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
