// @module-tag webcontainer
import type { WebContainer } from '@webcontainer/api'
import { createRuntime, createWorkspace, fileTools, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs, type WebContainerFs, type WebContainerLike } from 'toolport/adapters/webcontainer'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { benchOver } from '../tools/harness.js'
import { FakeContainer, type FakeFaults, failure } from './webcontainer-fake.js'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function set(faults: FakeFaults = {}): { fake: FakeContainer; fs: WebContainerFs } {
  const fake = new FakeContainer()
  fake.faults = faults
  return { fake, fs: createWebContainerFs({ container: fake.api }) }
}

/** Makes a change once, before a call on a path. */
function once(fake: FakeContainer, at: string, change: () => void): void {
  fake.faults = {
    ...fake.faults,
    before: (call, path) => {
      if (`${call} ${path}` !== at) return
      const { before: _, ...others } = fake.faults
      fake.faults = others
      change()
    },
  }
}

describe('the container', () => {
  it('has the type of the published package', () => {
    expectTypeOf<WebContainer>().toExtend<WebContainerLike>()
    expectTypeOf<ReturnType<typeof WebContainer.boot>>().toExtend<Promise<WebContainerLike>>()
  })

  it('may be a promise or a function, which the first call runs once', async () => {
    const { api } = new FakeContainer()
    await expect(createWebContainerFs({ container: Promise.resolve(api) }).readdir('/')).resolves.toEqual([])
    let boots = 0
    const boot = async (): Promise<WebContainerLike> => {
      boots++
      return api
    }
    const fs = createWebContainerFs({ container: boot })
    expect(boots).toBe(0)
    await Promise.all([fs.open(), fs.readdir('/'), fs.lstat('/')])
    expect(boots).toBe(1)
  })

  it('a container that fails to boot is EIO with the reason, and the next call retries', async () => {
    const { api } = new FakeContainer()
    let boots = 0
    const container = async (): Promise<WebContainerLike> => {
      if (++boots === 1) throw new Error('SharedArrayBuffer is not defined')
      return api
    }
    const fs = createWebContainerFs({ container })
    await expect(fs.readdir('/')).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining('SharedArrayBuffer is not') })
    await expect(fs.readdir('/')).resolves.toEqual([])
  })

  it('a missing or invalid container is rejected at once', () => {
    for (const container of [undefined, null, 'webcontainer'] as unknown as WebContainerLike[]) {
      expect(() => createWebContainerFs({ container })).toThrow(TypeError)
    }
  })

  it('stays alive when the storage is closed', async () => {
    const { fake, fs } = set()
    await fs.write('/a', utf8('x'))
    await fs.close()
    await expect(createWebContainerFs({ container: fake.api }).read('/a')).resolves.toEqual(utf8('x'))
  })

  it('a container that was torn down makes every call fail with EIO and the reason', async () => {
    const { fake, fs } = set()
    await fs.write('/a', utf8('x'))
    fake.teardown()
    for (const call of [fs.read('/a'), fs.lstat('/'), fs.write('/a', utf8('y')), fs.rmTree('/a'), fs.importFiles({ b: 'x' })]) {
      await expect(call).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining('Proxy has been released') })
    }
    await fs.close()
  })
})

