// @module-tag memfs
import { memfs } from 'memfs'
import { createMemfsFs, type MemfsFs } from 'toolport/adapters/memfs'
import { describe, expect, it } from 'vitest'
import { refusal, text, utf8, watched } from './memfs-support.js'

const listed = async (fs: MemfsFs, path = '/'): Promise<string[]> =>
  (await fs.readdir(path)).map(({ name, kind }) => `${name} ${kind}`).sort()

describe('removal in memfs', () => {
  it('keeps the target of a link, which memfs itself deletes', async () => {
    const { promises } = memfs({ '/safe/a': 'x', '/w/b': 'y' }).fs
    await promises.symlink('../safe', '/w/l')
    await promises.rm('/w/l', { recursive: true })
    // If this fails, the library has fixed the bug, and the guard can go.
    expect(await promises.readdir('/')).not.toContain('safe')

    const fs = createMemfsFs({ fs: memfs({ '/safe/a': 'x', '/w/b': 'y' }).fs })
    await fs.symlink('../safe', '/w/l')
    await fs.rmTree('/w/l')
    await fs.symlink('../safe', '/w/l')
    await fs.rmTree('/w')
    expect(await listed(fs)).toEqual(['safe dir'])
    expect(text(await fs.read('/safe/a'))).toBe('x')
  })

  it('removal and all other calls never use recursive calls of memfs', async () => {
    const used = new Set<string>()
    const fs = createMemfsFs({
      now: () => 5,
      fs: watched((method, run, args) => {
        used.add(method)
        for (const arg of args) if (Object(arg) === arg && 'recursive' in (arg as object)) throw new Error(`${method} got "recursive"`)
        return run()
      }),
    })
    await fs.mkdir('/d')
    await fs.mkdir('/d/e')
    await fs.write('/d/e/a', utf8('x'))
    await fs.append('/d/e/a', utf8('y'))
    await fs.copy('/d/e/a', '/d/b')
    await fs.symlink('b', '/d/l')
    await fs.rename('/d/l', '/d/m')
    await fs.setMeta('/d/b', { mode: 0o600, mtimeMs: 3 })
    expect(await listed(fs, '/d')).toEqual(['b file', 'e dir', 'm symlink'])
    expect(await fs.readlink('/d/m')).toBe('b')
    await fs.rename('/d', '/f')
    await fs.rmTree('/f')
    expect(await fs.readdir('/')).toEqual([])
    // The adapter uses these methods of the library, but neither `rm` nor `cp`.
    const methods = [
      'lstat',
      'readdir',
      'readFile',
      'writeFile',
      'mkdir',
      'unlink',
      'rmdir',
      'rename',
      'readlink',
      'symlink',
      'chmod',
      'utimes',
    ]
    expect([...used].sort()).toEqual(methods.sort())
  })
})

