// @module-tag webcontainer
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs, type WebContainerFs } from 'toolport/adapters/webcontainer'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { callsOf, pathsOf } from './random-calls.js'
import { FakeContainer } from './webcontainer-fake.js'

const METHODS = ['mkdir', 'write', 'rename', 'rmdir', 'unlink', 'rmTree', 'read', 'lstat', 'readdir'] as const
type Method = (typeof METHODS)[number]
type Fs = Pick<WebContainerFs, Method>
type Call = readonly [method: Method, ...args: unknown[]]

const any = callsOf({
  path: pathsOf('a', 'b', '__proto__'),
  target: fc.constant('a'),
  range: fc.record({ offset: fc.integer({ min: -1, max: 8 }), length: fc.nat(8) }, { requiredKeys: [] }),
})
const call = fc.oneof(...any).filter(([method]) => (METHODS as readonly string[]).includes(method)) as unknown as fc.Arbitrary<Call>
const FIRST: readonly Call[] = [
  ['mkdir', '/a'],
  ['mkdir', '/a/b'],
  ['mkdir', '/b'],
  ['write', '/a/b/a', Uint8Array.of(1, 2, 3), {}],
]

/** The outcome of a call without times, modes, versions and sizes in listings. */
async function outcome(fs: Fs, [method, ...args]: Call): Promise<unknown> {
  try {
    const value: unknown = await (fs[method] as (...args: unknown[]) => Promise<unknown>)(...args)
    if (value instanceof Uint8Array) return [...value]
    if (Array.isArray(value)) return value.map(({ name, kind }) => `${name} ${kind}`).sort()
    return method === 'lstat' ? { kind: (value as { kind: string }).kind, size: (value as { size: number }).size } : value
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FsError') throw error
    const { code, op, path, dest, message } = error as unknown as Record<string, unknown>
    return { code, op, path, dest, message }
  }
}

async function treeOf(fs: Fs, dir = '/'): Promise<Record<string, unknown>> {
  const tree: Record<string, unknown> = { [dir]: 'dir' }
  for (const { name, kind } of await fs.readdir(dir)) {
    const path = dir === '/' ? `/${name}` : `${dir}/${name}`
    if (kind === 'dir') Object.assign(tree, await treeOf(fs, path))
    else tree[path] = [...(await fs.read(path))]
  }
  return tree
}

it('gives the same results and errors as createMemoryFs for random calls', async () => {
  const agrees = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }),
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', 'in/here'),
    async (calls, sizes, root) => {
      const container = new FakeContainer()
      const fs = createWebContainerFs({ container: container.api, root })
      const memory = createMemoryFs()
      const all = [...FIRST, ...calls]
      for (let at = 0, group = 0; at < all.length; group++) {
        const some = all.slice(at, at + (sizes[group % sizes.length] ?? 1))
        // Reads may run before changes that were requested later, as in the memory. Each call waits for the calls requested before it.
        const [ours, theirs] = [some.map((each) => outcome(fs, each)), some.map((each) => outcome(memory, each))]
        expect(await Promise.all(ours), JSON.stringify(some)).toEqual(await Promise.all(theirs))
        at += some.length
      }
      expect(await treeOf(fs)).toEqual(await treeOf(memory))
    },
  )
  await fc.assert(agrees, { numRuns: 150 })
})