describe('the root folder', () => {
  it('is created with its parents, and files beside it are not touched', async () => {
    const fake = new FakeContainer()
    fake.file('beside', 'x')
    const fs = createWebContainerFs({ container: fake.api, root: './a//b/' })
    await fs.write('/f', utf8('y'))
    expect(fake.at('a/b/f')).toBe('y')
    expect(await fs.readdir('/')).toEqual([{ name: 'f', kind: 'file' }])
    expect(fake.at('beside')).toBe('x')
  })

  it('a file in place of the root folder is ENOTDIR', async () => {
    const fake = new FakeContainer()
    fake.file('a', 'x')
    await expect(createWebContainerFs({ container: fake.api, root: 'a/b' }).open()).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(createWebContainerFs({ container: fake.api, root: 'a' }).open()).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('outside the working directory is rejected at once', () => {
    for (const root of ['/abs', '../up', 'a/../../b', 'nul\0']) {
      expect(() => createWebContainerFs({ container: new FakeContainer().api, root })).toThrow(/working directory/)
    }
  })
})

describe('links created by a process', () => {
  async function linked(): Promise<{ fake: FakeContainer; fs: WebContainerFs }> {
    const { fake, fs } = set()
    await fs.mkdir('/safe')
    await fs.write('/safe/a', utf8('kept'))
    fake.link('safe', 'l')
    fake.link('safe/a', 'm')
    return { fake, fs }
  }

  it('are shown as links, and never followed', async () => {
    const { fs } = await linked()
    expect(await fs.lstat('/l')).toEqual({ kind: 'symlink', size: 0, mtimeMs: 0 })
    expect(await fs.readdir('/')).toContainEqual({ name: 'l', kind: 'symlink' })
    const through = [
      () => fs.read('/m'),
      () => fs.write('/m', utf8('lost')),
      () => fs.readdir('/l'),
      () => fs.lstat('/l/a'),
      () => fs.read('/l/a'),
      () => fs.write('/l/new', utf8('lost')),
      () => fs.mkdir('/l/new'),
      () => fs.unlink('/l/a'),
      () => fs.rmTree('/l/a'),
      () => fs.rename('/l/a', '/b'),
      () => fs.rename('/safe', '/l/b'),
      () => fs.importFiles({ 'l/new': 'lost' }),
      () => fs.importFiles({ m: 'lost' }),
    ]
    for (const call of through) await expect(call()).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(fs.write('/m', utf8('lost'), { create: 'exclusive' })).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(fs.mkdir('/l')).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(fs.rmdir('/l')).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(await fs.readdir('/safe')).toEqual([{ name: 'a', kind: 'file' }])
    expect(text(await fs.read('/safe/a'))).toBe('kept')
  })

  it('are removed and renamed without their targets', async () => {
    const { fake, fs } = await linked()
    await fs.rename('/m', '/n')
    expect(fake.at('n')).toBe('-> safe/a')
    await fs.unlink('/n')
    await fs.rmTree('/l')
    expect(fake.at('safe/a')).toBe('kept')
    expect(fake.calls.filter((call) => call === 'rm l')).toHaveLength(1)
  })

  it('links in a tree are removed one by one before the tree', async () => {
    const { fake, fs } = await linked()
    await fs.mkdir('/w')
    await fs.mkdir('/w/d')
    await fs.write('/w/d/f', utf8('x'))
    fake.link('../safe', 'w/l')
    fake.link('../../safe', 'w/d/l')
    const remove = fake.api.fs.rm
    fake.api.fs.rm = (path, options) => {
      if (options?.recursive && (fake.at('w/l') !== undefined || fake.at('w/d/l') !== undefined))
        throw new Error('a link is left in the tree')
      return remove(path, options)
    }
    await fs.rmTree('/w')
    expect(fake.at('w')).toBeUndefined()
    expect(fake.at('safe/a')).toBe('kept')
  })

  it('are ELOOP in a workspace, with an explanation', async () => {
    const { fs } = await linked()
    const workspace = createWorkspace({ fs })
    await expect(workspace.readText('m')).rejects.toMatchObject({ code: 'ELOOP', message: expect.stringContaining('does not report') })
    await expect(workspace.readText('l/a')).rejects.toMatchObject({ code: 'ELOOP' })
    await expect(workspace.readlink('safe/a')).rejects.toMatchObject({ code: 'EINVAL' })
    await workspace.remove('m')
    expect(await workspace.exists('safe/a')).toBe(true)
  })
})

describe('errors of the container', () => {
  const answers: readonly (readonly [unknown, string])[] = [
    [failure('ENOSPC', 'no space left on device', 'write', 'a'), 'ENOSPC'],
    [failure('EPERM', 'operation not permitted', 'open', 'a'), 'EACCES'],
    [failure('EROFS', 'read-only file system', 'open', 'a'), 'EROFS'],
    [failure('ENAMETOOLONG', 'name too long', 'open', 'a'), 'EINVAL'],
    [failure('EWHAT', 'unknown', 'open', 'a'), 'EIO'],
    [new Error('Path is a directory: rm returned EISDIR'), 'EIO'],
    [{ message: 'EBUSY: resource busy' }, 'EBUSY'],
    ['a string', 'EIO'],
    [undefined, 'EIO'],
  ]
  for (const [thrown, code] of answers) {
    it(`${thrown instanceof Error ? thrown.message : JSON.stringify(thrown)} is ${code}`, async () => {
      const { fake, fs } = set()
      fake.faults = {
        before: (call) => {
          if (call === 'writeFile') throw thrown
        },
      }
      const error = await fs.write('/a', utf8('x')).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'FsError', code, op: 'write', path: '/a' })
      if (code !== 'EIO') expect(error).toMatchObject({ message: expect.not.stringContaining('/home/project') })
    })
  }

  it('an unknown error becomes EIO with the message of the container', async () => {
    const { fake, fs } = set()
    fake.faults = {
      before: () => {
        throw new Error('wasm trap')
      },
    }
    await expect(fs.readdir('/')).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining('wasm trap') })
  })
})