describe('a link that is moved onto another entry', () => {
  it('restores the replaced entry if the link cannot be created', async () => {
    let isFull = false
    const fs = createMemfsFs({
      fs: watched((method, run) => {
        if (method === 'symlink' && isFull) {
          // Restoring a symlink calls `symlink` again.
          isFull = false
          throw new Error('ENOSPC: no space left on device')
        }
        return run()
      }),
    })
    await fs.write('/a', utf8('kept'))
    await fs.symlink('nowhere', '/l')
    await fs.symlink('other', '/m')
    for (const target of ['/a', '/m']) {
      isFull = true
      await expect(fs.rename('/l', target)).rejects.toEqual(refusal('ENOSPC'))
      expect(await listed(fs)).toEqual(['a file', 'l symlink', 'm symlink'])
      expect(text(await fs.read('/a'))).toBe('kept')
      expect([await fs.readlink('/l'), await fs.readlink('/m')]).toEqual(['nowhere', 'other'])
    }
    await fs.rename('/l', '/a')
    await fs.rename('/m', '/a')
    expect(await listed(fs)).toEqual(['a symlink'])
    expect(await fs.readlink('/a')).toBe('other')
  })

  it('restores the replaced entry if the old link cannot be removed', async () => {
    let isKept = false
    const fs = createMemfsFs({
      fs: watched((method, run, [path]) => {
        if (method === 'unlink' && isKept && path === '/l') throw new Error('EPERM: operation not permitted')
        return run()
      }),
    })
    await fs.write('/a', utf8('kept'))
    await fs.symlink('nowhere', '/l')
    await fs.symlink('other', '/m')
    isKept = true
    for (const target of ['/a', '/m', '/new']) {
      await expect(fs.rename('/l', target)).rejects.toEqual(refusal('EACCES'))
      expect(await listed(fs)).toEqual(['a file', 'l symlink', 'm symlink'])
    }
    expect(text(await fs.read('/a'))).toBe('kept')
    expect([await fs.readlink('/l'), await fs.readlink('/m')]).toEqual(['nowhere', 'other'])
  })

  it('names the place of the saved entry if restoring fails', async () => {
    const found = new Set<string>()
    for (const call of Array.from({ length: 7 }, (_, at) => at + 1)) {
      let left = Number.POSITIVE_INFINITY
      const changes = ['rename', 'symlink', 'unlink']
      const fs = createMemfsFs({
        fs: watched((method, run) => {
          if (changes.includes(String(method)) && --left <= 0) throw new Error('EIO: broken')
          return run()
        }),
      })
      await fs.write('/f', utf8('file'))
      for (const [path, leadsTo] of [
        ['/a', 'one'],
        ['/b', 'two'],
        ['/c', 'three'],
      ] as const)
        await fs.symlink(leadsTo, path)
      for (const [from, to, old] of [
        ['/a', '/b', 'two'],
        ['/c', '/f', 'file'],
      ] as const) {
        left = call
        const failure = await fs.rename(from, to).then(
          () => undefined,
          (error: Error) => error,
        )
        left = Number.POSITIVE_INFINITY
        const there = await fs.lstat(to).catch(() => undefined)
        if (there || !failure) continue
        const name = /what was there could not be put back: it is "([^"]+)" beside it/.exec(failure.message)?.[1]
        const aside = `/${name}`
        expect((await fs.lstat(aside)).kind === 'file' ? text(await fs.read(aside)) : await fs.readlink(aside)).toBe(old)
        found.add(to)
      }
    }
    expect([...found].sort()).toEqual(['/b', '/f'])
  })

  it('does not overwrite a user’s file when it sets an entry aside', async () => {
    const fs = createMemfsFs({ fs: memfs().fs })
    await fs.write('/.toolport-aside-0', utf8('mine'))
    await fs.write('/a', utf8('x'))
    await fs.symlink('b', '/l')
    await fs.rename('/l', '/a')
    expect(await listed(fs)).toEqual(['.toolport-aside-0 file', 'a symlink'])
    expect(text(await fs.read('/.toolport-aside-0'))).toBe('mine')
  })
})

describe('errors of memfs', () => {
  it.each([
    [{ code: 'EPERM', message: 'at /host/path' }, 'EACCES', 'permission denied'],
    [{ code: 'ENAMETOOLONG', message: '' }, 'EINVAL', 'too long'],
    [{ message: 'ENOSPC: no space left, write "/host/path"' }, 'ENOSPC', 'no space left'],
    [{ message: 'EROFS' }, 'EROFS', 'read-only'],
    [{ message: 'ESTALE: handle' }, 'EIO', ''],
    [{ message: 'Everything at /host/path broke' }, 'EIO', 'the file system library failed'],
    ['a string', 'EIO', 'the file system library failed'],
  ])('%j becomes %s without the words of the library', async (thrown, code, part) => {
    const fs = createMemfsFs({
      fs: watched((method, run) => {
        if (method === 'writeFile') throw thrown
        return run()
      }),
    })
    const error: unknown = await fs.write('/a', utf8('x')).catch((reason: unknown) => reason)
    expect(error).toEqual(refusal(code, part))
    expect(error).toMatchObject({ path: '/a', op: 'write', cause: thrown })
    expect(String(error)).not.toContain('/host')
  })

  it('a file without content fails with EIO instead of reading as empty', async () => {
    const fs = createMemfsFs({ fs: watched((method, run) => (method === 'readFile' ? undefined : run())) })
    await fs.write('/a', utf8('x'))
    await expect(fs.read('/a')).rejects.toEqual(refusal('EIO', 'its content is missing'))
    await expect(fs.append('/a', utf8('y'))).rejects.toEqual(refusal('EIO'))
  })
})

