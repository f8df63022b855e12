import { equal, ok, rejects, same } from '../runner.js'
import { expectAbsent, expectText, type FsCase, type FsCaseGroup, get, pattern, put, seed, utf8 } from './case.js'

const appendCases: Readonly<Record<string, FsCase>> = {
  'append: adds to the end': async (fs) => {
    await put(fs, '/a', 'one')
    equal(await fs.append('/a', utf8(' two')), undefined)
    await fs.append('/a', utf8(' three'))
    await expectText(fs, '/a', 'one two three')
    equal((await fs.lstat('/a')).size, 13)
  },
  'append: to an empty file': async (fs) => {
    await put(fs, '/a', '')
    await fs.append('/a', utf8('x'))
    await expectText(fs, '/a', 'x')
  },
  'append: empty data keeps the content': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.append('/a', new Uint8Array(0))
    await expectText(fs, '/a', 'x')
  },
  'append: a missing file is ENOENT and is not created': async (fs) => {
    await rejects(fs.append('/a', utf8('x')), 'ENOENT')
    await rejects(fs.append('/d/a', utf8('x')), 'ENOENT')
    same(await fs.readdir('/'), [])
  },
  'append: to a directory is EISDIR': async (fs) => {
    await fs.mkdir('/d')
    await rejects(fs.append('/d', utf8('x')), 'EISDIR')
    await rejects(fs.append('/', utf8('x')), 'EISDIR')
  },
  'append: below a file is ENOTDIR': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.append('/f/a', utf8('x')), 'ENOTDIR')
  },
  'append: 500 times in a row, with a read between': async (fs) => {
    await put(fs, '/a', '')
    for (let i = 0; i < 250; i++) await fs.append('/a', pattern(40))
    const middle = await fs.read('/a')
    for (let i = 0; i < 250; i++) await fs.append('/a', pattern(40))
    const bytes = await fs.read('/a')
    equal(bytes.length, 20_000)
    equal(middle.length, 10_000)
    same(bytes.subarray(0, 10_000), middle)
    same(bytes.subarray(19_960), pattern(40))
  },
  'append: keeps all of 50 concurrent appends, none interleaved': async (fs) => {
    await put(fs, '/a', '')
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i}\n`)
    await Promise.all(lines.map((line) => fs.append('/a', utf8(line))))
    same((await get(fs, '/a')).split('\n').sort(), ['', ...lines.map((line) => line.trimEnd())].sort())
  },
  'append: the input may change before it is awaited': async (fs) => {
    await put(fs, '/a', 'x')
    const bytes = utf8('tail')
    const appending = fs.append('/a', bytes)
    bytes.fill(0)
    await appending
    await expectText(fs, '/a', 'xtail')
  },
  'append: writes only the window of a view': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.append('/a', utf8('0123456789').subarray(3, 6))
    await expectText(fs, '/a', 'x345')
  },
  'append: changes the version': async (fs) => {
    await put(fs, '/a', 'x')
    const before = (await fs.lstat('/a')).version
    await fs.append('/a', utf8('y'))
    ok((await fs.lstat('/a')).version !== before, 'Expected another version')
  },
  'append: a write afterwards replaces everything': async (fs) => {
    await put(fs, '/a', 'x')
    await fs.append('/a', utf8('a long tail'))
    await put(fs, '/a', 'z')
    await expectText(fs, '/a', 'z')
    await fs.append('/a', utf8('!'))
    await expectText(fs, '/a', 'z!')
  },
  'append: a range reads across the seam': async (fs) => {
    await put(fs, '/a', '01234')
    await fs.append('/a', utf8('56789'))
    same(await fs.read('/a', { offset: 3, length: 4 }), utf8('3456'))
    same(await fs.read('/a', { offset: 8, length: 40 }), utf8('89'))
    same(await fs.read('/a', { offset: 10 }), new Uint8Array(0))
  },
}

const appendLinkCases: Readonly<Record<string, FsCase>> = {
  'append: to a link is ELOOP and leaves the target': async (fs) => {
    await seed(fs, { '/a': 'x', '/d': null, '/l': '-> a', '/m': '-> nowhere', '/n': '-> d' })
    await rejects(fs.append('/l', utf8('y')), 'ELOOP')
    await rejects(fs.append('/m', utf8('y')), 'ELOOP')
    await rejects(fs.append('/n/b', utf8('y')), 'ELOOP')
    await expectText(fs, '/a', 'x')
    await expectAbsent(fs, '/nowhere')
  },
}

export const appendGroups: readonly FsCaseGroup[] = [
  { needs: ['append'], cases: appendCases },
  { needs: ['append', 'symlink'], cases: appendLinkCases },
]
