// @module-tag directory
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytes, cleanUp, codeOf, failure, freshRoot, modeOf, nodeFs, onDisk, root } from './node-fixture.js'

for (const raceSafe of ['auto', false] as const) {
  describe(`node fs content, raceSafe ${raceSafe}`, () => {
    beforeEach(freshRoot)
    afterEach(cleanUp)

    describe('replacing a file', () => {
      it('keeps its permission bits, whatever the umask', async () => {
        const fs = nodeFs({ raceSafe })
        for (const mode of [0o755, 0o600, 0o666, 0o444, 0o777]) {
          writeFileSync(join(root, 'file'), 'old')
          chmodSync(join(root, 'file'), mode)
          await fs.write('/file', bytes('new'))
          expect(modeOf('file')).toBe(mode)
          expect(onDisk('file')).toBe('new')
          rmSync(join(root, 'file'))
        }
      })

      it('gives new files the mode that the umask allows', async () => {
        await nodeFs({ raceSafe }).write('/file', bytes('new'))
        expect(modeOf('file')).toBe(0o666 & ~process.umask())
      })

      it('clears set-id bits', async () => {
        writeFileSync(join(root, 'file'), 'old')
        chmodSync(join(root, 'file'), 0o4755)
        await nodeFs({ raceSafe }).write('/file', bytes('new'))
        expect(modeOf('file')).toBe(0o755)
      })

      it('keeps the owner if the process may', async () => {
        writeFileSync(join(root, 'file'), 'old')
        const uid = process.getuid?.() === 0 ? 12_345 : statSync(root).uid
        chownSync(join(root, 'file'), uid, statSync(root).gid)
        chmodSync(join(root, 'file'), 0o640)
        await nodeFs({ raceSafe }).write('/file', bytes('new'))
        expect(statSync(join(root, 'file')).uid).toBe(uid)
        expect(modeOf('file')).toBe(0o640)
      })

      it('is atomic for readers, and readdir hides the temporary file', async () => {
        const fs = nodeFs({ raceSafe })
        const sizes = [300_000, 700_000]
        await fs.write('/file', new Uint8Array(300_000))
        let writing = true
        const writer = (async () => {
          for (let i = 0; i < 40; i++) await fs.write('/file', new Uint8Array(sizes[i % 2] ?? 0))
          writing = false
        })()
        while (writing) {
          expect(sizes).toContain(readFileSync(join(root, 'file')).length)
          expect((await fs.readdir('/')).map(({ name }) => name)).toEqual(['file'])
        }
        await writer
        expect(readdirSync(root)).toEqual(['file'])
      })

      it('leaves no temporary file behind after a failure', async () => {
        const fs = nodeFs({ raceSafe })
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) => fs.write('/file', bytes(`writer ${i}`), { create: 'exclusive' })),
        )
        const failed = results.filter((result) => result.status === 'rejected')
        expect(failed).toHaveLength(19)
        for (const { reason } of failed) expect(reason).toMatchObject({ code: 'EEXIST' })
        expect(readdirSync(root)).toEqual(['file'])
      })

      it('lists the temporary file of a crashed process, so that it can be removed', async () => {
        const name = '.toolport-0011223344556677.tmp'
        writeFileSync(join(root, name), '')
        expect(await nodeFs({ raceSafe }).readdir('/')).toEqual([{ name, kind: 'file' }])
      })
    })

    describe('names that are not UTF-8', () => {
      const bad = (directory: string, ...tail: number[]): Buffer =>
        Buffer.concat([Buffer.from(`${join(root, directory)}/bad-`), Buffer.from(tail)])

      it('are shown with their bytes in hex and can be used by that name', async () => {
        writeFileSync(bad('.', 0xff), '1')
        writeFileSync(bad('.', 0xfe), '2')
        writeFileSync(join(root, 'good-\u00e9'), '3')
        const fs = nodeFs({ raceSafe })
        const entries = (await fs.readdir('/')).sort((a, b) => (a.name < b.name ? -1 : 1))
        expect(entries).toEqual([
          { name: 'bad-\uFFFDFE', kind: 'file' },
          { name: 'bad-\uFFFDFF', kind: 'file' },
          { name: 'good-\u00e9', kind: 'file' },
        ])
        expect(await fs.read('/bad-\uFFFDFE')).toEqual(Uint8Array.of(50))
        await fs.write('/bad-\uFFFDFF', Uint8Array.of(52))
        expect([...readFileSync(bad('.', 0xff))]).toEqual([52])
        await fs.rename('/bad-\uFFFDFF', '/fine')
        await fs.unlink('/bad-\uFFFDFE')
        expect(readdirSync(root).sort()).toEqual(['fine', 'good-\u00e9'])
      })

      it('work as link targets', async () => {
        writeFileSync(bad('.', 0xff), '1')
        symlinkSync(bad('.', 0xff).subarray(root.length + 1), join(root, 'link'))
        const fs = nodeFs({ raceSafe })
        expect(await fs.readlink('/link')).toBe('bad-\uFFFDFF')
        await fs.symlink(await fs.readlink('/link'), '/again')
        expect(readFileSync(join(root, 'again'), 'utf8')).toBe('1')
      })

      it('work for directories, and differ from valid names that look the same', async () => {
        mkdirSync(bad('.', 0xff))
        writeFileSync(Buffer.concat([bad('.', 0xff), Buffer.from('/f')]), '1')
        writeFileSync(join(root, 'bad-\uFFFDFF'), '2')
        writeFileSync(join(root, 'real-\uFFFD'), '3')
        const fs = nodeFs({ raceSafe })
        const names = (await fs.readdir('/')).map(({ name }) => name).sort()
        expect(names).toEqual(['bad-\uFFFDEF\uFFFDBF\uFFFDBDFF', 'bad-\uFFFDFF', 'real-\uFFFD'])
        expect([...(await fs.read(`/${names[0]}`)), ...(await fs.read('/bad-\uFFFDFF/f')), ...(await fs.read('/real-\uFFFD'))]).toEqual([
          50, 49, 51,
        ])
        await fs.rmTree('/bad-\uFFFDFF')
        await fs.unlink(`/${names[0]}`)
        expect(readdirSync(root)).toEqual(['real-\uFFFD'])
      })

      it('are removed with their directory by rmTree', async () => {
        mkdirSync(join(root, 'dir'))
        writeFileSync(bad('dir', 0xff), '1')
        writeFileSync(join(root, 'dir/real-\uFFFD'), '2')
        mkdirSync(bad('dir', 0xfe))
        writeFileSync(Buffer.concat([bad('dir', 0xfe), Buffer.from('/file')]), '3')
        await nodeFs({ raceSafe }).rmTree('/dir')
        expect(readdirSync(root)).toEqual([])
      })
    })

    it('rmTree removes deep and wide trees', async () => {
      const fs = nodeFs({ raceSafe })
      let path = '/top'
      await fs.mkdir(path)
      for (let i = 0; i < 150; i++) {
        path += '/d'
        await fs.mkdir(path)
      }
      for (let i = 0; i < 500; i++) writeFileSync(join(root, 'top', `file-${i}`), '')
      await fs.rmTree('/top')
      expect(readdirSync(root)).toEqual([])
    })

    it('setMeta keeps whole milliseconds and every permission bit', async () => {
      const fs = nodeFs({ raceSafe })
      await fs.write('/file', bytes('x'))
      for (const mtimeMs of [0, 1, 1_700_000_000_123, 1_699_999_999_999, 981_173_106_789]) {
        await fs.setMeta('/file', { mtimeMs })
        expect((await fs.lstat('/file')).mtimeMs).toBe(mtimeMs)
      }
      await fs.setMeta('/', { mode: 0o711 })
      expect((await fs.lstat('/')).mode).toBe(0o711)
      expect(await codeOf(fs.setMeta('/file', { mode: 0o100644 }))).toBe('ENOTSUP')
      expect(await codeOf(fs.setMeta('/file', { mtimeMs: Number.NaN }))).toBe('EINVAL')
    })

    it('copy keeps the mode, and a failed copy leaves the target unchanged', async () => {
      const fs = nodeFs({ raceSafe })
      await fs.write('/from', bytes('#!'))
      await fs.setMeta('/from', { mode: 0o750 })
      await fs.write('/to', bytes('old'))
      expect(await failure(fs.copy('/missing', '/to'))).toMatchObject({ code: 'ENOENT', path: '/missing', dest: '/to' })
      expect(onDisk('to')).toBe('old')
      await fs.copy('/from', '/to')
      expect(onDisk('to')).toBe('#!')
      expect(modeOf('to')).toBe(0o750)
    })

    it('rejects reading a whole file above 2 GiB, and reads ranges of it', async () => {
      writeFileSync(join(root, 'huge'), 'begin')
      truncateSync(join(root, 'huge'), 5 * 2 ** 30)
      const fs = nodeFs({ raceSafe })
      expect((await fs.lstat('/huge')).size).toBe(5 * 2 ** 30)
      expect(await codeOf(fs.read('/huge'))).toBe('EFBIG')
      expect(await fs.read('/huge', { length: 5 })).toEqual(bytes('begin'))
      expect(await fs.read('/huge', { offset: 5 * 2 ** 30 - 3 })).toEqual(new Uint8Array(3))
    })

    it('`fsync: true` makes acknowledged changes durable, and flush() works with every setting', async () => {
      expect(nodeFs({ raceSafe }).can.durableOnAck).toBe(false)
      for (const fsync of [true, false, 'never'] as const) {
        const fs = nodeFs({ raceSafe, fsync })
        expect(fs.can.durableOnAck).toBe(fsync === true)
        await fs.mkdir('/dir')
        await fs.write('/dir/a', bytes('a'))
        await fs.append('/dir/a', bytes('b'))
        await fs.copy('/dir/a', '/dir/b')
        await fs.symlink('a', '/dir/link')
        await fs.rename('/dir', '/moved')
        await fs.setMeta('/moved/a', { mode: 0o600 })
        await fs.unlink('/moved/b')
        await fs.flush()
        expect(onDisk('moved/a')).toBe('ab')
        await fs.rmTree('/moved')
        await fs.flush()
        expect(readdirSync(root)).toEqual([])
      }
    })
  })
}