describe('a memfs instance', () => {
  it('may list names without types', async () => {
    const fs = createMemfsFs({
      fs: watched(async (method, run) => {
        const given = await run()
        return method === 'readdir' ? (given as { name: string }[]).map(({ name }) => name) : given
      }),
    })
    await fs.mkdir('/d')
    await fs.write('/f', utf8('123'))
    await fs.symlink('f', '/l')
    expect((await fs.readdir('/')).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'd', kind: 'dir' },
      { name: 'f', kind: 'file', size: 3 },
      { name: 'l', kind: 'symlink' },
    ])
  })

  it('can be shared by several adapters, each with its own root', async () => {
    const { fs: library } = memfs({ '/one/x': '1', '/two': null, '/file': '' })
    const one = createMemfsFs({ fs: library, root: '/one' })
    const whole = createMemfsFs({ fs: library })
    const made = await Promise.allSettled(
      [one, whole].map((fs, i) => fs.write(i === 0 ? '/new' : '/one/new', utf8(String(i)), { create: 'exclusive' })),
    )
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const before = (await one.lstat('/new')).version
    await whole.write('/one/new', utf8('2'))
    expect((await one.lstat('/new')).version).not.toBe(before)
    expect(await listed(one)).toEqual(['new file', 'x file'])
    await one.close()
    await expect(one.read('/x')).rejects.toEqual(refusal('EIO', 'closed'))
    expect(text(await whole.read('/one/x'))).toBe('1')
  })

  it('gets a new version after a foreign write', async () => {
    const { fs: library } = memfs()
    const fs = createMemfsFs({ fs: library })
    await fs.write('/a', utf8('x'))
    const before = (await fs.lstat('/a')).version
    await library.promises.writeFile('/a', 'longer')
    expect((await fs.lstat('/a')).version).not.toBe(before)
  })

  it('uses the given clock, and a change of times keeps versions', async () => {
    let time = 1000
    const fs = createMemfsFs({ fs: memfs().fs, now: () => time })
    await fs.write('/a', utf8('x'))
    await fs.mkdir('/d')
    const { version, mtimeMs } = await fs.lstat('/a')
    expect([mtimeMs, (await fs.lstat('/d')).mtimeMs]).toEqual([1000, 1000])
    await fs.setMeta('/a', { mode: 0o600, mtimeMs: 7 })
    expect(await fs.lstat('/a')).toMatchObject({ version, mtimeMs: 7, mode: 0o600 })
    time = 2000
    await fs.append('/a', utf8('y'))
    expect((await fs.lstat('/a')).mtimeMs).toBe(2000)
    expect((await fs.lstat('/a')).version).not.toBe(version)
  })

  it('must contain the given root', async () => {
    const { fs: library } = memfs({ '/d/a': 'x', '/f': '' })
    await library.promises.symlink('d', '/l')
    await expect(createMemfsFs({ fs: library, root: '/none' }).open()).rejects.toEqual(refusal('ENOENT', 'make it first'))
    await expect(createMemfsFs({ fs: library, root: '/f' }).read('/a')).rejects.toEqual(refusal('ENOTDIR', 'not a directory'))
    await expect(createMemfsFs({ fs: library, root: '/l' }).read('/a')).rejects.toEqual(refusal('ELOOP', 'the real path'))
    const late = createMemfsFs({ fs: library, root: '/later' })
    await expect(late.flush()).rejects.toEqual(refusal('ENOENT'))
    await library.promises.mkdir('/later')
    await late.write('/a', utf8('x'))
    for (const root of ['d', '/d/', '/d/../e', '/./d', '']) expect(() => createMemfsFs({ fs: library, root })).toThrow(TypeError)
    expect(() => createMemfsFs({ fs: {} as never })).toThrow('no "promises"')
  })

  it('may have no modes', async () => {
    const fs = createMemfsFs({ fs: memfs().fs, can: { mode: false, persistence: 'best-effort' } })
    await fs.write('/a', utf8('x'))
    await fs.copy('/a', '/b')
    expect((await fs.lstat('/b')).mode).toBeUndefined()
    await expect(fs.setMeta('/a', { mode: 0o600 })).rejects.toEqual(refusal('ENOTSUP'))
    expect(fs.can).toMatchObject({ mode: false, persistence: 'best-effort', dirRename: true })
  })
})
