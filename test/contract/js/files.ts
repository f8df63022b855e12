import type { JsSource } from './source.js'

/** Helpers for programs: `tried` and `awaited` print what a function returns or how it fails. */
const TRY = `
const shown = (e) => [e.name, e.code, e.message, e.syscall, e.path, e.dest].map((x) => String(x ?? '-').replaceAll(process.cwd(), '.')).join(' | ')
const tried = (name, body) => { try { console.log(name, body()) } catch (e) { console.log(name, shown(e)) } }
const awaited = async (name, body) => { try { console.log(name, await body()) } catch (e) { console.log(name, shown(e)) } }
const events = (stream, names) => new Promise((done) => {
  const seen = []
  for (const name of names) stream.on(name, (value) => seen.push(value instanceof Error ? name + ' ' + value.code : name))
  stream.on('close', () => setTimeout(() => done(seen.join()), 5))
})
process.umask(0o22)
`
const cjs = (name: string, code: string, more: Partial<JsSource> = {}): JsSource => ({
  name,
  ...more,
  files: { 'main.cjs': `const fs = require('fs')\n${TRY}\n${code}`, ...more.files },
})
const esm = (name: string, code: string, more: Partial<JsSource> = {}): JsSource => ({
  name,
  ...more,
  files: { 'main.mjs': `import fs from 'node:fs'\n${TRY}\n${code}`, ...more.files },
})

