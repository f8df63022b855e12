// @module-tag branches
import {
  createRuntime,
  createWorkspace,
  type FsAdapter,
  fileTools,
  searchTools,
  toBashFs,
  toNodeFs,
  type Workspace,
  type WorkspaceOptions,
} from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type FaultOperation, forEachFault, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { benchOver } from '../tools/harness.js'
import { plainFs } from './mounts-support.js'

const FILES = { 'f.txt': 'file', 'd/a': 'a', 'd/e/b': Uint8Array.of(0, 255, 10, 13), 'd/e/g/c': '', 'x.sh': '#!/bin/sh\n' }

interface Pair {
  readonly workspace: Workspace
  readonly root: FsAdapter
  readonly mount: FsAdapter
}

function pair(
  root: FsAdapter = createMemoryFs({ files: FILES }),
  mount: FsAdapter = createMemoryFs(),
  options?: Partial<WorkspaceOptions>,
): Pair {
  return { workspace: createWorkspace({ fs: root, mounts: { m: mount }, ...options }), root, mount }
}

/** Path -> content, `-> target`, or `/` for a directory, with the mode. */
async function treeOf(fs: FsAdapter, folder = '/'): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const { name, kind } of await fs.readdir(folder)) {
    const path = folder === '/' ? `/${name}` : `${folder}/${name}`
    const mode = (await fs.lstat(path)).mode?.toString(8) ?? ''
    if (kind === 'dir') Object.assign(tree, { [path]: `/ ${mode}` }, await treeOf(fs, path))
    else tree[path] = kind === 'file' ? `${[...(await fs.read(path))]} ${mode}` : `-> ${await fs.readlink?.(path)}`
  }
  return tree
}

