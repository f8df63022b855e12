// @module-tag opfs
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import type { OpfsFs } from 'toolport/adapters/opfs'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { inside, namesIn, newName, oddWorker, opfs } from './opfs-support.js'
import { callsOf, pathsOf, preamble, type Weighted } from './random-calls.js'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

/** The methods that both storages have. */
type Compared = Pick<
  OpfsFs,
  'lstat' | 'readdir' | 'read' | 'write' | 'mkdir' | 'unlink' | 'rmdir' | 'rename' | 'append' | 'copy' | 'rmTree' | 'usage'
>
type Call = { [M in keyof Compared]: readonly [M, ...Parameters<Compared[M]>] }[keyof Compared]

type AnyCall = (ReturnType<typeof callsOf>[number] extends Weighted<infer C> ? C : never) | readonly ['usage']
const withoutLinks = (calls: readonly AnyCall[]): Call[] =>
  calls.filter(([method]) => method !== 'symlink' && method !== 'readlink') as readonly unknown[] as Call[]

const calls: fc.Arbitrary<AnyCall> = fc.oneof(
  ...callsOf({
    path: pathsOf('a', 'B', '%41\\', '\ud800', '__proto__'),
    target: fc.constant('a'),
    range: fc.record({ offset: fc.integer({ min: -1, max: 8 }), length: fc.nat(8) }, { requiredKeys: [] }),
  }),
  { weight: 1, arbitrary: fc.constant(['usage'] as const) },
)
const FIRST = withoutLinks(preamble('a', 'link'))

/** The outcome of a call without what differs between the storages: versions, times, modes, and some sizes in listings. */
async function outcome(fs: Compared, [method, ...args]: Call): Promise<unknown> {
  try {
    const value: unknown = await (fs[method] as (...args: unknown[]) => Promise<unknown>)(...args)
    if (value instanceof Uint8Array) return [...value]
    if (Array.isArray(value)) return value.map(({ name, kind }) => `${name} ${kind}`).sort()
    if (typeof value === 'object' && value !== null && 'kind' in value) return { kind: value.kind, size: 'size' in value && value.size }
    return value
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FsError') throw error
    const { code, op, path, dest, message } = error as unknown as Record<string, unknown>
    return { code, op, path, dest, message }
  }
}

async function treeOf(fs: Compared, dir = '/'): Promise<Record<string, unknown>> {
  const tree: Record<string, unknown> = { [dir]: await outcome(fs, ['lstat', dir]) }
  for (const { name, kind } of await fs.readdir(dir)) {
    const path = dir === '/' ? `/${name}` : `${dir}/${name}`
    if (kind === 'dir') Object.assign(tree, await treeOf(fs, path))
    else tree[path] = [await outcome(fs, ['lstat', path]), await outcome(fs, ['read', path])]
  }
  return tree
}

for (const without of [[], ['move']] as const) {
  const where = without.length > 0 ? ' where files cannot be moved' : ''
  const worker = oddWorker({ without })

  it(`gives the same results and errors as createMemoryFs for random calls, also after reopening${where}`, async () => {
    const agrees = fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 40, size: 'max' }), async (drawn) => {
      const name = newName()
      let durable = opfs({ name, worker })
      const memory: MemoryFs = createMemoryFs()
      const all = [...FIRST, ...withoutLinks(drawn)]
      for (const [i, each] of all.entries()) {
        expect(await outcome(durable, each), JSON.stringify(each)).toEqual(await outcome(memory, each))
        if (i === all.length >> 1) {
          await durable.close()
          durable = opfs({ name, worker })
        }
      }
      const tree = await treeOf(memory)
      expect(await treeOf(durable)).toEqual(tree)
      expect(await durable.usage()).toEqual(await memory.usage())
      await durable.close()
      expect(await namesIn(await inside(name, 'system'))).toEqual(['café', 'format-1'])
      durable = opfs({ name, worker })
      expect(await durable.usage()).toEqual(await memory.usage())
      expect(await treeOf(durable)).toEqual(tree)
      await durable.close()
    })
    await fc.assert(agrees, { numRuns: 25 })
  })
}

it('concurrent calls in separate directories give the same results as createMemoryFs for each directory', async () => {
  const LANES = 4
  const agrees = fc.asyncProperty(
    fc.array(fc.array(calls, { minLength: 1, maxLength: 15 }), { minLength: LANES, maxLength: LANES }),
    async (lanes) => {
      const fs = opfs()
      const trees = await Promise.all(
        lanes.map(async (drawn, lane) => {
          const memory = createMemoryFs()
          for (const each of [memory, fs]) await each.mkdir(`/${lane}`)
          for (const each of [...FIRST, ...withoutLinks(drawn)]) {
            if (each[0] === 'usage') continue
            const [method, ...args] = each
            const at = (arg: unknown): unknown => (typeof arg === 'string' ? `/${lane}${arg === '/' ? '' : arg}` : arg)
            const moved = [method, ...args.map(at)] as unknown as Call
            expect(await outcome(fs, moved), JSON.stringify(moved)).toEqual(await outcome(memory, moved))
          }
          return treeOf(memory)
        }),
      )
      expect(await treeOf(fs)).toEqual(Object.assign({}, ...trees))
      await fs.close()
    },
  )
  await fc.assert(agrees, { numRuns: 15 })
})