export const FILE_CALLS: readonly JsSource[] = [
  cjs(
    'writes as flags say',
    `
for (const flag of ['wx', 'r+', 'a', 'ax', 'a+', 'w+', 'wx+', 'rs+', 'r', 'as', '', null, 'zz', 1.5, {}]) {
  fs.writeFileSync('a.txt', 'hello')
  tried('write ' + JSON.stringify(flag), () => fs.writeFileSync('a.txt', 'XY', { flag }))
  console.log(fs.readFileSync('a.txt', 'utf8'))
  tried('append ' + JSON.stringify(flag), () => fs.appendFileSync('a.txt', '-', { flag }))
  console.log(fs.readFileSync('a.txt', 'utf8'))
  tried('new ' + JSON.stringify(flag), () => { fs.rmSync('new', { force: true }); fs.writeFileSync('new', 'n', { flag }); return fs.readFileSync('new', 'utf8') })
}
const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = fs.constants
for (const flag of [O_WRONLY, O_WRONLY | O_APPEND, O_WRONLY | O_CREAT | O_EXCL, O_RDWR | O_TRUNC, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_APPEND]) {
  fs.writeFileSync('a.txt', 'hello')
  tried(flag, () => fs.writeFileSync('a.txt', 'XY', { flag }))
  console.log(fs.readFileSync('a.txt', 'utf8'))
}
for (const flag of ['a+', 'w+', 'wx+', 'w', 'r+']) {
  fs.writeFileSync('a.txt', 'hello')
  tried('read ' + flag, () => fs.readFileSync('a.txt', { flag, encoding: 'utf8' }))
}
fs.mkdirSync('d')
for (const flag of ['w', 'wx', 'a', 'r+']) tried('dir ' + flag, () => fs.writeFileSync('d', 'x', { flag }))
tried('encoding', () => fs.writeFileSync('a.txt', 'x', 'nope'))
`,
  ),
  esm(
    'writes streams as flags say',
    `
const run = async (options) => {
  fs.writeFileSync('a.txt', 'hello')
  const stream = fs.createWriteStream('a.txt', options)
  stream.end('ZZ')
  const seen = await events(stream, ['open', 'ready', 'finish', 'error', 'close'])
  console.log(JSON.stringify(options), seen, stream.bytesWritten, JSON.stringify(fs.readFileSync('a.txt', 'utf8')))
}
for (const options of [{}, { flags: 'wx' }, { flags: 'r+', start: 2 }, { flags: 'a' }, { flags: 'r+' }, { start: 2 }, { flags: 'ax' }, { flags: 'a+', start: 1 }, { flags: 'zz' }]) await run(options)
await awaited('promise r+', async () => { fs.writeFileSync('a.txt', 'hello'); await fs.promises.writeFile('a.txt', 'XY', { flag: 'r+' }); return fs.readFileSync('a.txt', 'utf8') })
await awaited('promise ax', () => fs.promises.appendFile('a.txt', 'x', { flag: 'ax' }))
await awaited('iterated', async () => { await fs.promises.writeFile('i', (async function* () { yield 'x'; yield Buffer.from('y') })()); return fs.readFileSync('i', 'utf8') })
`,
  ),
  esm(
    'aborts files',
    `
const signal = AbortSignal.abort()
await awaited('write', () => fs.promises.writeFile('b', 'x', { signal }))
await awaited('append', () => fs.promises.appendFile('b', 'x', { signal }))
await awaited('read', () => fs.promises.readFile('a.txt', { signal }))
await awaited('call back', () => new Promise((done, fail) => fs.writeFile('b', 'x', { signal }, (e) => (e ? fail(e) : done()))))
await awaited('no signal', () => fs.promises.readFile('a.txt', { signal: 5 }))
console.log(fs.existsSync('b'))
const out = fs.createWriteStream('a.txt', { signal, flags: 'r+' })
out.on('error', (e) => console.log(e.name, e.code))
await new Promise((done) => out.on('close', done))
const input = fs.createReadStream('a.txt', { signal })
input.on('error', (e) => console.log(e.name, e.code))
await new Promise((done) => input.on('close', done))
console.log(fs.readFileSync('a.txt', 'utf8'))
`,
    { files: { 'a.txt': 'hello' } },
  ),
  esm(
    'copies as options say',
    `
const all = (at) => fs.readdirSync(at, { recursive: true }).sort().join()
tried('missing parent', () => { fs.cpSync('a', 'n/e/w'); return all('n') })
tried('force', () => { fs.cpSync('a', 'b', { force: false }); return fs.readFileSync('b', 'utf8') })
tried('errorOnExist', () => fs.cpSync('a', 'b', { force: false, errorOnExist: true }))
await awaited('errorOnExist later', () => fs.promises.cp('a', 'b', { force: false, errorOnExist: true }))
tried('both', () => { fs.cpSync('a', 'b', { errorOnExist: true }); return fs.readFileSync('b', 'utf8') })
tried('no recursive', () => fs.cpSync('d', 'e'))
tried('none', () => fs.cpSync('none', 'e'))
await awaited('none later', () => fs.promises.cp('none', 'e'))
tried('same', () => fs.cpSync('a', 'a'))
tried('within', () => fs.cpSync('d', 'd/s/t', { recursive: true }))
tried('over a file', () => fs.cpSync('d', 'a', { recursive: true }))
tried('over a directory', () => fs.cpSync('a', 'd'))
tried('all', () => { fs.cpSync('d', 'e', { recursive: true }); fs.cpSync('d', 'e', { recursive: true }); return all('e') })
tried('filter', () => { const seen = []; fs.cpSync('d', 'f', { recursive: true, filter: (from, to) => { seen.push(from + '>' + to); return !from.endsWith('y') } }); return [seen.sort().join(), all('f')] })
await awaited('filter later', async () => { const seen = []; await fs.promises.cp('d', 'g', { recursive: true, filter: async (from, to) => { seen.push(from + '>' + to); return !from.endsWith('y') } }); return [seen.sort().join(), all('g')] })
tried('filter of a promise', () => fs.cpSync('d', 'h', { recursive: true, filter: async () => true }))
tried('filter of nothing', () => { fs.cpSync('a', 'i/a', { filter: () => false }); return fs.existsSync('i') })
tried('no filter', () => fs.cpSync('a', 'i', { filter: 5 }))
tried('mode', () => { fs.writeFileSync('x', 'x', { mode: 0o777 }); fs.cpSync('x', 'y'); return (fs.statSync('y').mode & 0o777).toString(8) })
tried('times', () => { fs.utimesSync('x', 5, 6); fs.cpSync('x', 'z', { preserveTimestamps: true }); return fs.statSync('z').mtimeMs })
tried('copyFile itself', () => fs.copyFileSync('a', 'a'))
tried('copyFile exclusive', () => fs.copyFileSync('a', 'b', fs.constants.COPYFILE_EXCL))
tried('copyFile wrong', () => fs.copyFileSync('a', 'b', 9))
`,
    { files: { a: 'A', b: 'B', 'd/x': 'X', 'd/s/y': 'Y' } },
  ),
  cjs(
    'makes directories',
    `
tried('empty', () => fs.mkdirSync(''))
tried('empty, all', () => fs.mkdirSync('', { recursive: true }))
tried('all', () => fs.mkdirSync('d/e', { recursive: true }))
tried('again', () => fs.mkdirSync('d/e', { recursive: true }))
tried('below', () => fs.mkdirSync('d/e/f/g', { recursive: true }))
tried('up', () => fs.mkdirSync('d/../w/z', { recursive: true }))
tried('absolute', () => fs.mkdirSync(process.cwd() + '/d/../v/./z', { recursive: true }).replace(process.cwd(), ''))
tried('missing and up', () => [fs.mkdirSync('m/../n', { recursive: true }), fs.readdirSync('.').filter((name) => name.length === 1).join()])
tried('file', () => fs.mkdirSync('file'))
tried('file, all', () => fs.mkdirSync('file', { recursive: true }))
tried('below a file', () => fs.mkdirSync('file/g/h', { recursive: true }))
tried('below nothing', () => fs.mkdirSync('gone/f'))
tried('options', () => fs.mkdirSync('q', { recursive: 'yes' }))
`,
    { files: { file: 'x' } },
  ),
  cjs(
    'has file errors of each call',
    `
for (const [name, ...given] of [['stat', ''], ['readFile', ''], ['writeFile', '', ''], ['readdir', ''], ['access', ''], ['rename', '', 'x'], ['rename', 'file', ''], ['copyFile', '', 'x'],
  ['rm', ''], ['rm', '', { force: true }], ['rm', 'dir'], ['rm', 'none'], ['rm', 'file/x', { force: true }], ['rmdir', 'file'], ['unlink', 'file/'], ['stat', 'file/'], ['readFile', 'file/'],
  ['writeFile', 'new/', ''], ['rename', 'file', 'x/'], ['rename', 'file/', 'x'], ['copyFile', 'file', 'x/'], ['copyFile', 'dir', 'x'], ['access', 'file', 1], ['access', 'file', 9],
  ['mkdtemp', 'no/no/x'], ['truncate', 'none'], ['truncate', 'dir'], ['chmod', 'none', 1], ['readlink', 'file'], ['lutimes', 'none', 1, 2], ['open', 'none'], ['open', 'dir', 'w']])
  tried(name + ' ' + given[0], () => fs[name + 'Sync'](...given))
console.log(fs.existsSync(''), fs.existsSync('file/'), fs.existsSync('dir/'))
fs.rmSync('dir', { recursive: true })
fs.promises.rm('file/x').catch((e) => console.log(shown(e)))
`,
    { files: { file: 'x', 'dir/a': '' } },
  ),
  cjs(
    'makes files with modes',
    `
const mode = (at) => (fs.statSync(at).mode & 0o777).toString(8)
fs.writeFileSync('a', 'x', { mode: 0o777 })
fs.mkdirSync('b', 0o777)
fs.mkdirSync('c/d', { recursive: true, mode: 0o700 })
fs.appendFileSync('e', 'x', { mode: 0o666 })
fs.writeFileSync('f', 'x', { mode: '600' })
console.log(mode('a'), mode('b'), mode('c'), mode('c/d'), mode('e'), mode('f'), mode(fs.mkdtempSync('t')))
fs.chmodSync('a', 0o777)
console.log(mode('a'), fs.accessSync('a', fs.constants.X_OK))
`,
  ),
  cjs(
    'shows what files are',
    `
const stat = fs.statSync('d/a')
const shown2 = require('util').inspect(stat).replace(/(dev|uid|gid|ino|blocks|rdev): \\d+/g, '$1: 0').replace(/Ms: [\\d.]+/g, 'Ms: 0').replace(/\\d{4}-[^,\\n]*Z/g, 'then')
console.log(shown2)
console.log(fs.readdirSync('d', { withFileTypes: true }))
console.log(fs.readdirSync('d', { encoding: 'buffer' }), fs.readdirSync('d', { recursive: true, withFileTypes: true }).map((e) => e.path + ':' + e.name).join())
console.log(stat.constructor.name, stat.isFile(), stat.isDirectory(), new fs.Dirent('x', fs.constants.UV_DIRENT_DIR).isDirectory(), fs.readFileSync.name, fs.promises.readFile.name)
`,
    { files: { 'd/a': 'aa', 'd/e/f': '' } },
  ),
  esm(
    'tells of file streams',
    `
const out = fs.createWriteStream('w')
console.log(out.pending, out.bytesWritten, out.path, out.fd, out.flags, out.mode)
out.write('héé')
out.end('x')
console.log(await events(out, ['open', 'ready', 'finish', 'error', 'close']), out.pending, out.bytesWritten, out.fd, out.closed, out.destroyed)
const input = fs.createReadStream('w', { start: 1, end: 3 })
console.log(input.pending, input.bytesRead, input.path, input.fd, input.flags, input.start, input.end)
console.log(await events(input, ['open', 'ready', 'data', 'end', 'error', 'close']), input.pending, input.bytesRead, input.fd, input.closed)
console.log(await events(fs.createReadStream('none'), ['open', 'data', 'error', 'close']))
console.log(await events(fs.createReadStream('d'), ['open', 'data', 'error', 'close']))
console.log(await events(fs.createWriteStream('no/h'), ['open', 'error', 'close']))
tried('start', () => fs.createReadStream('w', { start: 'x' }))
tried('end', () => fs.createReadStream('w', { start: 5, end: 2 }))
tried('before', () => fs.createWriteStream('w', { start: -2 }))
console.log(fs.createReadStream('w').constructor.name, fs.createReadStream('w') instanceof fs.ReadStream, fs.ReadStream.name, fs.WriteStream.name)
const encoded = fs.createWriteStream('e', { encoding: 'latin1' })
encoded.write('é')
encoded.end('41', 'hex')
await events(encoded, [])
console.log(fs.readFileSync('e'))
const closing = fs.createWriteStream('c')
closing.write('x')
await new Promise((done) => closing.close(done))
console.log(fs.readFileSync('c', 'utf8'))
const descriptor = fs.openSync('w')
console.log(await events(fs.createReadStream(null, { fd: descriptor }), ['open', 'data', 'end', 'close']))
`,
    { files: { 'd/x': '' } },
  ),
  cjs(
    'uses descriptors',
    `
const b = Buffer.alloc(4)
const f = fs.openSync('a', 'r+')
console.log(fs.readSync(f, b), String(b), fs.readSync(f, b, 0, 2), String(b), fs.readSync(f, b), fs.readSync(f, b, 0, 4, 1), String(b))
console.log(fs.writeSync(f, 'XY'), fs.writeSync(f, 'ZZ', 0), fs.writeSync(f, Buffer.from('abcdef'), 1, 2, 3), fs.fstatSync(f).size)
fs.ftruncateSync(f, 9)
fs.fsyncSync(f)
console.log(JSON.stringify([fs.readFileSync('a', 'utf8'), fs.readFileSync(f, 'utf8')]))
console.log(fs.closeSync(f))
tried('closed', () => fs.readSync(f, b))
tried('none', () => fs.fstatSync(999))
tried('close none', () => fs.closeSync(999))
tried('type', () => fs.closeSync('x'))
tried('range', () => fs.closeSync(-1))
const opened = (at, flags, body) => { const d = fs.openSync(at, flags); try { return body(d) } finally { fs.closeSync(d) } }
tried('write of r', () => opened('a', 'r', (d) => fs.writeSync(d, 'x')))
tried('read of w', () => opened('w', 'w', (d) => fs.readSync(d, b)))
tried('truncate of r', () => opened('a', 'r', (d) => fs.ftruncateSync(d)))
tried('directory', () => opened('d', 'r', (d) => fs.readSync(d, b)))
tried('position', () => opened('a', 'r+', (d) => fs.readSync(d, b, 0, 1, 'x')))
tried('length', () => opened('a', 'r+', (d) => fs.readSync(d, b, 0, 9, 0)))
tried('number', () => opened('a', 'r+', (d) => fs.writeSync(d, 5)))
tried('append', () => opened('p', 'a+', (d) => { fs.writeSync(d, 'one'); fs.writeSync(d, 'two', 0); return [fs.readSync(d, b, 0, 4, 1), String(b)] }))
tried('two', () => opened('t', 'w+', (one) => opened('t', 'r+', (two) => { fs.writeSync(one, 'abc'); const n = fs.readSync(two, b); fs.writeSync(two, 'def'); return [n, fs.readSync(one, b), String(b, 0, 3)] })))
tried('files', () => opened('v', 'w+', (d) => { fs.writeFileSync(d, 'abc'); fs.writeFileSync(d, 'de'); fs.appendFileSync(d, 'f'); return [fs.readFileSync(d, 'utf8'), fs.readFileSync('v', 'utf8')] }))
tried('vectors', () => opened('v', 'r+', (d) => { const [x, y] = [Buffer.alloc(2), Buffer.alloc(3)]; return [fs.readvSync(d, [x, y]), fs.writevSync(d, [x, y]), fs.readFileSync('v', 'utf8')] }))
tried('moved', () => { const d = fs.openSync('m', 'w'); fs.writeSync(d, 'abc'); fs.renameSync('m', 'm2'); fs.writeSync(d, 'def'); fs.closeSync(d); return fs.readFileSync('m2', 'utf8') })
tried('hole', () => opened('h', 'w', (d) => { fs.writeSync(d, 'x', 3); return JSON.stringify(fs.readFileSync('h', 'utf8')) }))
fs.open('a', (e, d) => fs.read(d, { buffer: Buffer.alloc(3), position: 1 }, (e, n, bytes) => { console.log(n, String(bytes)); fs.write(d, 'x', (e) => { console.log(e.code); fs.close(d, (e) => console.log(e)) }) }))
`,
    { files: { a: 'hello', 'd/x': '' } },
  ),
  esm(
    'uses file handles',
    `
const h = await fs.promises.open('a', 'r+')
const b = Buffer.alloc(4)
const { bytesRead, buffer } = await h.read(b, 0, 4, 0)
console.log(h.constructor.name, bytesRead, buffer === b, String(b), (await h.read()).bytesRead, (await h.read({ buffer: b, position: 0, length: 2 })).bytesRead)
console.log(await h.write('Q', 0), (await h.write(Buffer.from('RST'), 1, 1, 2)).bytesWritten, (await h.stat()).size, JSON.stringify(await h.readFile('utf8')))
await h.truncate(3)
await h.sync()
await h.utimes(1, 2)
console.log((await h.stat()).mtimeMs)
await h.writeFile('zz')
await h.appendFile('yy')
h.on('close', () => console.log('close'))
console.log(await h.close(), h.fd, JSON.stringify(fs.readFileSync('a', 'utf8')))
await awaited('closed', () => h.read())
console.log(await h.close())
const lines = await fs.promises.open('l')
for await (const line of lines.readLines()) console.log('[' + line + ']')
console.log(lines.fd)
const input = await fs.promises.open('l')
let text = ''
for await (const chunk of input.createReadStream({ encoding: 'utf8', start: 1, end: 4 })) text += chunk
console.log(JSON.stringify(text), input.fd)
const output = await fs.promises.open('o', 'w')
const stream = output.createWriteStream()
stream.end('hi')
await events(stream, [])
console.log(fs.readFileSync('o', 'utf8'), output.fd)
const given = await fs.promises.open('o', 'r+')
console.log(await fs.promises.readFile(given, 'utf8'))
await fs.promises.writeFile(given, 'more')
await given.write('a')
await given.write('b')
// Node promises no order of those that do not wait for each other: neither is lost.
await Promise.all([given.write('c'), given.write('d')])
await given[Symbol.asyncDispose]()
const written = fs.readFileSync('o', 'utf8')
console.log(written.slice(0, -2), [...written.slice(-2)].sort().join())
await awaited('none', () => fs.promises.open('none'))
`,
    { files: { a: 'hello', l: 'one\ntwo\r\n\nend' } },
  ),
  esm(
    'opens directories',
    `
const dir = fs.opendirSync('d')
console.log(dir.path, dir.constructor.name)
const names = []
for (let entry = dir.readSync(); entry; entry = dir.readSync()) names.push(entry.name + entry.isFile() + entry.parentPath)
dir.closeSync()
for await (const entry of await fs.promises.opendir('d')) names.push(entry.name + entry.isDirectory())
console.log(names.sort().join())
tried('closed', () => dir.readSync())
await awaited('none', () => fs.promises.opendir('none'))
const all = []
for await (const entry of await fs.promises.opendir('d', { recursive: true })) all.push(entry.path + '/' + entry.name)
console.log(all.sort().join())
fs.opendir('d', (e, opened) => opened.read((e, entry) => { console.log(typeof entry.name); opened.close((e) => console.log(e ?? null)) }))
`,
    { files: { 'd/1': '', 'd/2/3': '' } },
  ),
]

