import { equal, ok, rejects, same } from '../runner.js'
import { expectAbsent, expectText, type FsCase, names, put, seed } from './case.js'

/** Names that storages are known to lose, fold, split or use internally. */
const NAMES: Readonly<Record<string, string>> = {
  __proto__: '__proto__',
  constructor: 'constructor',
  hasOwnProperty: 'hasOwnProperty',
  'of 255 bytes': 'n'.repeat(255),
  'of 255 bytes in 85 characters': '中'.repeat(85),
  'of one character': 'n',
  'with a backslash': 'a\\b',
  'of a backslash': '\\',
  'with spaces at both ends': ' a b ',
  'of one space': ' ',
  'with a line feed and a tab': 'a\nb\tc',
  'with a carriage return': 'a\rb',
  'with control characters': 'a\u0001\u001b\u007fb',
  'with quotes': `a"b'c\`d`,
  'with shell characters': '$(a);b|c&d>e<f',
  'with glob characters': '*?[a]{b,c}!',
  'with a colon': 'a:b',
  'with a percent encoding': '%2e%2e%2fa%00',
  'with SQL characters': `a'); DROP--_%`,
  'with a hash and a question mark': 'a?b#c',
  'of three dots': '...',
  'that begins with a dot': '.hidden',
  'that ends with a dot': 'a.',
  'that begins with two dots': '..a',
  'that begins with a dash': '-rf',
  'of a tilde': '~',
  'of a Windows device': 'CON',
  'of a drive': 'C:',
  'of digits': '10',
  'with an emoji': 'a🙂👩‍👩‍👧',
  'with a composed accent': 'caf\u00e9',
  'with a decomposed accent': 'cafe\u0301',
  'with a line separator': 'a\u2028b',
  'with a byte order mark': '\ufeffa',
  'with a direction mark': 'a\u202eb',
  'with the last character of the plane': 'a\uffff',
}

const nameCases: Record<string, FsCase> = {}
for (const [what, name] of Object.entries(NAMES)) {
  nameCases[`name ${what}: is kept for files and directories`] = async (fs) => {
    const path = `/${name}`
    await expectAbsent(fs, path)
    await put(fs, path, name)
    same(await names(fs, '/'), [name])
    await expectText(fs, path, name)
    await fs.rename(path, '/other')
    await expectAbsent(fs, path)
    await fs.mkdir(path)
    await fs.rename('/other', `${path}/${name}`)
    await expectText(fs, `${path}/${name}`, name)
    same(await names(fs, path), [name])
    await fs.unlink(`${path}/${name}`)
    await fs.rmdir(path)
    same(await fs.readdir('/'), [])
  }
}

export const namingCases: Readonly<Record<string, FsCase>> = {
  ...nameCases,
  'names: a lookup finds only created names': async (fs) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'size']) {
      await rejects(fs.lstat(`/${name}`), 'ENOENT')
      await rejects(fs.read(`/${name}/${name}`), 'ENOENT')
    }
  },
  'names: a composed and a decomposed accent are two files': async (fs) => {
    await seed(fs, { '/caf\u00e9': 'composed', '/cafe\u0301': 'decomposed' })
    await expectText(fs, '/caf\u00e9', 'composed')
    await expectText(fs, '/cafe\u0301', 'decomposed')
    same(await names(fs, '/'), ['cafe\u0301', 'caf\u00e9'])
  },
  'names: upper and lower case are two files exactly when the adapter says so': async (fs) => {
    await seed(fs, { '/a': 'lower', '/A': 'upper' })
    equal((await names(fs, '/')).length, fs.can.caseSensitive ? 2 : 1, 'the number of entries')
    await expectText(fs, '/a', fs.can.caseSensitive ? 'lower' : 'upper')
  },
  'names: names that differ in one dot, space or digit are different files': async (fs) => {
    const all = ['a', 'a ', ' a', 'a.', '.a', 'a..', 'a0', 'a00', 'a\\', 'a\u200b']
    for (const name of all) await put(fs, `/${name}`, name)
    same(await names(fs, '/'), [...all].sort())
    for (const name of all) await expectText(fs, `/${name}`, name)
  },
  'names: digits do not change what is found': async (fs) => {
    const all = ['10', '9', '-1', '0', '01', '1e3', '4294967295']
    for (const name of all) await put(fs, `/${name}`, name)
    for (const name of all) await expectText(fs, `/${name}`, name)
    same(await names(fs, '/'), [...all].sort())
  },
  'names: a path of 2,000 bytes': async (fs) => {
    let path = ''
    for (let i = 0; i < 10; i++) {
      path += `/${String(i).repeat(199)}`
      if (i < 9) await fs.mkdir(path)
    }
    await put(fs, path, 'far')
    await expectText(fs, path, 'far')
    equal(path.length, 2000)
  },
  'names: an entry has a name, never a path': async (fs) => {
    await seed(fs, { '/d': null, '/d/e': null, '/d/e/f': 'x' })
    for (const dir of ['/', '/d', '/d/e']) {
      for (const { name } of await fs.readdir(dir)) ok(!name.includes('/'), `Expected a name, got "${name}"`)
    }
  },
}