describe('invalid answers of the container', () => {
  const listings: Readonly<Record<string, unknown>> = {
    'an object instead of an array': { length: 0 },
    nothing: undefined,
    'a name with a slash': [{ name: 'a/b', isFile: () => true, isDirectory: () => false }],
    'the name ..': [{ name: '..', isFile: () => false, isDirectory: () => true }],
    'an empty name': [{ name: '', isFile: () => true, isDirectory: () => false }],
    'a name as bytes': [{ name: utf8('a'), isFile: () => true, isDirectory: () => false }],
    'names instead of entries': ['a', 'b'],
    'entries without kinds': [{ name: 'a' }],
    null: [null],
  }
  for (const [what, listing] of Object.entries(listings)) {
    it(`a listing with ${what} is EIO`, async () => {
      const { fake, fs } = set()
      fake.api.fs.readdir = (async () => listing) as unknown as typeof fake.api.fs.readdir
      await expect(fs.readdir('/')).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining('answered with') })
      await expect(fs.write('/a', utf8('x'))).rejects.toMatchObject({ code: 'EIO' })
      expect(fake.calls).toEqual([])
    })
  }

  it('content that is not bytes is EIO', async () => {
    const { fake, fs } = set()
    await fs.write('/a', utf8('x'))
    for (const content of ['text', undefined, [1, 2]]) {
      fake.api.fs.readFile = (async () => content) as unknown as typeof fake.api.fs.readFile
      await expect(fs.read('/a')).rejects.toMatchObject({ code: 'EIO' })
      await expect(fs.lstat('/a')).rejects.toMatchObject({ code: 'EIO' })
    }
  })

  it('an entry that is file and directory is a directory, and one that is neither is a link', async () => {
    const { fake, fs } = set()
    fake.api.fs.readdir = (async () => [{ name: 'p', isFile: () => 1, isDirectory: () => 0 }]) as unknown as typeof fake.api.fs.readdir
    expect(await fs.readdir('/')).toEqual([{ name: 'p', kind: 'symlink' }])
    await expect(fs.read('/p')).rejects.toMatchObject({ code: 'ELOOP' })
    expect(fake.calls).toEqual([])
  })
})

