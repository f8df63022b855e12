// @module-tag testing
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { type FsContractOptions, fsContract } from '../contract/index.js'

type Options = Omit<FsContractOptions, 'name'>

/** Runs the contract like a test framework. Returns the titles of the passed and the failed cases. */
async function run(options: Options): Promise<{ passed: string[]; failed: string[] }> {
  const cases: [title: string, body: () => void | Promise<void>][] = []
  const runner = { describe: (_: string, body: () => void) => body(), it: (...each: (typeof cases)[number]) => void cases.push(each) }
  fsContract(runner, { name: 'under test', ...options })
  const [passed, failed]: [string[], string[]] = [[], []]
  for (const [title, body] of cases) {
    try {
      await body()
      passed.push(title)
    } catch {
      // Only the title of the failed case matters here.
      failed.push(title)
    }
  }
  return { passed, failed }
}

const alter = (change: (fs: MemoryFs) => Partial<MemoryFs>) => () => {
  const fs = createMemoryFs()
  return { ...fs, ...change(fs) }
}

/** Defect that a real storage has had -> the case that must notice it. */
const DEFECTS: Readonly<Record<string, [change: (fs: MemoryFs) => Partial<MemoryFs>, noticed: string]>> = {
  'rename onto itself removes the file': [
    (fs) => ({ rename: async (from, to) => (from === to ? fs.rmTree(from) : fs.rename(from, to)) }),
    'rename: a file onto itself changes nothing',
  ],
  'rename replaces a full directory': [
    (fs) => ({
      async rename(from, to) {
        const [source, target] = await Promise.all([fs.lstat(from), fs.lstat(to).catch(() => undefined)])
        if (source.kind === 'dir' && target?.kind === 'dir' && !to.startsWith(`${from}/`) && from !== to) await fs.rmTree(to)
        return fs.rename(from, to)
      },
    }),
    'rename: a directory onto a non-empty one is ENOTEMPTY and leaves both',
  ],
  'rename of a link moves its target': [
    (fs) => ({
      async rename(from, to) {
        const link = await fs.readlink(from).catch(() => undefined)
        return fs.rename(link === undefined ? from : `/${link}`, to)
      },
    }),
    'rename of a link: moves the link, not its target',
  ],
  'unlink removes directories': [(fs) => ({ unlink: (path) => fs.rmTree(path) }), 'unlink: a directory is EISDIR and stays whole'],
  'write follows a link': [
    (fs) => ({
      async write(path, bytes, options) {
        const copied = bytes.slice()
        const link = await fs.readlink(path).catch(() => undefined)
        return fs.write(link === undefined ? path : `/${link}`, copied, options)
      },
    }),
    'link as the path: write is ELOOP and leaves the target',
  ],
  'rmTree follows a link': [
    (fs) => ({
      async rmTree(path) {
        const link = await fs.readlink(path).catch(() => undefined)
        if (link?.startsWith('/')) await fs.rmTree(link)
        return fs.rmTree(path)
      },
    }),
    'rmTree: of a link leaves the tree it leads to',
  ],
  'exclusive is ignored': [
    (fs) => ({ write: (path, bytes) => fs.write(path, bytes) }),
    'create exclusive: onto a file is EEXIST and leaves its content',
  ],
  'the input is copied late': [
    (fs) => ({
      async write(path, bytes, options) {
        await Promise.resolve()
        return fs.write(path, bytes, options)
      },
    }),
    'copies: the input may change before the write is awaited',
  ],
  'results share memory': [
    (fs) => {
      const given = new Map<string, Uint8Array>()
      return {
        async read(path, options) {
          const key = JSON.stringify([path, options])
          const bytes = given.get(key) ?? (await fs.read(path, options))
          given.set(key, bytes)
          return bytes
        },
      }
    },
    'copies: a result may be changed',
  ],
  'a write shows in two steps': [
    (fs) => ({
      async write(path, bytes, options) {
        const [half, whole] = [bytes.slice(0, bytes.length / 2), bytes.slice()]
        await fs.write(path, half, options)
        return fs.write(path, whole)
      },
    }),
    'at once: a read during writes returns one complete version',
  ],
  'the version is the size': [
    (fs) => ({
      async lstat(path) {
        const stat = await fs.lstat(path)
        return { ...stat, version: String(stat.size) }
      },
    }),
    'version: changes with every write, also of the same size at the same time',
  ],
  'names are normalised': [
    (fs) => ({ write: (path, bytes, options) => fs.write(path.normalize('NFC'), bytes, options) }),
    'names: a composed and a decomposed accent are two files',
  ],
  'errors are not of the adapter': [
    (fs) => ({ read: (path, options) => fs.read(path, options).catch(() => Promise.reject(new Error('ENOENT: not found'))) }),
    'read: a missing file is ENOENT',
  ],
  'close leaves the storage open': [() => ({ close: async () => undefined }), 'close: read afterwards is EIO'],
  'usage ignores appends': [
    (fs) => {
      let forgotten = 0
      return {
        async append(path, bytes) {
          await fs.append(path, bytes)
          forgotten += bytes.length
        },
        async usage() {
          const { bytes, files } = await fs.usage()
          return { bytes: bytes - forgotten, files }
        },
      }
    },
    'usage: follows append',
  ],
}

