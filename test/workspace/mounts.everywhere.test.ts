// @module-tag branches
import { createMountedFs, createRuntime, createWorkspace, type FsAdapter, FsError, fileTools, type Mounts, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { benchOver } from '../tools/harness.js'
import { plainFs } from './mounts-support.js'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function walked(workspace: ReturnType<typeof createWorkspace>, start = '.'): Promise<string[]> {
  const paths: string[] = []
  for await (const run of workspace.walk(start)) paths.push(...run.map(({ path, kind }) => (kind === 'dir' ? `${path}/` : path)))
  return paths
}

describe('mount options', () => {
  const fs = createMemoryFs()
  const other = createMemoryFs()
  const wrong: readonly (readonly [string, Mounts, RegExp])[] = [
    ['the root', { '/workspace': other }, /it is the root: pass that storage as "fs"/],
    ['the root, as a slash', { '/workspace/': other }, /it is the root/],
    ['an empty path', { '': other }, /below the root/],
    ['the current directory', { '.': other }, /without "\."/],
    ['a path outside the root', { '/elsewhere': other }, /below the root "\/workspace"/],
    ['a path above the root', { '../x': other }, /without "\." and "\.\."/],
    ['dots in the middle', { 'a/../b': other }, /without "\." and "\.\."/],
    ['a backslash', { 'a\\b': other }, /backslash/],
    ['the same path twice', { docs: other, '/workspace/docs': createMemoryFs() }, /"docs" is the same path/],
    ['the same path with more slashes', { 'a/b': other, 'a//b/': createMemoryFs() }, /is the same path/],
    ['one storage at two places', { a: other, b: other }, /the mount "a" already/],
    ['the storage of the root', { a: fs }, /the root already/],
    ['the checkpoint folder', { '.toolport-checkpoints': other }, /reserved/],
    ['no storage', { a: {} as FsAdapter }, /pass a storage/],
    ['nothing', { a: null as unknown as FsAdapter }, /pass a storage/],
    ['readOnly that is not a boolean', { a: { fs: other, readOnly: 'yes' as unknown as boolean } }, /"readOnly" is true or false/],
  ]
  for (const [what, mounts, message] of wrong) {
    it(`${what}: throws a TypeError that says what to change`, () => {
      expect(() => createWorkspace({ fs, mounts })).toThrow(TypeError)
      expect(() => createWorkspace({ fs, mounts })).toThrow(message)
      expect(() => createWorkspace({ fs, mounts })).toThrow(/^Cannot mount a storage at "/)
    })
  }

  it('cannot be combined with a workspace', () => {
    const workspace = createWorkspace({ fs })
    expect(() => createRuntime({ workspace, mounts: { a: other } })).toThrow(/"mounts" cannot be combined with "workspace"/)
  })

  it('without mounts, the workspace returns the storage itself', () => {
    expect(createWorkspace({ fs, mounts: {} }).fs.can).toEqual(fs.can)
  })
})

describe('a workspace with mounts', () => {
  const setUp = () => {
    const storages = {
      root: createMemoryFs({ files: { 'a.md': 'root', 'docs/hidden.md': 'hidden', 'z/z.md': 'z' } }),
      docs: createMemoryFs({ files: { 'guide.md': 'guide', 'deep/er/x.md': 'x' } }),
      raw: createMemoryFs({ files: { 'r.csv': '1,2' } }),
      nested: createMemoryFs({ files: { 'n.md': 'nested' } }),
    }
    const workspace = createWorkspace({
      fs: storages.root,
      mounts: { docs: storages.docs, '/workspace/data/raw': { fs: storages.raw, readOnly: true }, 'docs/deep/inner': storages.nested },
    })
    return { ...storages, workspace, ...benchOver(createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] })) }
  }

  it('reads and writes in the storage of the longest mount point', async () => {
    const { workspace, root, docs, nested } = setUp()
    expect((await workspace.readText('docs/guide.md')).text).toBe('guide')
    expect((await workspace.readText('docs/deep/inner/n.md')).text).toBe('nested')
    await workspace.writeText('docs/deep/inner/new/m.md', 'm')
    await workspace.writeText('docs/deep/o.md', 'o')
    await workspace.writeText('b.md', 'b')
    expect(text(await nested.read('/new/m.md'))).toBe('m')
    expect(text(await docs.read('/deep/o.md'))).toBe('o')
    expect(text(await root.read('/b.md'))).toBe('b')
    expect((await root.readdir('/')).map(({ name }) => name)).toEqual(['a.md', 'b.md', 'docs', 'z'])
  })

  it('hides what the root storage has at a mount point', async () => {
    const { workspace } = setUp()
    expect(await workspace.exists('docs/hidden.md')).toBe(false)
    await expect(workspace.readText('docs/hidden.md')).rejects.toMatchObject({ code: 'ENOENT', path: '/workspace/docs/hidden.md' })
  })

  it('shows missing directories above mount points, and creates them when needed', async () => {
    const { workspace, root } = setUp()
    expect(await workspace.stat('data')).toMatchObject({ kind: 'dir', size: 0 })
    expect(await workspace.list('data')).toEqual([{ name: 'raw', kind: 'dir' }])
    expect(await root.readdir('/')).not.toContainEqual(expect.objectContaining({ name: 'data' }))
    expect(await workspace.mkdir('data')).toMatchObject({ created: false })
    await workspace.writeText('data/own.md', 'own')
    expect(text(await root.read('/data/own.md'))).toBe('own')
    await workspace.mkdir('docs/deep/inner2')
    expect((await workspace.list('data')).map(({ name }) => name)).toEqual(['own.md', 'raw'])
  })

  it('creates these directories for every call that needs them, also concurrently', async () => {
    const storages = { fs: createMemoryFs({ files: { f: 'f', g: 'g' } }), mounts: { 'x/y/m': createMemoryFs() } }
    const fs = createMountedFs(storages)
    await Promise.all([fs.write('/x/y/a', utf8('a')), fs.mkdir('/x/y/d'), fs.symlink?.('a', '/x/y/l'), fs.copy?.('/f', '/x/y/f')])
    const other = createMountedFs({ fs: createMemoryFs({ files: { g: 'g' } }), mounts: { 'x/y/m': createMemoryFs() } })
    await other.rename('/g', '/x/y/g')
    expect((await fs.readdir('/x/y')).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'a file',
      'd dir',
      'f file',
      'l symlink',
      'm dir',
    ])
    expect((await other.readdir('/x/y')).map(({ name }) => name)).toEqual(['g', 'm'])
    await expect(fs.write('/x/y/none/a', utf8('a'))).rejects.toMatchObject({ code: 'ENOENT' })
    const third = createMountedFs({ fs: createMemoryFs(), mounts: { 'x/m': createMemoryFs() } })
    await third.setMeta?.('/x', { mode: 0o700 })
    expect((await third.lstat('/x')).mode).toBe(0o700)
  })

  it('copies the bytes of a write when it is called', async () => {
    const fs = createMountedFs({ fs: createMemoryFs(), mounts: { 'x/m': createMemoryFs() } })
    const bytes = utf8('original')
    const writing = fs.write('/x/a', bytes)
    bytes.fill(0)
    await writing
    expect(text(await fs.read('/x/a'))).toBe('original')
  })

  it('walks, lists, searches and finds by name in one order over all storages', async () => {
    const { workspace, ok } = setUp()
    expect(await walked(workspace)).toEqual([
      '/workspace/a.md',
      '/workspace/data/',
      '/workspace/data/raw/',
      '/workspace/data/raw/r.csv',
      '/workspace/docs/',
      '/workspace/docs/deep/',
      '/workspace/docs/deep/er/',
      '/workspace/docs/deep/er/x.md',
      '/workspace/docs/deep/inner/',
      '/workspace/docs/deep/inner/n.md',
      '/workspace/docs/guide.md',
      '/workspace/z/',
      '/workspace/z/z.md',
    ])
    const found = await ok('glob', { pattern: '**/*.md' })
    expect(JSON.stringify(found)).toMatch(/a\.md.*docs\/deep\/er\/x\.md.*docs\/deep\/inner\/n\.md.*docs\/guide\.md.*z\/z\.md/)
    const hits = await ok('grep', { pattern: 'x|nested|1,2' })
    expect(JSON.stringify(hits)).toMatch(/data\/raw\/r\.csv.*docs\/deep\/er\/x\.md.*docs\/deep\/inner\/n\.md/)
    const files = await workspace.files()
    expect(Object.keys(files)).toEqual(['a.md', 'data/raw/r.csv', 'docs/deep/er/x.md', 'docs/deep/inner/n.md', 'docs/guide.md', 'z/z.md'])
  })

  it('does not remove, move or replace a mount point or its parents', async () => {
    const { workspace } = setUp()
    for (const path of ['docs', 'data', 'data/raw', 'docs/deep', 'docs/deep/inner']) {
      const busy = { code: 'EBUSY', path: `/workspace/${path}`, message: expect.stringContaining('mounted') }
      await expect(workspace.remove(path, { recursive: true })).rejects.toMatchObject(busy)
      await expect(workspace.remove(path)).rejects.toMatchObject(busy)
      await expect(workspace.move(path, 'elsewhere')).rejects.toMatchObject(busy)
      await expect(workspace.move('z', path, { overwrite: true })).rejects.toMatchObject({ code: 'EBUSY' })
      await expect(workspace.writeText(path, 'x')).rejects.toMatchObject({ code: 'EISDIR' })
      await expect(workspace.mkdir(path, { parents: false })).rejects.toMatchObject({ code: 'EEXIST' })
      if (path.startsWith('data')) continue
      await expect(workspace.symlink('x', path)).rejects.toMatchObject({ code: 'EEXIST' })
    }
    expect(Object.keys(await workspace.files())).toHaveLength(6)
  })

  it('rejects such calls with EBUSY in the storage API too, except a rename onto itself', async () => {
    const fs = createMountedFs({ fs: createMemoryFs({ files: { f: 'f' } }), mounts: { 'a/m': createMemoryFs() } })
    for (const path of ['/a', '/a/m']) {
      await expect(fs.rmdir(path)).rejects.toMatchObject({ code: 'EBUSY', path })
      await expect(fs.rmTree?.(path)).rejects.toMatchObject({ code: 'EBUSY', path })
      await expect(fs.unlink(path)).rejects.toMatchObject({ code: 'EISDIR', path })
      await expect(fs.rename(path, '/b')).rejects.toMatchObject({ code: 'EBUSY', path })
      await expect(fs.rename('/f', path)).rejects.toMatchObject({ code: 'EBUSY', path: '/f', dest: path })
      await expect(fs.append?.(path, utf8('x'))).rejects.toMatchObject({ code: 'EISDIR', path })
      await expect(fs.copy?.('/f', path)).rejects.toMatchObject({ code: 'EISDIR', path: '/f' })
      await expect(fs.copy?.(path, '/g')).rejects.toMatchObject({ code: 'EISDIR', path })
      await expect(fs.read(path)).rejects.toMatchObject({ code: 'EISDIR', path })
      await expect(fs.readlink?.(path)).rejects.toMatchObject({ code: 'EINVAL', path })
      await expect(fs.write(path, utf8('x'), { create: 'exclusive' })).rejects.toMatchObject({ code: 'EEXIST', path })
      await expect(fs.mkdir(path)).rejects.toMatchObject({ code: 'EEXIST', path })
      await expect(fs.symlink?.('x', path)).rejects.toMatchObject({ code: 'EEXIST', path })
      await fs.rename(path, path)
    }
    await expect(fs.rmdir('/')).rejects.toMatchObject({ code: 'EBUSY' })
    await expect(fs.rename('/f', '/a/m/f')).rejects.toMatchObject({ code: 'EXDEV', path: '/f', dest: '/a/m/f' })
  })

  it('rejects writes to a read-only mount and names the mount', async () => {
    const { workspace, raw, ok, fail } = setUp()
    const refused = { code: 'EROFS', message: expect.stringContaining('the mount "data/raw" is read-only') }
    const calls = [
      () => workspace.writeText('data/raw/new/a', 'x'),
      () => workspace.writeText('data/raw/r.csv', 'x'),
      () => workspace.writeText('data/raw/r.csv', 'x', { mode: 'append' }),
      () => workspace.mkdir('data/raw/d'),
      () => workspace.remove('data/raw/r.csv'),
      () => workspace.move('data/raw/r.csv', 'r.csv'),
      () => workspace.move('data/raw/r.csv', 'data/raw/s.csv'),
      () => workspace.move('a.md', 'data/raw/a.md'),
      () => workspace.copy('a.md', 'data/raw/a.md'),
      () => workspace.symlink('r.csv', 'data/raw/l'),
      () => workspace.setMeta('data/raw/r.csv', { mode: 0o600 }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject(refused)
    expect((await fail('write_file', { path: 'data/raw/r.csv', content: 'x' })).output.code).toBe('EROFS')
    await ok('read_file', { path: 'data/raw/r.csv' })
    expect(await raw.readdir('/')).toEqual([{ name: 'r.csv', kind: 'file', size: 3 }])
    expect((await workspace.readText('a.md')).text).toBe('root')
    await workspace.copy('data/raw/r.csv', 'docs/copy.csv')
    expect((await workspace.readText('docs/copy.csv')).text).toBe('1,2')
  })

  it('resolves links as paths of the whole tree', async () => {
    const { workspace, docs } = setUp()
    await workspace.symlink('/workspace/a.md', 'docs/up')
    await workspace.symlink('../z', 'docs/side')
    await workspace.symlink('docs/deep/inner', 'down')
    expect((await workspace.readText('docs/up')).text).toBe('root')
    expect((await workspace.readText('docs/side/z.md')).text).toBe('z')
    expect((await workspace.readText('down/n.md')).text).toBe('nested')
    await workspace.writeText('docs/side/new.md', 'new')
    expect((await workspace.readText('z/new.md')).text).toBe('new')
    // The symlink leads out of the mount, and must not be resolved within the mounted storage.
    await docs.write('/a.md', utf8('not this'))
    expect((await workspace.readText('docs/up')).text).toBe('root')
    await docs.symlink('/etc/passwd', '/out')
    await expect(workspace.readText('docs/out')).rejects.toMatchObject({ code: 'symlink_escape' })
    await docs.symlink('../../..', '/above')
    await expect(workspace.readText('docs/above')).rejects.toMatchObject({ code: 'symlink_escape' })
  })

  it('hides a file or link of the root storage where a directory leads to a mount', async () => {
    for (const make of [(fs: FsAdapter) => fs.write('/data', utf8('a file')), (fs: FsAdapter) => fs.symlink?.('elsewhere', '/data')]) {
      const root = createMemoryFs({ files: { 'elsewhere/x': 'x', f: 'f' } })
      await make(root)
      const workspace = createWorkspace({ fs: root, mounts: { 'data/raw': createMemoryFs({ files: { r: 'r' } }) } })
      expect(await workspace.list('data')).toEqual([{ name: 'raw', kind: 'dir' }])
      expect((await workspace.stat('data')).kind).toBe('dir')
      expect(await workspace.exists('data/x')).toBe(false)
      expect((await workspace.readText('data/raw/r')).text).toBe('r')
      await expect(workspace.writeText('data/new', 'x')).rejects.toMatchObject({
        code: 'ENOTDIR',
        message: expect.stringContaining('at this path'),
      })
      await expect(workspace.move('f', 'data/f')).rejects.toMatchObject({ code: 'ENOTDIR' })
      expect((await workspace.readText('f')).text).toBe('f')
    }
  })

  it('reports a file in the way within a mount with ENOTDIR', async () => {
    const root = createMemoryFs({ files: { x: 'a file' } })
    const fs = createMountedFs({ fs: root, mounts: { 'x/m': createMemoryFs({ files: { f: 'f' } }), 'x/m/y/z': createMemoryFs() } })
    await expect(fs.lstat('/x/m/f/g')).rejects.toMatchObject({ code: 'ENOTDIR', path: '/x/m/f/g' })
    await expect(fs.write('/x/m/f/g', utf8('g'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await fs.write('/x/m/y/own', utf8('own'))
    expect((await fs.readdir('/x/m/y')).map(({ name }) => name)).toEqual(['own', 'z'])
    expect(await root.readdir('/')).toEqual([{ name: 'x', kind: 'file', size: 6 }])
  })

  it('hides the checkpoint data of a mounted storage', async () => {
    const mounted = createMemoryFs({ files: { '.toolport-checkpoints/journal': 'j', 'a.md': 'a' } })
    const workspace = createWorkspace({ fs: createMemoryFs(), mounts: { m: mounted } })
    expect(Object.keys(await workspace.files())).toEqual(['m/a.md'])
    expect(await workspace.exists('m/.toolport-checkpoints/journal')).toBe(false)
    await expect(workspace.writeText('m/.toolport-checkpoints/x', 'x')).rejects.toMatchObject({ name: 'FsError' })
    await expect(workspace.remove('m/.toolport-checkpoints', { recursive: true })).rejects.toMatchObject({ name: 'FsError' })
    await expect(workspace.move('m/a.md', 'm/.toolport-checkpoints')).rejects.toMatchObject({ name: 'FsError' })
    expect(text(await mounted.read('/.toolport-checkpoints/journal'))).toBe('j')
  })

  it('counts quotas over all storages', async () => {
    for (const make of [() => createMemoryFs(), plainFs]) {
      const workspace = createWorkspace({ fs: make(), mounts: { a: make(), b: make() }, quotas: { bytes: 10 } })
      await workspace.writeText('f', '1234')
      await workspace.writeText('a/f', '1234')
      await expect(workspace.writeText('b/f', '123')).rejects.toMatchObject({ code: 'ENOSPC' })
      await workspace.writeText('b/f', '12')
      await workspace.move('a/f', 'b/g')
      await expect(workspace.writeText('a/h', '1')).rejects.toMatchObject({ code: 'ENOSPC' })
      await workspace.remove('b/g')
      await workspace.writeText('a/h', '1234')
    }
  })

  it('opens, flushes and closes every storage, even if some fail, and reports the first error', async () => {
    const done: string[] = []
    const told = (name: string, fails: readonly string[] = []): FsAdapter => {
      const call = (what: string) => async () => {
        done.push(`${what} ${name}`)
        if (fails.includes(what)) throw new FsError({ code: 'EIO', op: what, path: '/', detail: `${name} is broken` })
      }
      return { ...createMemoryFs(), open: call('open'), flush: call('flush'), close: call('close') }
    }
    const workspace = createWorkspace({ fs: told('root'), mounts: { a: told('a', ['flush', 'close']), b: told('b', ['flush']) } })
    await workspace.fs.open?.()
    await expect(workspace.flush()).rejects.toMatchObject({ code: 'EIO', path: '/a', message: expect.stringContaining('a is broken') })
    await expect(workspace.close()).rejects.toMatchObject({ message: expect.stringContaining('a is broken') })
    expect(done).toEqual(['open root', 'open a', 'open b', 'flush root', 'flush a', 'flush b', 'close root', 'close a', 'close b'])
  })

  it('reports an unknown error of a storage as EIO without its words', async () => {
    const broken: FsAdapter = { ...createMemoryFs(), readdir: () => Promise.reject(new Error('/home/secret')) }
    const fs = createMountedFs({ fs: createMemoryFs(), mounts: { m: broken } })
    const error = await fs.readdir('/m').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'FsError', code: 'EIO', path: '/m', message: expect.not.stringContaining('secret') })
  })
})

describe('capabilities of mounts', () => {
  it('are those that all storages have', () => {
    const can = { mode: true, atomicReplace: true, dirRename: true, durableOnAck: true, caseSensitive: true, raceSafe: true } as const
    const durable: FsAdapter = { ...createMemoryFs(), can: { ...can, persistence: 'durable' } }
    const poor: FsAdapter = { ...plainFs(), can: { ...can, mode: false, dirRename: false, persistence: 'best-effort' } }
    expect(createMountedFs({ fs: durable, mounts: { m: poor } }).can).toEqual({
      ...can,
      mode: false,
      dirRename: false,
      persistence: 'best-effort',
    })
    expect(createMountedFs({ fs: durable, mounts: { m: createMemoryFs() } }).can.persistence).toBe('memory')
  })

  it('capabilities that a storage lacks are rejected with the name of the mount', async () => {
    const fs = createMountedFs({ fs: createMemoryFs({ files: { a: 'a' } }), mounts: { m: plainFs() } })
    expect(fs.usage).toBeUndefined()
    await fs.write('/m/f', utf8('f'))
    const refusal = (why: string) => ({ code: 'ENOTSUP', message: expect.stringContaining(`the storage of the mount "m" ${why}`) })
    await expect(fs.symlink?.('f', '/m/l')).rejects.toMatchObject(refusal('keeps no links'))
    await expect(fs.setMeta?.('/m/f', { mode: 0o600 })).rejects.toMatchObject(refusal('does not support setting modes'))
    await fs.symlink?.('a', '/l')
    await expect(fs.readlink?.('/m/f')).rejects.toMatchObject({ code: 'EINVAL' })
    await fs.append?.('/m/f', utf8('g'))
    await fs.copy?.('/m/f', '/m/c')
    await fs.mkdir('/m/d')
    await fs.write('/m/d/e', utf8('e'))
    await fs.rmTree?.('/m/d')
    expect((await fs.readdir('/m')).map(({ name, size }) => `${name} ${size}`)).toEqual(['c 2', 'f 2'])
    const turned = createMountedFs({ fs: plainFs(), mounts: { m: createMemoryFs() } })
    await expect(turned.symlink?.('x', '/l')).rejects.toMatchObject({
      message: expect.stringContaining('the storage of the root keeps no links'),
    })
  })

  it('a link without a known target is shown but not followed', async () => {
    const linked: FsAdapter = {
      ...plainFs(),
      lstat: async (path) => ({ kind: path === '/l' ? 'symlink' : 'dir', size: 0, mtimeMs: 0 }),
      readdir: async () => [{ name: 'l', kind: 'symlink' }],
    }
    const workspace = createWorkspace({ fs: createMemoryFs(), mounts: { m: linked } })
    await expect(workspace.readText('m/l')).rejects.toMatchObject({ code: 'ELOOP', message: expect.stringContaining('does not report') })
  })

  it('the host path is unknown if a storage is not on the host', () => {
    const root: FsAdapter = { ...createMemoryFs(), suggestedRoot: '/srv/project', hostPath: (path) => `/srv/project${path}` }
    const far: FsAdapter = { ...createMemoryFs(), hostPath: (path) => `/mnt/far${path}` }
    const workspace = createWorkspace({ fs: root, mounts: { m: createMemoryFs(), far } })
    expect(workspace.root).toBe('/srv/project')
    expect(workspace.fs.hostPath?.('/a')).toBe('/srv/project/a')
    expect(workspace.fs.hostPath?.('/far/a')).toBe('/mnt/far/a')
    expect(() => workspace.fs.hostPath?.('/m/a')).toThrow(/the storage of the mount "m" is not a directory of this machine/)
    expect(createWorkspace({ fs: createMemoryFs(), mounts: { far } }).fs.hostPath).toBeUndefined()
  })
})