/** Programs that create symlinks. */
export const LINK_CALLS: readonly JsSource[] = [
  cjs(
    'makes directories at links',
    `
fs.symlinkSync('none', 'dangling')
tried('dangling', () => fs.mkdirSync('dangling'))
tried('dangling/', () => fs.mkdirSync('dangling/'))
tried('dangling, all', () => fs.mkdirSync('dangling', { recursive: true }))
tried('below dangling', () => fs.mkdirSync('dangling/x', { recursive: true }))
tried('exclusive', () => fs.writeFileSync('dangling', 'x', { flag: 'wx' }))
console.log(fs.existsSync('none'))
fs.symlinkSync('d', 'q')
tried('through', () => fs.mkdirSync('q/r/s', { recursive: true }))
tried('through and up', () => fs.mkdirSync('q/../w/z', { recursive: true }))
console.log(fs.readdirSync('d').join(), fs.existsSync('w/z'), fs.lstatSync('q/').isDirectory())
tried('link/', () => fs.symlinkSync('d', 'sl/'))
tried('empty', () => fs.symlinkSync('', 'x'))
tried('at nothing', () => fs.symlinkSync('x', ''))
fs.lutimesSync('q', 5, 6)
console.log(fs.lstatSync('q').mtimeMs, fs.statSync('q').mtimeMs === 6000, Buffer.isBuffer(fs.readlinkSync('q', 'buffer')))
`,
    { files: { 'd/x': '' } },
  ),
  esm(
    'copies links',
    `
const read = (at) => fs.readlinkSync(at).replace(process.cwd(), '.')
fs.symlinkSync('x', 'd/l')
fs.cpSync('d', 'e', { recursive: true })
await fs.promises.cp('d', 'f', { recursive: true, verbatimSymlinks: true })
fs.cpSync('d', 'g', { recursive: true, dereference: true })
console.log(read('e/l'), read('f/l'), fs.lstatSync('g/l').isFile())
tried('again', () => fs.cpSync('d', 'e', { recursive: true }))
fs.symlinkSync('a', 'la')
fs.cpSync('la', 'lb')
console.log(read('lb'), fs.lstatSync('lb').isSymbolicLink())
tried('over a file', () => fs.cpSync('la', 'b'))
fs.cpSync('b', 'lb')
console.log(fs.lstatSync('lb').isSymbolicLink(), fs.readFileSync('a', 'utf8'))
fs.symlinkSync('b', 'lc')
fs.cpSync('la', 'lc')
console.log(read('lc'))
tried('options', () => fs.cpSync('la', 'ld', { dereference: true, verbatimSymlinks: true }))
`,
    { files: { a: 'A', b: 'B', 'd/x': 'X' } },
  ),
]
