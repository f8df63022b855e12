import { constants, type Dirent } from 'node:fs'
import * as node from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from '../fast-check.js'
import { callsOf, pathsOf, preamble } from './random-calls.js'

type Compared = Pick<
  MemoryFs,
  'lstat' | 'readdir' | 'read' | 'write' | 'mkdir' | 'unlink' | 'rmdir' | 'rename' | 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree'
>
type Call = { [M in keyof Compared]: readonly [M, ...Parameters<Compared[M]>] }[keyof Compared]

/** Differences from the system calls that the contract intends. Everything else must agree, error codes included. */
const BY_DESIGN = {
  linkInPath: 'ELOOP', // Linux follows a link before the last component.
  listLink: 'ELOOP', // Linux follows a link that is listed.
  root: 'EBUSY', // Our root cannot be removed, moved or replaced; the directory that stands for it here could be.
  fileOntoAncestor: 'EISDIR', // Linux checks for ENOTEMPTY before it compares the kinds.
  unlinkDirectory: 'EISDIR', // As on Linux; macOS reports EPERM.
} as const

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants
const CREATE_FLAGS = { always: O_CREAT | O_TRUNC, never: O_TRUNC, exclusive: O_CREAT | O_EXCL } as const

const failure = (code: string): Error => Object.assign(new Error(code), { code })
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)
const kindOf = (entry: Pick<Dirent, 'isDirectory' | 'isSymbolicLink'>) =>
  entry.isDirectory() ? 'dir' : entry.isSymbolicLink() ? 'symlink' : 'file'

/** Node's calls, in the forms that do not follow the last component. */
function hostFs(root: string): Compared {
  const host = async (path: string): Promise<string> => {
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
      const stat = await node.lstat(root + path.slice(0, end))
      if (stat.isSymbolicLink()) throw failure(BY_DESIGN.linkInPath)
      if (!stat.isDirectory()) throw failure('ENOTDIR')
    }
    return path === '/' ? root : root + path
  }
  const transfer = async (path: string, flags: number, bytes: Uint8Array): Promise<void> => {
    await using file = await node.open(await host(path), flags | O_WRONLY | O_NOFOLLOW)
    await file.writeFile(bytes)
  }
  const fs: Compared = {
    lstat: async (path) => {
      const stat = await node.lstat(await host(path))
      return { kind: kindOf(stat), size: stat.isDirectory() ? 0 : stat.size, mtimeMs: 0 }
    },
    readdir: async (path) => {
      const dir = await host(path)
      if ((await node.lstat(dir)).isSymbolicLink()) throw failure(BY_DESIGN.listLink)
      return (await node.readdir(dir, { withFileTypes: true })).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    },
    read: async (path, { offset = 0, length = Infinity } = {}) => {
      await using file = await node.open(await host(path), O_RDONLY | O_NOFOLLOW)
      return new Uint8Array((await file.readFile()).subarray(offset, offset + length))
    },
    write: (path, bytes, { create = 'always' } = {}) => transfer(path, CREATE_FLAGS[create], bytes),
    mkdir: async (path) => node.mkdir(await host(path)),
    unlink: async (path) => {
      const file = await host(path)
      if ((await node.lstat(file)).isDirectory()) throw failure(BY_DESIGN.unlinkDirectory)
      await node.unlink(file)
    },
    rmdir: async (path) => {
      if (path === '/') throw failure(BY_DESIGN.root)
      await node.rmdir(await host(path))
    },
    rename: async (from, to) => {
      const [source, target] = [await host(from), await host(to)]
      if (from === '/' || to === '/') throw failure(BY_DESIGN.root)
      if (from.startsWith(`${to}/`) && !(await node.lstat(source)).isDirectory()) throw failure(BY_DESIGN.fileOntoAncestor)
      await node.rename(source, target)
    },
    readlink: async (path) => node.readlink(await host(path)),
    symlink: async (target, path) => node.symlink(target, await host(path)),
    append: (path, bytes) => transfer(path, O_APPEND, bytes),
    copy: async (from, to) => {
      const bytes = await fs.read(from)
      if (from !== to) await transfer(to, O_CREAT | O_TRUNC, bytes)
    },
    rmTree: async (path) => {
      if (path === '/') throw failure(BY_DESIGN.root)
      await node.rm(await host(path), { recursive: true })
    },
  }
  return fs
}

/** The outcome of a call without values that differ between the storages: times, modes and order. */
async function outcome(fs: Compared, [method, ...args]: Call): Promise<unknown> {
  try {
    const value: unknown = await (fs[method] as (...args: unknown[]) => Promise<unknown>)(...args)
    if (value instanceof Uint8Array) return [...value]
    if (Array.isArray(value)) return value.map(({ name, kind }) => `${name} ${kind}`).sort()
    if (typeof value !== 'object' || value === null) return value
    return 'kind' in value && 'size' in value ? `${value.kind} ${value.size}` : value
  } catch (error) {
    return { code: codeOf(error) }
  }
}

async function treeOf(fs: Compared, dir = '/', tree: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  for (const { name, kind } of await fs.readdir(dir)) {
    const path = dir === '/' ? `/${name}` : `${dir}/${name}`
    tree[path] = kind === 'file' ? [...(await fs.read(path))] : kind === 'dir' ? 'dir' : `-> ${await fs.readlink(path)}`
    if (kind === 'dir') await treeOf(fs, path, tree)
  }
  return tree
}

const call: fc.Arbitrary<Call> = fc.oneof(
  ...callsOf({
    path: pathsOf('a', 'b', 'c'),
    target: fc.constantFrom('a', 'b/c', '/a', '..', 'grün'),
    range: fc.record({ offset: fc.nat(8), length: fc.nat(8) }, { requiredKeys: [] }),
  }),
)

const PREAMBLE: readonly Call[] = preamble('c', 'c')

let parent: string
beforeAll(async () => {
  parent = await node.mkdtemp(join(tmpdir(), 'toolport-'))
})
afterAll(() => node.rm(parent, { recursive: true }))

test('createMemoryFs gives the same results as a real directory for random sequences of calls', async () => {
  const sequence = fc.array(call, { minLength: 1, maxLength: 40, size: 'max' })
  const agrees = fc.asyncProperty(sequence, async (calls) => {
    const root = await node.mkdtemp(join(parent, 'run-'))
    const [memory, host] = [createMemoryFs(), hostFs(root)]
    for (const each of [...PREAMBLE, ...calls]) expect(await outcome(memory, each), JSON.stringify(each)).toEqual(await outcome(host, each))
    const tree = await treeOf(memory)
    expect(tree).toEqual(await treeOf(host))
    const contents = Object.values(tree).filter(Array.isArray)
    expect(await memory.usage()).toEqual({ bytes: contents.flat().length, files: Object.keys(tree).length })
  })
  await fc.assert(agrees, { numRuns: 300 })
})