describe('the fs contract', () => {
  it('has at least 150 cases with unique titles, and the memory storage passes all', async () => {
    const { passed, failed } = await run({ create: () => createMemoryFs() })
    expect(failed).toEqual([])
    expect(new Set(passed).size).toBe(passed.length)
    expect(passed.length).toBeGreaterThan(150)
  })

  it.each(Object.entries(DEFECTS))('detects that %s', async (_, [change, noticed]) => {
    expect((await run({ create: alter(change) })).failed).toContain(noticed)
  })

  it('leaves out only the cases of missing parts', async () => {
    const bare = alter(() => ({
      symlink: undefined,
      readlink: undefined,
      append: undefined,
      copy: undefined,
      rmTree: undefined,
      usage: undefined,
    }))
    const { passed, failed } = await run({ create: bare, without: ['usage', 'symlink', 'append', 'copy', 'rmTree'] })
    expect(failed).toEqual([])
    expect(passed).toContain('setMeta: sets the time of a file and leaves its content')
    expect(passed.filter((title) => /^(append|copy|rmTree|usage|symlink|link)\b/.test(title))).toEqual([])
  })

  it('fails when a part is missing but not in `without`, or in `without` but present', async () => {
    const title = 'lacks exactly the optional parts in "without"'
    expect((await run({ create: alter(() => ({ usage: undefined })) })).failed).toContain(title)
    expect((await run({ create: () => createMemoryFs(), without: ['usage'] })).failed).toEqual([title])
  })

  it('expects setMeta to reject a mode if the storage has no checkpoints', async () => {
    const forgetful = (setMeta: MemoryFs['setMeta'] | undefined) =>
      alter((fs) => ({
        can: { ...fs.can, mode: false },
        lstat: async (path) => ({ ...(await fs.lstat(path)), mode: undefined }) as unknown as Awaited<ReturnType<MemoryFs['lstat']>>,
        ...(setMeta && { setMeta }),
      }))
    const title = 'mode: where it is not kept, setting it is ENOTSUP'
    expect((await run({ create: forgetful(undefined), without: ['mode'] })).failed).toEqual([title])
  })

  it('runs an excepted case and fails when that case passes', async () => {
    const title = 'read: a missing file is ENOENT'
    const broken = alter(() => ({ read: () => Promise.reject(new Error('broken')) }))
    const reported = `${title} (excepted: no errors here)`
    expect((await run({ create: broken, except: { [title]: 'no errors here' } })).passed).toContain(reported)
    expect((await run({ create: () => createMemoryFs(), except: { [title]: 'no errors here' } })).failed).toEqual([reported])
  })

  it('reports an excepted case as failed when `create` rejects', async () => {
    const title = 'read: a missing file is ENOENT'
    const create = () => Promise.reject(new Error('no storage'))
    expect((await run({ create, except: { [title]: 'why' } })).failed).toContain(`${title} (excepted: why)`)
  })

  it('fails when `except` names an unknown case', async () => {
    const { failed } = await run({ create: () => createMemoryFs(), except: { 'no such case': 'why' } })
    expect(failed).toEqual(['every exception names a case'])
  })

  it('creates a storage for each case and disposes it, even after a failed case', async () => {
    let open = 0
    const create = () => {
      open++
      return { ...createMemoryFs(), read: () => Promise.reject(new Error('broken')) }
    }
    const { failed } = await run({ create, dispose: () => void open-- })
    expect(failed.length).toBeGreaterThan(10)
    expect(open).toBe(0)
  })
})