describe('concurrent changes by processes', () => {
  it('a file removed between listing and stat is ENOENT', async () => {
    const { fake, fs } = set()
    await fs.write('/a', utf8('x'))
    once(fake, 'readFile a', () => fake.gone('a'))
    await expect(fs.lstat('/a')).rejects.toMatchObject({ code: 'ENOENT', path: '/a' })
  })

  it('a file replaced by a directory is a directory', async () => {
    const { fake, fs } = set()
    await fs.write('/a', utf8('x'))
    once(fake, 'readFile a', () => {
      fake.gone('a')
      fake.folder('a')
    })
    expect(await fs.lstat('/a')).toMatchObject({ kind: 'dir' })
  })

  it('a directory removed while it is listed is ENOENT, also repeatedly', async () => {
    const { fake, fs } = set()
    await fs.mkdir('/d')
    once(fake, 'readdir d', () => fake.gone('d'))
    await expect(fs.readdir('/d')).rejects.toMatchObject({ code: 'ENOENT' })
    fake.folder('d')
    fake.faults = {
      before: (call, path) => {
        if (call === 'readdir' && path === 'd') throw failure('ENOENT', 'no such file', 'scandir', 'd')
      },
    }
    await expect(fs.readdir('/d')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('a changed file has another version, which depends on the content only', async () => {
    const { fake, fs } = set()
    await fs.write('/a', utf8('one'))
    const before = (await fs.lstat('/a')).version
    fake.file('a', 'two')
    const between = (await fs.lstat('/a')).version
    expect(between).not.toBe(before)
    fake.file('a', 'one')
    expect((await fs.lstat('/a')).version).toBe(before)
  })

  it('a stale write is rejected by the workspace', async () => {
    const { fake, fs } = set()
    const workspace = createWorkspace({ fs })
    const { version } = await workspace.writeText('a', 'one')
    fake.file('a', 'two')
    await expect(workspace.writeText('a', 'three', { expect: version })).rejects.toMatchObject({ code: 'ESTALE' })
    expect(fake.at('a')).toBe('two')
  })

  it('a failed rmTree reports the error and can be repeated', async () => {
    const { fake, fs } = set()
    await fs.mkdir('/d')
    fake.link('x', 'd/l')
    fake.link('y', 'd/m')
    once(fake, 'rm d/m', () => {
      throw failure('EBUSY', 'resource busy', 'rm', 'd/m')
    })
    await expect(fs.rmTree('/d')).rejects.toMatchObject({ code: 'EBUSY', path: '/d' })
    await fs.rmTree('/d')
    expect(fake.at('d')).toBeUndefined()
  })
})

describe('concurrent calls of the storage', () => {
  it('run one after the other, so that a check stays valid', async () => {
    const { fake, fs } = set({ slow: 1 })
    await fs.mkdir('/d')
    const [wrote, removed] = await Promise.allSettled([fs.write('/d/a', utf8('x'), { create: 'exclusive' }), fs.rmdir('/d')])
    expect([wrote.status, removed.status]).toEqual(['fulfilled', 'rejected'])
    expect(fake.at('d/a')).toBe('x')
    const both = await Promise.allSettled(['y', 'z'].map((content) => fs.write('/d/b', utf8(content), { create: 'exclusive' })))
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(fake.at('d/b')).toBe('y')
  })

  it('list each directory once, and its parents in parallel', async () => {
    const { fake, fs } = set()
    await fs.mkdir('/d')
    await fs.mkdir('/d/e')
    await fs.write('/d/e/a', utf8('x'))
    fake.calls.length = 0
    await fs.rename('/d/e/a', '/d/e/b')
    expect(fake.calls.sort()).toEqual(['readdir .', 'readdir d', 'readdir d/e', 'rename d/e/a'])
    fake.calls.length = 0
    await fs.readdir('/d/e')
    expect(fake.calls.sort()).toEqual(['readdir .', 'readdir d', 'readdir d/e'])
  })

  it('finish before close() resolves, and later ones are rejected', async () => {
    const { fake, fs } = set({ slow: 2 })
    const writing = fs.write('/a', utf8('x'))
    const closing = fs.close()
    await expect(fs.read('/a')).rejects.toMatchObject({ code: 'EIO' })
    await closing
    expect(fake.at('a')).toBe('x')
    await writing
  })

  it('keep the version of a moved file, and give a new one to a recreated file', async () => {
    const { fs } = set()
    await fs.mkdir('/d')
    await fs.write('/d/a', utf8('x'))
    const { version } = await fs.lstat('/d/a')
    await fs.rename('/d', '/e')
    expect((await fs.lstat('/e/a')).version).toBe(version)
    await fs.rmTree('/e')
    await fs.mkdir('/e')
    await fs.write('/e/a', utf8('x'))
    expect((await fs.lstat('/e/a')).version).not.toBe(version)
  })

  it('never remove a non-empty directory recursively by accident', async () => {
    const { fake, fs } = set()
    await fs.mkdir('/d')
    await fs.write('/d/a', utf8('x'))
    await expect(fs.rmdir('/d')).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    await expect(fs.unlink('/d')).rejects.toMatchObject({ code: 'EISDIR' })
    expect(fake.calls.filter((call) => call.startsWith('rm '))).toEqual([])
  })
})

describe('files written in bulk', () => {
  const files = { 'package.json': '{}', '/src/a.ts': 'a', 'src/deep/er/b': Uint8Array.of(0, 255, 128), empty: '' }

  it('initialise an empty workspace in one message', async () => {
    const fake = new FakeContainer()
    const fs = createWebContainerFs({ container: fake.api, root: 'app', files })
    expect(text(await fs.read('/src/a.ts'))).toBe('a')
    expect(await fs.read('/src/deep/er/b')).toEqual(Uint8Array.of(0, 255, 128))
    expect(await fs.read('/empty')).toEqual(new Uint8Array(0))
    expect(fake.calls.filter((call) => call.startsWith('mount '))).toEqual(['mount app'])
    expect(fake.calls.filter((call) => call.startsWith('writeFile '))).toEqual([])
  })

  it('are not written into a workspace that has files', async () => {
    const fake = new FakeContainer()
    fake.file('package.json', 'mine')
    const fs = createWebContainerFs({ container: fake.api, files })
    expect(text(await fs.read('/package.json'))).toBe('mine')
    expect(await fs.readdir('/')).toEqual([{ name: 'package.json', kind: 'file' }])
  })

  it('are written again after a failure in the middle', async () => {
    const fake = new FakeContainer()
    fake.faults = { mountedAtMost: 2 }
    const fs = createWebContainerFs({ container: fake.api, files })
    await expect(fs.open()).rejects.toMatchObject({ code: 'EIO', message: expect.stringContaining('out of memory') })
    expect((await createWebContainerFs({ container: fake.api }).readdir('/')).length).toBeGreaterThan(0)
    fake.faults = {}
    expect(text(await fs.read('/src/a.ts'))).toBe('a')
    expect(await fs.read('/empty')).toEqual(new Uint8Array(0))
  })

  it('overwrite files and fill directories, and one invalid target prevents all', async () => {
    const { fake, fs } = set()
    await fs.mkdir('/d')
    await fs.mkdir('/d/e')
    await fs.write('/f', utf8('old'))
    const before = (await fs.lstat('/f')).version
    for (const bad of ['d/e', 'f/a', 'f/a/b']) {
      await expect(fs.importFiles({ new: 'x', [bad]: 'x' })).rejects.toMatchObject({
        name: 'FsError',
        code: expect.stringMatching(/EISDIR|ENOTDIR/),
      })
    }
    expect(fake.at('new')).toBeUndefined()
    await fs.importFiles({ f: 'old', 'd/e/a': 'x', 'd/new/b': 'y' })
    expect([fake.at('d/e/a'), fake.at('d/new/b')]).toEqual(['x', 'y'])
    expect((await fs.lstat('/f')).version).not.toBe(before)
  })

  it('files with invalid paths are rejected, initial ones at once', async () => {
    const { fs } = set()
    const bad: Record<string, string>[] = [{ 'a/../b': '' }, { 'a//b': '' }, { '': '' }, { a: '', '/a': '' }, { a: '', 'a/b': '' }]
    for (const some of bad) {
      await expect(fs.importFiles(some)).rejects.toMatchObject({ name: 'FsError', code: expect.stringMatching(/EINVAL|EEXIST/) })
      expect(() => createWebContainerFs({ container: new FakeContainer().api, files: some })).toThrow(/Cannot begin with files/)
    }
  })

  it('may have names such as __proto__', async () => {
    const { fake, fs } = set()
    const odd = Object.fromEntries([
      ['__proto__', 'a'],
      ['d/__proto__/b', 'c'],
      ['constructor', 'e'],
    ])
    await fs.importFiles(odd)
    expect(['__proto__', 'd/__proto__/b', 'constructor'].map((path) => fake.at(path))).toEqual(['a', 'c', 'e'])
  })

  it('are sent in several messages if large, and copied at the call', async () => {
    const { fake, fs } = set()
    const large = new Uint8Array(5 * 1024 * 1024).fill(7)
    const importing = fs.importFiles({ a: large, b: large, c: large, d: 'small' })
    large.fill(0)
    await importing
    expect(fake.calls.filter((call) => call.startsWith('mount '))).toHaveLength(2)
    for (const name of ['a', 'b', 'c']) expect((await fs.read(`/${name}`)).every((byte) => byte === 7)).toBe(true)
    expect(fake.at('d')).toBe('small')
  })

  it('cause no message if there are none', async () => {
    const { fake, fs } = set()
    await fs.importFiles({})
    expect(fake.calls).toEqual([])
  })
})

describe('the tools', () => {
  it('read, edit, patch, move, search and remove in a container, and move to a mount and back', async () => {
    const fake = new FakeContainer()
    const fs = createWebContainerFs({ container: fake.api, root: 'app', files: { 'src/a.ts': 'one\ntwo\n', 'src/b.ts': 'two\n' } })
    const mount = createMemoryFs()
    const { ok } = benchOver(createRuntime({ fs, mounts: { kept: mount }, tools: [...fileTools(), ...searchTools()] }))
    await ok('read_file', { path: 'src/a.ts' })
    await ok('edit_file', { path: 'src/a.ts', edits: [{ old_string: 'one', new_string: 'ONE' }] })
    expect(fake.at('app/src/a.ts')).toBe('ONE\ntwo\n')
    await ok('apply_patch', { patch: '*** Begin Patch\n*** Update File: src/b.ts\n*** Move to: src/c.ts\n@@\n-two\n+2\n*** End Patch' })
    expect([fake.at('app/src/b.ts'), fake.at('app/src/c.ts')]).toEqual([undefined, '2\n'])
    expect(JSON.stringify(await ok('grep', { pattern: 'two' }))).toContain('src/a.ts')
    await ok('move_file', { from: 'src', to: 'kept/src' })
    expect(fake.at('app/src')).toBeUndefined()
    expect(text(await mount.read('/src/a.ts'))).toBe('ONE\ntwo\n')
    await ok('move_file', { from: 'kept/src', to: 'back' })
    expect(fake.at('app/back/c.ts')).toBe('2\n')
    await ok('delete_file', { path: 'back', recursive: true })
    expect(fake.at('app/back')).toBeUndefined()
  })
})