describe('a move between storages', () => {
  it('takes along directories, bytes, links, modes and times, and leaves nothing behind', async () => {
    const { workspace, root, mount } = pair()
    await workspace.symlink('../a', 'd/e/up')
    await workspace.symlink('/workspace/f.txt', 'd/abs')
    await workspace.setMeta('d/a', { mode: 0o755, mtimeMs: 1_000_000_000_000 })
    await workspace.setMeta('d/e', { mode: 0o700 })
    await workspace.setMeta('f.txt', { mtimeMs: -1500 })
    await workspace.move('f.txt', 'm/f.txt')
    expect((await workspace.stat('m/f.txt')).mtimeMs).toBe(-1500)
    await workspace.move('m/f.txt', 'f.txt')
    const before = await treeOf(root)
    expect(await workspace.move('d', 'm/new/d')).toEqual({ from: '/workspace/d', to: '/workspace/m/new/d', kind: 'dir', replaced: false })
    expect(Object.keys(await treeOf(root))).toEqual(['/f.txt', '/x.sh'])
    const moved = Object.entries(before).filter(([path]) => path.startsWith('/d'))
    const after = await treeOf(mount)
    delete after['/new']
    expect(after).toEqual(Object.fromEntries(moved.map(([path, entry]) => [`/new${path}`, entry])))
    expect((await workspace.stat('m/new/d/a')).mtimeMs).toBe(1_000_000_000_000)
    expect((await workspace.readText('m/new/d/abs')).text).toBe('file')
    await workspace.move('m/new/d', 'd')
    expect(await treeOf(root)).toEqual(before)
  })

  it('a move of a file, link or empty directory replaces and rejects as within one storage', async () => {
    const { workspace, root, mount } = pair(undefined, createMemoryFs({ files: { old: 'old', 'full/f': 'f' } }))
    await workspace.mkdir('m/empty')
    await workspace.symlink('nowhere', 'm/link')
    await workspace.symlink('f.txt', 'l')
    await expect(workspace.move('f.txt', 'm/old')).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(workspace.move('f.txt', 'm/full', { overwrite: true })).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(workspace.move('d', 'm/old', { overwrite: true })).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(workspace.move('d', 'm/full', { overwrite: true })).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    await expect(workspace.move('d', 'm/none/d', { parents: false })).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(workspace.move('none', 'm/none')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await workspace.move('f.txt', 'm/old', { overwrite: true })).toMatchObject({ replaced: true })
    expect(await workspace.move('x.sh', 'm/link', { overwrite: true })).toMatchObject({ replaced: true })
    expect(await workspace.move('d', 'm/empty', { overwrite: true })).toMatchObject({ replaced: true })
    await workspace.move('l', 'm/l')
    expect(Object.keys(await treeOf(root))).toEqual([])
    expect(Object.keys(await treeOf(mount)).sort()).toEqual(
      ['/empty', '/empty/a', '/empty/e', '/empty/e/b', '/empty/e/g', '/empty/e/g/c', '/full', '/full/f', '/l', '/link', '/old'].sort(),
    )
    expect((await mount.lstat('/link')).kind).toBe('file')
    expect(await mount.readlink?.('/l')).toBe('f.txt')
  })

  it('copies in pieces if the target can append, and as a whole otherwise', async () => {
    for (const make of [() => createMemoryFs(), plainFs]) {
      const sizes: number[] = []
      const mount = make()
      const noted = (bytes: Uint8Array): Uint8Array => {
        sizes.push(bytes.length)
        return bytes
      }
      const watched: FsAdapter = {
        ...mount,
        write: (path, bytes, options) => mount.write(path, noted(bytes), options),
        ...(mount.append && { append: (path: string, bytes: Uint8Array) => mount.append?.(path, noted(bytes)) as Promise<void> }),
      }
      const bytes = new Uint8Array(9 * 1024 * 1024 + 5).map((_, i) => (i * 7) % 251)
      const { workspace, root } = pair(createMemoryFs({ files: { big: bytes } }), watched)
      await workspace.move('big', 'm/big')
      const moved = await mount.read('/big')
      expect(moved.length === bytes.length && moved.every((byte, i) => byte === bytes[i])).toBe(true)
      expect(await root.readdir('/')).toEqual([])
      expect(sizes.length).toBe(mount.append ? 3 : 1)
    }
  })

  it('keeps what both storages support, and is rejected before any change otherwise', async () => {
    const { workspace, root, mount } = pair(undefined, plainFs())
    await workspace.move('d', 'm/d')
    expect(Object.keys(await treeOf(mount))).toEqual(['/d', '/d/a', '/d/e', '/d/e/b', '/d/e/g', '/d/e/g/c'])
    await workspace.move('m/d', 'd')
    await workspace.symlink('a', 'd/e/l')
    const before = await treeOf(root)
    await expect(workspace.move('d', 'm/d')).rejects.toMatchObject({
      code: 'ENOTSUP',
      path: '/workspace/d',
      dest: '/workspace/m/d',
      message: expect.stringContaining('"/workspace/d/e/l"'),
    })
    expect(await treeOf(root)).toEqual(before)
    expect(await treeOf(mount)).toEqual({})
  })

  it('works between two mounts, out of a nested one, and with names that are prefixes of others', async () => {
    const [a, ab, inner] = [createMemoryFs({ files: { f: 'f' } }), createMemoryFs(), createMemoryFs({ files: { n: 'n' } })]
    const workspace = createWorkspace({ fs: createMemoryFs(), mounts: { a, ab, 'a/in': inner } })
    await workspace.move('a/f', 'ab/f')
    await workspace.move('a/in/n', 'a/n')
    expect(await workspace.files()).toEqual({ 'a/n': 'n', 'ab/f': 'f' })
    await expect(workspace.move('a', 'ab/a')).rejects.toMatchObject({ code: 'EBUSY' })
  })

  it('checks the path rules of both sides for each entry', async () => {
    const policy = { paths: [{ paths: 'd/e/g/**', action: 'deny' }] } as const
    const { workspace, root, mount } = pair(undefined, undefined, { policy })
    const before = await treeOf(root)
    await expect(workspace.move('d', 'm/d')).rejects.toMatchObject({ code: 'EACCES' })
    expect([await treeOf(root), await treeOf(mount)]).toEqual([before, {}])
  })

  it('succeeds at a full quota', async () => {
    const { workspace } = pair(createMemoryFs({ files: { f: '12345' } }), undefined, { quotas: { bytes: 5 } })
    await workspace.move('f', 'm/f')
    await expect(workspace.writeText('g', '1')).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})

describe('a copy to a storage that cannot hold it leaves the old target', () => {
  it.each([
    ['a storage without links', plainFs, 'l', 'ENOTSUP'],
    ['a full storage', () => createMemoryFs({ maxBytes: 3 }), 'f.txt', 'ENOSPC'],
  ])('%s', async (_, make, from, code) => {
    const { workspace, mount } = pair(undefined, make())
    await workspace.symlink('f.txt', 'l')
    await workspace.writeText('m/old', 'old')
    await expect(workspace.copy(from, 'm/old', { overwrite: true })).rejects.toMatchObject({ code })
    expect(await treeOf(mount)).toEqual({ '/old': expect.stringContaining('111,108,100') })
  })
})

describe('a move that fails', () => {
  const when = ({ changes }: FaultOperation): boolean => changes

  it('leaves the source complete and no copy, whichever call of the destination fails', async () => {
    await forEachFault(
      async (faults) => {
        const real = createMemoryFs({ files: { keep: 'keep', 'd2/x': 'x' } })
        const { workspace, root } = pair(undefined, withFaults(real, faults))
        await workspace.symlink('a', 'd/l')
        const [before, target] = [await treeOf(root), await treeOf(real)]
        const error = await workspace.move('d', 'm/d').catch((reason: unknown) => reason)
        if (faults.fired.length === 0) return
        expect(error).toMatchObject({ name: 'FsError', code: 'EIO', op: 'move', path: '/workspace/d', dest: '/workspace/m/d' })
        expect((error as Error).message).not.toContain('.toolport-new')
        expect(await treeOf(root)).toEqual(before)
        const now = await treeOf(real)
        // The last call moves the copy to its place. If only its response is lost, the copy exists and is complete.
        if (now['/d'] === undefined) expect(now).toEqual(target)
        else expect(Object.keys(now).filter((path) => path.startsWith('/d/'))).toHaveLength(6)
      },
      {
        faults: [
          { fault: 'EIO', when },
          { fault: 'unacknowledged', when },
        ],
      },
    )
  })

  it('leaves the old target, whichever call of the destination fails', async () => {
    await forEachFault(
      async (faults) => {
        const real = createMemoryFs({ files: { old: 'old content' } })
        const { workspace, root } = pair(undefined, withFaults(real, faults))
        const before = await treeOf(root)
        const error = await workspace.move('f.txt', 'm/old', { overwrite: true }).catch((reason: unknown) => reason)
        if (faults.fired.length === 0) return
        expect(error).toMatchObject({ code: 'EIO' })
        expect(await treeOf(root)).toEqual(before)
        expect(new TextDecoder().decode(await real.read('/old'))).toBe('old content')
        expect(await real.readdir('/')).toHaveLength(1)
      },
      { faults: [{ fault: 'EIO', when }] },
    )
  })

  it('keeps every entry on one side, whichever call of the source fails, and says where the rest is', async () => {
    await forEachFault(
      async (faults) => {
        const real = createMemoryFs({ files: FILES })
        const { workspace, mount } = pair(withFaults(real, faults))
        const before = await treeOf(real)
        const error = await workspace.move('d', 'm/d').catch((reason: unknown) => reason)
        if (faults.fired.length === 0) return
        expect(error).toMatchObject({ code: 'EIO', op: 'move' })
        const wanted = Object.entries(before).filter(([path]) => path.startsWith('/d'))
        expect(await treeOf(mount)).toEqual(Object.fromEntries(wanted.map(([path, entry]) => [path, entry])))
        expect((error as Error).message).toMatch(/everything was copied, but the original could not be removed, at "\/workspace\/d/)
      },
      { faults: [{ fault: 'EIO', when }] },
    )
  })

  it('an abort while copying leaves the source complete and no copy', async () => {
    const controller = new AbortController()
    const real = createMemoryFs()
    let writes = 0
    const mount: FsAdapter = {
      ...real,
      write: async (path, bytes, options) => {
        await real.write(path, bytes, options)
        if (++writes === 2) controller.abort(new Error('enough'))
      },
    }
    const { workspace, root } = pair(undefined, mount)
    const before = await treeOf(root)
    await expect(workspace.move('d', 'm/d', { signal: controller.signal })).rejects.toThrow('enough')
    expect([await treeOf(root), await treeOf(real)]).toEqual([before, {}])
    await expect(workspace.copy('d', 'm/copy', { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
    expect([await treeOf(root), await treeOf(real)]).toEqual([before, {}])
  })

  it('does not remove what a process changed or added meanwhile', async () => {
    const root = createMemoryFs({ files: FILES })
    const real = createMemoryFs()
    const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
    const during = async (change: () => Promise<void>): Promise<unknown> => {
      let once: (() => Promise<void>) | undefined = change
      const mount: FsAdapter = {
        ...real,
        rename: async (from, to) => {
          await once?.()
          once = undefined
          await real.rename(from, to)
        },
      }
      return createWorkspace({ fs: root, mounts: { m: mount } })
        .move('d', 'm/d')
        .catch((reason: unknown) => reason)
    }
    expect(await during(() => root.write('/d/a', utf8('changed by another')))).toMatchObject({
      code: 'EBUSY',
      message: expect.stringContaining('/workspace/d/a'),
    })
    expect(new TextDecoder().decode(await root.read('/d/a'))).toBe('changed by another')
    expect(new TextDecoder().decode(await real.read('/d/a'))).toBe('a')
    await real.rmTree('/d')
    expect(await during(() => root.write('/d/added', utf8('added')))).toMatchObject({ code: 'ENOTEMPTY' })
    expect(new TextDecoder().decode(await root.read('/d/added'))).toBe('added')
  })

  it('a failed copy in pieces removes the written piece, and detects a changed source', async () => {
    const bytes = new Uint8Array(9 * 1024 * 1024).fill(1)
    const root = createMemoryFs({ files: { big: bytes } })
    const real = createMemoryFs()
    await expect(pair(root, withFaults(real, { fault: 'EIO', at: 3, when })).workspace.move('big', 'm/big')).rejects.toMatchObject({
      code: 'EIO',
    })
    expect(await real.readdir('/')).toEqual([])
    const changing: FsAdapter = {
      ...createMemoryFs(),
      append: async () => {
        await root.write('/big', new Uint8Array(9 * 1024 * 1024).fill(2))
      },
    }
    await expect(pair(root, changing).workspace.move('big', 'm/big')).rejects.toMatchObject({
      code: 'EBUSY',
      message: expect.stringContaining('it changed'),
    })
    expect((await root.read('/big')).every((byte) => byte === 2)).toBe(true)
    expect(await changing.readdir('/')).toEqual([])
  })
})

describe('moves between mounts through tools, facades and shells', () => {
  it('move_file moves across, and later edits know the file', async () => {
    const { workspace } = pair()
    const { ok, fail } = benchOver(createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] }))
    await ok('read_file', { path: 'f.txt' })
    expect(await ok('move_file', { from: 'f.txt', to: 'm/g.txt' })).toMatchObject({ kind: 'file', replaced: false })
    await ok('edit_file', { path: 'm/g.txt', edits: [{ old_string: 'file', new_string: 'edited' }] })
    expect((await workspace.readText('m/g.txt')).text).toBe('edited')
    await ok('move_file', { from: 'd', to: 'm/d' })
    expect((await fail('move_file', { from: 'm', to: 'n' })).output.code).toBe('EBUSY')
  })

  it('apply_patch moves across, all or nothing', async () => {
    const { workspace } = pair(undefined, createMemoryFs({ files: { old: 'old\n' } }))
    const { ok } = benchOver(createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] }))
    const patch = [
      '*** Begin Patch',
      '*** Update File: f.txt',
      '*** Move to: m/moved.txt',
      '@@',
      '-file',
      '+patched',
      '*** End Patch',
    ].join('\n')
    await ok('apply_patch', { patch })
    expect(await workspace.exists('f.txt')).toBe(false)
    expect((await workspace.readText('m/moved.txt')).text).toContain('patched')
  })

  it('rename of toNodeFs and mv of toBashFs move across', async () => {
    const { workspace } = pair()
    await toNodeFs(workspace).promises.rename('/workspace/d', '/workspace/m/d')
    expect(await workspace.exists('d')).toBe(false)
    await toBashFs(workspace, { scratch: createMemoryFs() }).mv('/workspace/m/d', '/workspace/d')
    expect((await workspace.readText('d/a')).text).toBe('a')
    await expect(toNodeFs(workspace).promises.rename('/workspace/m', '/workspace/n')).rejects.toMatchObject({ code: 'EBUSY' })
  })

  it('mv, cp, rm and redirections of a virtual bash work across', async () => {
    const { workspace } = pair(undefined, createMemoryFs({ files: { old: 'old\n' } }))
    const shell = createJustBashShell({ scratch: createMemoryFs() })(workspace)
    const script = 'mv d m/ && mv f.txt m/old && echo more >> m/old && cp -r m/d copy && rm -r m/d/e && ls m m/d copy && cat m/old'
    expect(await shell.exec(script, {})).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: 'copy:\na\ne\n\nm:\nd\nold\n\nm/d:\na\nfilemore\n',
    })
    const refused = await shell.exec('rm -r m; mv m elsewhere; rmdir m', {})
    expect(refused.exitCode).not.toBe(0)
    expect(await workspace.exists('m/old')).toBe(true)
  })

  it('all of them are rejected for a read-only mount', async () => {
    const workspace = createWorkspace({
      fs: createMemoryFs(),
      mounts: { ro: { fs: createMemoryFs({ files: { f: 'f' } }), readOnly: true } },
    })
    const shell = createJustBashShell({ scratch: createMemoryFs() })(workspace)
    const result = await shell.exec('mv ro/f f; rm ro/f; echo x > ro/f; ls', {})
    expect(result.stdout).toBe('ro\n')
    expect((await workspace.readText('ro/f')).text).toBe('f')
    await expect(toNodeFs(workspace).promises.rename('/workspace/ro/f', '/workspace/f')).rejects.toMatchObject({ code: 'EROFS' })
  })
})
