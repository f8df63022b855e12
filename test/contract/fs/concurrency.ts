import { equal, ok, same, settle } from '../runner.js'
import { expectText, type FsCase, names, put, seed, utf8 } from './case.js'

const MANY = 50
const range = (length: number): number[] => Array.from({ length }, (_, i) => i)
const refused = (count: number, code: string): string[] => new Array<string>(count).fill(code)

/** Content of a single byte value, and of a different size for each `i`, so that a mixture of two writes is detected. */
const plain = (i: number): Uint8Array => new Uint8Array(20_000 + i * 100).fill(i)

function expectPlain(bytes: Uint8Array): void {
  const value = bytes[0] ?? -1
  ok(
    bytes.every((byte) => byte === value) && bytes.length === plain(value).length,
    `Expected one whole write, got a mixture of ${bytes.length} bytes`,
  )
}

export const concurrencyCases: Readonly<Record<string, FsCase>> = {
  [`at once: ${MANY} writes of different files all succeed`]: async (fs) => {
    await Promise.all(range(MANY).map((i) => put(fs, `/f${i}`, `content ${i}`)))
    for (const i of range(MANY)) await expectText(fs, `/f${i}`, `content ${i}`)
    equal((await fs.readdir('/')).length, MANY)
  },
  [`at once: ${MANY} writes of one file leave the complete content of one`]: async (fs) => {
    await Promise.all(range(MANY).map((i) => fs.write('/a', plain(i))))
    const bytes = await fs.read('/a')
    expectPlain(bytes)
    equal((await fs.lstat('/a')).size, bytes.length)
    same(await names(fs, '/'), ['a'])
  },
  'at once: a read during writes returns one complete version': async (fs) => {
    await fs.write('/a', plain(0))
    const reads: Promise<Uint8Array>[] = []
    const writes: Promise<void>[] = []
    for (const i of range(MANY)) {
      writes.push(fs.write('/a', plain(i)))
      reads.push(fs.read('/a'))
    }
    for (const bytes of await Promise.all(reads)) expectPlain(bytes)
    await Promise.all(writes)
  },
  [`at once: ${MANY} reads of one file return the same content`]: async (fs) => {
    await fs.write('/a', plain(7))
    for (const bytes of await Promise.all(range(MANY).map(() => fs.read('/a')))) same(bytes, plain(7))
  },
  'at once: one of 20 exclusive writes wins': async (fs) => {
    const { done, codes } = await settle(range(20).map((i) => fs.write('/a', utf8(`writer ${i}`), { create: 'exclusive' })))
    equal(done, 1, 'the number of winners')
    same(codes, refused(19, 'EEXIST'))
    ok((await fs.read('/a')).length >= 8, 'Expected the content of the winner')
  },
  'at once: one of 20 mkdir wins': async (fs) => {
    const { done, codes } = await settle(range(20).map(() => fs.mkdir('/d')))
    equal(done, 1, 'the number of winners')
    same(codes, refused(19, 'EEXIST'))
    same(await fs.readdir('/d'), [])
  },
  'at once: one of 20 unlink wins': async (fs) => {
    await put(fs, '/a', 'x')
    const { done, codes } = await settle(range(20).map(() => fs.unlink('/a')))
    equal(done, 1, 'the number of winners')
    same(codes, refused(19, 'ENOENT'))
  },
  'at once: one of 20 renames of a file wins': async (fs) => {
    await put(fs, '/a', 'x')
    const { done, codes } = await settle(range(20).map((i) => fs.rename('/a', `/b${i}`)))
    equal(done, 1, 'the number of winners')
    same(codes, refused(19, 'ENOENT'))
    equal((await fs.readdir('/')).length, 1)
  },
  'at once: one of 20 renames of a directory wins and keeps its content': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    const { done, codes } = await settle(range(20).map((i) => fs.rename('/d', `/e${i}`)))
    equal(done, 1, 'the number of winners')
    same(codes, refused(19, 'ENOENT'))
    const [winner = ''] = await names(fs, '/')
    await expectText(fs, `/${winner}/a`, 'x')
  },
  'at once: a chain of calls that are not awaited one by one': async (fs) => {
    const dirs = range(10).map((i) => `/d${i}`)
    await Promise.all(
      dirs.map(async (dir) => {
        await fs.mkdir(dir)
        await put(fs, `${dir}/a`, dir)
        await fs.rename(`${dir}/a`, `${dir}/b`)
      }),
    )
    for (const dir of dirs) await expectText(fs, `${dir}/b`, dir)
    equal((await fs.readdir('/')).length, 10)
  },
  'at once: a listing during writes shows complete entries': async (fs) => {
    const writes = range(MANY).map((i) => put(fs, `/f${i}`, 'x'))
    const lists = await Promise.all(range(10).map(() => fs.readdir('/')))
    await Promise.all(writes)
    for (const list of lists) {
      for (const { name, kind } of list) {
        equal(kind, 'file')
        ok(/^f\d+$/.test(name), `Expected only names that were written, got "${name}"`)
      }
    }
    equal((await fs.readdir('/')).length, MANY)
  },
}
