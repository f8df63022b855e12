import type { MemoryFs } from 'toolport/adapters/memory'
import fc from '../fast-check.js'
import { callsOf, pathsOf, preamble } from './random-calls.js'

/** The methods in which a storage with all optional parts is compared with the memory. */
export type Compared = Omit<
  MemoryFs,
  | 'name'
  | 'can'
  | 'suggestedRoot'
  | 'hostPath'
  | 'checkpoint'
  | 'checkWrite'
  | 'timesBelow'
  | 'scanBelow'
  | 'skim'
  | 'open'
  | 'close'
  | 'flush'
>
export type Call = { [M in keyof Compared]: readonly [M, ...Parameters<Compared[M]>] }[keyof Compared]

/** The outcome of a call without `version`, whose format depends on the storage. */
export async function outcome(fs: Compared, [method, ...args]: Call): Promise<unknown> {
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

export async function treeOf(fs: Compared, dir = '/'): Promise<Record<string, unknown>> {
  const tree: Record<string, unknown> = { [dir]: await outcome(fs, ['lstat', dir]) }
  for (const { name, kind } of await fs.readdir(dir)) {
    const path = dir === '/' ? `/${name}` : `${dir}/${name}`
    if (kind === 'dir') Object.assign(tree, await treeOf(fs, path))
    else tree[path] = [await outcome(fs, ['lstat', path]), await outcome(fs, [kind === 'file' ? 'read' : 'readlink', path])]
  }
  return tree
}

/** Any call with paths made of these names. */
export function anyCall(...names: readonly string[]): fc.Arbitrary<Call> {
  const path = pathsOf(...names)
  const meta = fc.record(
    { mode: fc.constantFrom(0o755, 0o600, 0o100644), mtimeMs: fc.constantFrom(5, 6.5, Number.NaN) },
    { requiredKeys: [] },
  )
  return fc.oneof(
    ...callsOf({
      path,
      target: fc.constantFrom('a', 'a/b', '/a', '..', 'grün', ''),
      range: fc.record({ offset: fc.integer({ min: -1, max: 8 }), length: fc.nat(8) }, { requiredKeys: [] }),
    }),
    { weight: 1, arbitrary: fc.tuple(fc.constant('setMeta' as const), path, meta) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('usage' as const)) },
  )
}

export const firstCalls = (file: string, link: string): readonly Call[] => preamble(file, link)
