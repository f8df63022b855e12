// @module-tag directory
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { node } from '../storages/declared/node.js'
import { base, bytes, cleanUp, codeOf, failure, freshRoot, nodeFs, onDisk, root } from './node-fixture.js'

for (const raceSafe of ['auto', false] as const) {
  fsContract(
    { describe, it },
    {
      ...contractOf(node),
      name: `node, raceSafe ${raceSafe}`,
      create: () => {
        freshRoot()
        return nodeFs({ raceSafe })
      },
      dispose: cleanUp,
    },
  )

  describe(`node fs, raceSafe ${raceSafe}`, () => {
    beforeEach(freshRoot)
    afterEach(cleanUp)

    describe('the root directory', () => {
      it('is suggested and mapped by its real path', () => {
        symlinkSync(root, join(base, 'alias'))
        const fs = nodeFs({ raceSafe, root: join(base, 'alias') })
        expect(fs.suggestedRoot).toBe(root)
        expect(fs.hostPath('/')).toBe(root)
        expect(fs.hostPath('/a/b')).toBe(join(root, 'a/b'))
      })

      it('a missing root fails every call with ENOENT for / until it is created', async () => {
        const fs = nodeFs({ raceSafe, root: join(base, 'later') })
        expect(fs.suggestedRoot).toBeUndefined()
        expect(await failure(fs.open())).toMatchObject({ code: 'ENOENT', path: '/' })
        expect(await failure(fs.write('/a', bytes('x')))).toMatchObject({ code: 'ENOENT', path: '/' })
        mkdirSync(join(base, 'later'))
        await fs.write('/a', bytes('x'))
        expect(readFileSync(fs.hostPath('/a'), 'utf8')).toBe('x')
      })

      it('a file as the root fails with ENOTDIR for /', async () => {
        writeFileSync(join(base, 'file'), '')
        const fs = nodeFs({ raceSafe, root: join(base, 'file') })
        expect(await failure(fs.open())).toMatchObject({ code: 'ENOTDIR', path: '/' })
        expect(await failure(fs.lstat('/a'))).toMatchObject({ code: 'ENOTDIR', path: '/' })
      })

      it('a root replaced by another directory fails with EIO', async () => {
        const fs = nodeFs({ raceSafe })
        await fs.write('/a', bytes('old'))
        renameSync(root, join(base, 'moved'))
        mkdirSync(root)
        writeFileSync(join(root, 'a'), 'new')
        expect(await failure(fs.read('/a'))).toMatchObject({ code: 'EIO', path: '/' })
        expect(await failure(fs.write('/b', bytes('x')))).toMatchObject({ code: 'EIO', path: '/' })
        expect(readdirSync(root)).toEqual(['a'])
        renameSync(root, join(base, 'other'))
        renameSync(join(base, 'moved'), root)
        expect(await fs.read('/a')).toEqual(bytes('old'))
      })

      it('a removed root fails with EIO', async () => {
        const fs = nodeFs({ raceSafe })
        await fs.open()
        rmSync(root, { recursive: true })
        expect(await failure(fs.readdir('/'))).toMatchObject({ code: 'EIO', path: '/' })
        expect(await failure(fs.lstat('/a'))).toMatchObject({ code: 'EIO', path: '/' })
      })
    })

    describe('links that lead outside', () => {
      beforeEach(() => {
        mkdirSync(join(base, 'outside'))
        writeFileSync(join(base, 'outside/secret'), 'outside')
        symlinkSync(join(base, 'outside'), join(root, 'dir'))
        symlinkSync('../outside/secret', join(root, 'file'))
      })

      it('fail with ELOOP for every call, whether the target exists or not', async () => {
        const fs = nodeFs({ raceSafe })
        await fs.write('/mine', bytes('mine'))
        for (const path of ['/dir/secret', '/dir/missing', '/dir/secret/below']) {
          const calls = [
            () => fs.lstat(path),
            () => fs.read(path),
            () => fs.readdir(path),
            () => fs.write(path, bytes('x')),
            () => fs.append(path, bytes('x')),
            () => fs.mkdir(path),
          ]
          const more = [
            () => fs.unlink(path),
            () => fs.rmdir(path),
            () => fs.rmTree(path),
            () => fs.readlink(path),
            () => fs.symlink('x', path),
            () => fs.setMeta(path, { mode: 0o600 }),
          ]
          const pairs = [
            () => fs.rename(path, '/got'),
            () => fs.rename('/mine', path),
            () => fs.copy(path, '/got'),
            () => fs.copy('/mine', path),
          ]
          for (const call of [...calls, ...more, ...pairs]) expect(await codeOf(call())).toBe('ELOOP')
        }
        for (const call of [
          () => fs.read('/file'),
          () => fs.append('/file', bytes('x')),
          () => fs.copy('/file', '/got'),
          () => fs.setMeta('/file', { mode: 0o600 }),
        ]) {
          expect(await codeOf(call())).toBe('ELOOP')
        }
        expect(readdirSync(join(base, 'outside'))).toEqual(['secret'])
        expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('outside')
        expect(readdirSync(root).sort()).toEqual(['dir', 'file', 'mine'])
      })

      it('are removed by rmTree, not followed', async () => {
        const fs = nodeFs({ raceSafe })
        await fs.mkdir('/tree')
        await fs.rename('/dir', '/tree/dir')
        await fs.rmTree('/tree')
        await fs.rmTree('/file')
        expect(readdirSync(root)).toEqual([])
        expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('outside')
      })
    })

    describe('hard links', () => {
      beforeEach(() => {
        writeFileSync(join(base, 'outside'), 'outside')
        linkSync(join(base, 'outside'), join(root, 'file'))
      })

      it('survive write, append and copy, and the content changes under all names', async () => {
        const fs = nodeFs({ raceSafe })
        await fs.write('/other', bytes('a copy that is longer'))
        for (const [change, content] of [
          [() => fs.write('/file', bytes('shorter')), 'shorter'],
          [() => fs.append('/file', bytes(' no more')), 'shorter no more'],
          [() => fs.copy('/other', '/file'), 'a copy that is longer'],
          [() => fs.write('/file', new Uint8Array()), ''],
        ] as const) {
          await change()
          expect(readFileSync(join(base, 'outside'), 'utf8')).toBe(content)
          expect(onDisk('file')).toBe(content)
          expect(statSync(join(root, 'file')).nlink).toBe(2)
        }
      })

      it('hard links renamed onto each other leave the new name', async () => {
        const fs = nodeFs({ raceSafe })
        linkSync(join(root, 'file'), join(root, 'again'))
        await fs.rename('/file', '/again')
        expect(readdirSync(root)).toEqual(['again'])
        expect([onDisk('again'), readFileSync(join(base, 'outside'), 'utf8')]).toEqual(['outside', 'outside'])
        await fs.rename('/again', '/again')
        expect(readdirSync(root)).toEqual(['again'])
      })

      it('hard links and their content survive a stale edit', async () => {
        const fs = nodeFs({ raceSafe })
        const { version } = await fs.lstat('/file')
        writeFileSync(join(base, 'outside'), 'changed')
        expect(await codeOf(fs.write('/file', bytes('x'), { expect: version as string }))).toBe('ESTALE')
        expect(onDisk('file')).toBe('changed')
      })

      it('are rejected with `refuseHardLinks`', async () => {
        const fs = nodeFs({ raceSafe, refuseHardLinks: true })
        await fs.write('/own', bytes('own'))
        for (const call of [() => fs.write('/file', bytes('x')), () => fs.append('/file', bytes('x')), () => fs.copy('/own', '/file')]) {
          expect(await failure(call())).toMatchObject({ code: 'EACCES', detail: 'the file has more than one hard link' })
        }
        expect(onDisk('file')).toBe('outside')
        expect(await fs.read('/file')).toEqual(bytes('outside'))
        await fs.unlink('/file')
        await fs.append('/own', bytes('!'))
        expect(onDisk('own')).toBe('own!')
      })
    })

    describe('FIFOs, sockets and devices', () => {
      it('do not block, are listed as "other", and can be removed and moved', async () => {
        execFileSync('mkfifo', [join(root, 'fifo')])
        const server = createServer().listen(join(root, 'socket'))
        await new Promise((resolve) => server.once('listening', resolve))
        const fs = nodeFs({ raceSafe })
        await fs.write('/file', bytes('x'))
        for (const path of ['/fifo', '/socket']) {
          const calls = [
            () => fs.lstat(path),
            () => fs.read(path),
            () => fs.write(path, bytes('x')),
            () => fs.append(path, bytes('x')),
            () => fs.setMeta(path, { mode: 0o600 }),
          ]
          for (const call of [...calls, () => fs.copy(path, '/to'), () => fs.copy('/file', path)]) {
            expect(await failure(call())).toMatchObject({ code: 'ENOTSUP', detail: 'it is a FIFO, a socket or a device' })
          }
          expect(await codeOf(fs.readdir(path))).toBe('ENOTDIR')
        }
        expect((await fs.readdir('/')).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
          { name: 'fifo', kind: 'other' },
          { name: 'file', kind: 'file' },
          { name: 'socket', kind: 'other' },
        ])
        await fs.rename('/fifo', '/fifo-2')
        await fs.unlink('/fifo-2')
        await new Promise((resolve) => server.close(resolve))
        expect(readdirSync(root)).toEqual(['file'])
      })

      it('are removed with their directory', async () => {
        mkdirSync(join(root, 'dir'))
        execFileSync('mkfifo', [join(root, 'dir/fifo')])
        await nodeFs({ raceSafe }).rmTree('/dir')
        expect(readdirSync(root)).toEqual([])
      })
    })

    it('errors contain no host path', async () => {
      const fs = nodeFs({ raceSafe })
      await fs.write('/file', bytes('x'))
      await fs.mkdir('/dir')
      await fs.mkdir('/dir/sub')
      const long = `/${'n'.repeat(256)}`
      const calls: [string, () => Promise<unknown>][] = [
        ['/none', () => fs.read('/none')],
        ['/file/below', () => fs.lstat('/file/below')],
        ['/dir', () => fs.read('/dir')],
        ['/dir', () => fs.rmdir('/dir')],
        ['/dir', () => fs.unlink('/dir')],
        ['/dir', () => fs.rename('/dir', '/dir/sub/x')],
        ['/file', () => fs.rename('/file', '/dir')],
        ['/file', () => fs.mkdir('/file')],
        ['/none/x', () => fs.write('/none/x', bytes('x'))],
        ['/link', () => fs.symlink('a\0b', '/link')],
        [long, () => fs.write(long, bytes('x'))],
      ]
      for (const [path, call] of calls) {
        const error = await failure(call())
        expect(error.path).toBe(path)
        expect(`${error} ${error.detail}`).not.toContain(base)
        expect(`${error} ${error.detail}`).not.toContain('/proc/')
      }
    })

    it('rejects paths that are not normalised', async () => {
      const fs = nodeFs({ raceSafe })
      await fs.write('/a', bytes('x'))
      for (const path of ['', 'a', './a', '/../a', '/..', '/.', '/a/..', '//a', '/a/', '/x/../a', '/a\0', '/a\uD800', '/\uDC00']) {
        expect(await failure(fs.read(path))).toMatchObject({ code: 'EINVAL', path })
        expect(await codeOf(fs.write(path, bytes('y')))).toBe('EINVAL')
        expect(await codeOf(fs.rename('/a', path))).toBe('EINVAL')
        expect(() => fs.hostPath(path)).toThrow('EINVAL')
      }
      expect(readdirSync(root)).toEqual(['a'])
    })

    it('closes every file descriptor and limits open ones during concurrent calls', async () => {
      const fs = nodeFs({ raceSafe })
      await fs.open()
      mkdirSync(join(base, 'elsewhere'))
      symlinkSync(join(base, 'elsewhere'), join(root, 'link'))
      const before = readdirSync('/dev/fd').length
      let most = 0
      const calls = Array.from({ length: 600 }, async (_, i) => {
        await fs.write(`/file-${i % 300}`, bytes(`${i}`))
        const failing = [
          fs.read('/none'),
          fs.lstat('/link/x'),
          fs.write('/link/x', bytes('x')),
          fs.mkdir('/'),
          fs.read('/'),
          fs.append('/link', bytes('x')),
        ]
        await Promise.allSettled(failing)
        await Promise.all([fs.read(`/file-${i % 300}`), fs.readdir('/link').catch(() => {}), fs.copy(`/file-${i % 300}`, `/copy-${i % 7}`)])
        if (i % 100 === 0) most = Math.max(most, readdirSync('/dev/fd').length)
      })
      await Promise.all(calls)
      expect(readdirSync('/dev/fd').length).toBe(before)
      expect(most).toBeLessThan(before + 110)
    })

    it('close() waits for running calls and releases the root', async () => {
      const before = readdirSync('/dev/fd').length
      const fs = nodeFs({ raceSafe })
      const writes = Array.from({ length: 100 }, (_, i) => fs.write(`/file-${i}`, bytes('x')))
      await fs.close()
      expect(readdirSync(root)).toHaveLength(100)
      await Promise.all(writes)
      expect(await codeOf(fs.read('/file-0'))).toBe('EIO')
      expect(readdirSync('/dev/fd').length).toBe(before)
    })
  })
}
