import { FILE_CALLS, LINK_CALLS } from './files.js'
import type { JsSource } from './source.js'

const esm = (name: string, code: string, more: Partial<JsSource> = {}): JsSource => ({
  name,
  ...more,
  files: { 'main.mjs': code, ...more.files },
})
const cjs = (name: string, code: string, more: Partial<JsSource> = {}): JsSource => ({
  name,
  ...more,
  files: { 'main.cjs': code, ...more.files },
})

const SYNC: readonly JsSource[] = [
  esm('prints', `console.log('hello', 1, true, null, undefined, 10n, Symbol('s'), -0)`),
  esm('computes', `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); console.log(fib(18), [3, 1, 2].sort(), 0.1 + 0.2)`),
  esm('shows objects', `console.log({ a: 1, b: { c: { d: { e: 1 } } }, 'x-y': [1, , 3], f() {}, [Symbol('k')]: 1 })`),
  esm('shows nested strings', `console.log(['it\\'s', "q\\"'x", 'a\\nb'], { s: 'text' }, 'plain')`),
  esm('shows collections', `console.log(new Map([['a', { b: 1 }], [{ k: 1 }, 2]]), new Set([1, 'two', [3]]), new Map(), new Set())`),
  esm(
    'shows instances',
    `class Point { constructor() { this.x = 1 } }; class Named extends Point {}; console.log(new Point(), new Named(), Point, Named, class {}, () => {}, async function f() {}, function* g() {})`,
  ),
  esm('shows null prototypes', `console.log(Object.create(null), Object.assign(Object.create(null), { a: 1 }))`),
  esm('shows circles', `const a = { name: 'a' }; a.self = a; a.list = [a, { a }]; console.log(a)`),
  esm(
    'shows long lists',
    `console.log(Array.from({ length: 120 }, (_, i) => i)); console.log(Array.from({ length: 27 }, (_, i) => 'item' + i))`,
  ),
  esm('shows rows', `console.log(Array.from({ length: 8 }, (_, id) => ({ id, name: 'name ' + id, tags: ['a', 'b'] })))`),
  esm('shows dates and patterns', `console.log(new Date(0), [new Date(86400000)], /a+/gi, new Date(NaN))`),
  esm('shows bytes', `console.log(new Uint8Array([1, 2, 255]), new ArrayBuffer(4), new Float64Array(2), Buffer.from('hé'))`),
  esm('shows boxed values', `console.log(new Number(3), new String('abc'), [new Boolean(false)], Object(10n))`),
  esm('shows accessors', `console.log({ get a() { return 1 }, set a(v) {}, get b() { return 1 }, set c(v) {} })`),
  esm('shows promises', `console.log(Promise.resolve(4), new Promise(() => {}), [Promise.resolve({ a: 1 })])`),
  esm(
    'breaks long lines',
    `console.log({ first: 'a value that is quite long', second: 'another value that is long', third: 'and one more of them' })`,
  ),
  esm('formats', `console.log('%s is %d years and %i, %f, %j %o %O %%', 'Bob', 42.5, 42.9, '1.5', { a: 1 }, [1], { b: 2 }, 'more')`),
  esm('prints a table', `console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]); console.table(['p', 'q']); console.table(5)`),
  esm(
    'groups',
    `console.group('one'); console.log('two\\nlines'); console.group(); console.info('three'); console.groupEnd(); console.groupEnd(); console.log('four')`,
  ),
  esm(
    'counts',
    `console.count(); console.count('x'); console.count(); console.countReset(); console.count(); console.assert(true); console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 })`,
  ),
  esm('writes without a line end', `process.stdout.write('a'); process.stdout.write('b\\n'); console.error('not here')`),
  esm(
    'uses newer functions',
    `console.log([1, 2, 3].at(-1), [3, 1].toSorted(), Object.fromEntries([['a', 1]]), 'a-b'.replaceAll('-', '+'), structuredClone(new Map([[1, { a: new Date(0) }]])))`,
  ),
  esm(
    'uses patterns',
    `console.log('2024-05-06'.match(/(?<y>\\d+)-(?<m>\\d+)/).groups.y, [...'a1b2'.matchAll(/\\d/g)].map((m) => m[0]), 'x'.padStart(3, '.'))`,
  ),
  esm(
    'uses text encodings',
    `console.log(new TextEncoder().encode('é€😀').length, new TextDecoder().decode(new Uint8Array([0xe2, 0x82, 0xac])), btoa('hi'), atob('aGk='), encodeURIComponent('a b&c'))`,
  ),
  esm(
    'reads addresses',
    `const u = new URL('../x?q=1&r=a%20b#h', 'https://u:p@host.example:8080/a/b/c'); u.searchParams.append('s', 'é'); console.log(u.href, u.origin, u.pathname, u.searchParams.get('r'), [...u.searchParams.keys()]); console.log(new URLSearchParams({ a: '1', b: 'x y' }).toString())`,
  ),
]

const ASYNC: readonly JsSource[] = [
  esm(
    'orders turns in a module',
    `setTimeout(() => console.log('timeout'), 0); process.nextTick(() => console.log('tick')); Promise.resolve().then(() => console.log('promise')); queueMicrotask(() => console.log('microtask')); console.log('sync'); await 0; setTimeout(() => {}, 20)`,
  ),
  cjs(
    'orders turns in a script',
    `process.nextTick(() => { console.log('tick'); Promise.resolve().then(() => console.log('promise in tick')); process.nextTick(() => console.log('tick in tick')) }); Promise.resolve().then(() => console.log('promise')); console.log('sync')`,
  ),
  cjs(
    'orders timers',
    `setTimeout(() => console.log('c'), 300); setTimeout(() => console.log('a'), 1); setTimeout(() => console.log('b'), 15); const never = setTimeout(() => console.log('never'), 5); clearTimeout(never)`,
  ),
  cjs(
    'runs jobs between timers',
    `setTimeout(() => { console.log('one'); Promise.resolve().then(() => console.log('job')) }, 5); setTimeout(() => console.log('two'), 5)`,
  ),
  cjs('repeats', `let n = 0; const t = setInterval(() => { console.log(++n); if (n === 3) clearInterval(t) }, 2)`),
  cjs(
    'runs immediates in rounds',
    `setImmediate(() => { console.log('a'); setImmediate(() => console.log('c')) }); setImmediate(() => console.log('b'))`,
  ),
  cjs('does not wait for what is unreferenced', `setTimeout(() => console.log('never'), 60000).unref(); console.log('done')`),
  esm(
    'awaits at the top',
    `const wait = (ms, v) => new Promise((r) => setTimeout(r, ms, v)); console.log(await Promise.all([wait(3, 'a'), wait(1, 'b')]), await Promise.race([wait(1, 'fast'), wait(50, 'slow')]))`,
  ),
  esm(
    'iterates asynchronously',
    `async function* numbers() { for (let i = 0; i < 3; i++) { await null; yield i } } for await (const n of numbers()) console.log(n); for await (const v of [Promise.resolve('x'), 'y']) console.log(v)`,
  ),
  esm(
    'settles all',
    `console.log(await Promise.allSettled([Promise.resolve(1), Promise.reject(new RangeError('no'))]).then((all) => all.map((r) => r.status + (r.reason?.message ?? '')))); console.log(await Promise.any([Promise.reject(1), Promise.resolve(2)]))`,
  ),
  esm(
    'aborts',
    `const c = new AbortController(); c.signal.addEventListener('abort', () => console.log('heard', c.signal.reason.name)); c.abort(); console.log(c.signal.aborted); try { c.signal.throwIfAborted() } catch (e) { console.log(e.name, e.message) }`,
  ),
  esm('sleeps by promise', `import { setTimeout as sleep } from 'node:timers/promises'; console.log(await sleep(2, 'slept'))`),
  esm(
    'emits',
    `import { EventEmitter, once } from 'node:events'; const e = new EventEmitter(); e.once('x', (v) => console.log('once', v)); e.on('x', (v) => console.log('on', v)); e.emit('x', 1); e.emit('x', 2); console.log(e.listenerCount('x'), e.emit('none')); setTimeout(() => e.emit('later', 7), 1); console.log(await once(e, 'later'))`,
  ),
]

const MODULES: readonly JsSource[] = [
  esm('imports files', `import d, { a as b } from './lib.mjs'; import * as ns from './lib.mjs'; console.log(d, b, ns)`, {
    files: { 'lib.mjs': `export const a = 1; export default function named() {}` },
  }),
  esm('imports in circles', `import { a } from './a.mjs'; console.log(a())`, {
    files: {
      'a.mjs': `import { b } from './b.mjs'; export const a = () => 'a' + b()`,
      'b.mjs': `import { a } from './a.mjs'; export const b = () => typeof a`,
    },
  }),
  esm('imports CommonJS', `import whole, { one, two } from './c.cjs'; console.log(whole, one, two)`, {
    files: { 'c.cjs': `exports.one = 1; exports.two = { x: 2 }` },
  }),
  esm(
    'imports when it runs',
    `const name = 'late'; const m = await import('./' + name + '.mjs'); console.log(m.default, (await import('./late.mjs')) === m); try { await import('./gone.mjs') } catch (e) { console.log(e.code) }`,
    { files: { 'late.mjs': `console.log('evaluated'); export default 5` } },
  ),
  esm(
    'knows itself',
    `import { fileURLToPath } from 'node:url'; import path from 'node:path'; console.log(path.basename(fileURLToPath(import.meta.url)), typeof require, this === undefined)`,
  ),
  cjs(
    'requires',
    `const lib = require('./lib'); console.log(lib.twice(4), require('./lib') === lib, require('./data.json'), require('./folder'), typeof require.cache, module.exports === exports)`,
    {
      files: {
        'lib.js': `let calls = 0; exports.twice = (n) => { calls++; return n * 2 + calls }`,
        'data.json': `{"a":[1,2]}`,
        'folder/index.js': `module.exports = 'index'`,
      },
    },
  ),
  cjs('requires in circles', `console.log(require('./a.js'))`, {
    files: {
      'a.js': `exports.early = 1; const b = require('./b.js'); exports.late = b`,
      'b.js': `module.exports = { seen: { ...require('./a.js') } }`,
    },
  }),
  cjs(
    'requires what is not there',
    `try { require('./gone') } catch (e) { console.log(e.code, e.message.split('\\n')[0]) } try { require('no-such-package') } catch (e) { console.log(e.code) }`,
  ),
  cjs(
    'requires an ES module',
    `try { require('./m.mjs') } catch (e) { console.log(e.code) } import('./m.mjs').then((m) => console.log(m.x))`,
    { files: { 'm.mjs': `export const x = 1` } },
  ),
  cjs(
    'has its names',
    `const path = require('path'); console.log(path.basename(__filename), path.basename(__dirname) !== '', require.main === module, module.loaded, this === module.exports, typeof globalThis.require)`,
  ),
  esm(
    'makes a require',
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); console.log(require('./data.json').n)`,
    { files: { 'data.json': `{"n":3}` } },
  ),
  esm(
    'imports packages',
    `import main, { named } from 'pkg'; import sub from 'pkg/sub'; import legacy from 'legacy'; console.log(main, named, sub, legacy)`,
    {
      files: {
        'node_modules/pkg/package.json': `{"name":"pkg","type":"module","exports":{".":{"import":"./esm.js","require":"./cjs.cjs"},"./sub":"./lib/sub.js"}}`,
        'node_modules/pkg/esm.js': `export default 'esm'; export const named = 'n'`,
        'node_modules/pkg/cjs.cjs': `module.exports = 'cjs'`,
        'node_modules/pkg/lib/sub.js': `export default 'sub'`,
        'node_modules/legacy/package.json': `{"name":"legacy","main":"lib/main"}`,
        'node_modules/legacy/lib/main.js': `module.exports = 'legacy ' + require('../package.json').name`,
      },
    },
  ),
]
const FILES: readonly JsSource[] = [
  cjs(
    'reads and writes',
    `const fs = require('fs'); fs.writeFileSync('out.txt', 'one'); fs.appendFileSync('out.txt', ' two'); console.log(fs.readFileSync('out.txt', 'utf8'), fs.readFileSync('in.txt').length, fs.existsSync('in.txt'), fs.existsSync('gone'))`,
    { files: { 'in.txt': 'héllo' } },
  ),
  esm(
    'reads by promise',
    `import { readFile, writeFile, mkdir, readdir, rm, stat } from 'node:fs/promises'; await mkdir('d/e', { recursive: true }); await writeFile('d/e/f.txt', 'x'); console.log(await readdir('d', { recursive: true }), (await stat('d/e/f.txt')).size, await readFile('d/e/f.txt', 'utf8')); await rm('d', { recursive: true }); console.log(await readFile('d/e/f.txt').catch((e) => e.code))`,
  ),
  cjs(
    'has file errors',
    `const fs = require('fs'); for (const body of [() => fs.readFileSync('gone.txt'), () => fs.readFileSync('dir'), () => fs.mkdirSync('dir'), () => fs.rmdirSync('dir'), () => fs.readdirSync('dir/file'), () => fs.writeFileSync('gone/x', '')]) { try { body() } catch (e) { console.log(e.code, e.syscall, e.errno, e.message) } }`,
    { files: { 'dir/file': 'x' } },
  ),
  cjs(
    'lists',
    `const fs = require('fs'); console.log(fs.readdirSync('d'), fs.readdirSync('d', { withFileTypes: true }).map((e) => [e.name, e.isDirectory(), e.isFile()]), fs.statSync('d').isDirectory(), fs.statSync('d/b').size)`,
    { files: { 'd/b': 'bb', 'd/a': 'a', 'd/c/x': '' } },
  ),
  cjs(
    'moves, copies, links',
    `const fs = require('fs'); fs.copyFileSync('a', 'b'); fs.renameSync('a', 'c'); fs.symlinkSync('c', 'l'); console.log(fs.readFileSync('b', 'utf8'), fs.existsSync('a'), fs.readlinkSync('l'), fs.lstatSync('l').isSymbolicLink(), fs.readFileSync('l', 'utf8')); fs.unlinkSync('l'); fs.truncateSync('c', 1); console.log(fs.readFileSync('c', 'utf8'))`,
    { files: { a: 'text' } },
  ),
  cjs(
    'calls back',
    `const fs = require('fs'); fs.readFile('a', 'utf8', (e, text) => { console.log(e, text); fs.readFile('gone', (e) => console.log(e.code)) })`,
    { files: { a: 'text' } },
  ),
  esm(
    'streams files',
    `import fs from 'node:fs'; let text = ''; for await (const chunk of fs.createReadStream('a', 'utf8')) text += chunk; console.log(text); const out = fs.createWriteStream('b'); out.end('streamed', () => console.log(fs.readFileSync('b', 'utf8')))`,
    { files: { a: 'text' } },
  ),
  esm(
    'handles paths',
    `import path from 'node:path'; console.log(path.join('a', '..', 'b/', './c'), path.dirname('/x/y.z'), path.extname('a.b.c'), path.relative('/a/b', '/a/c/d'), path.parse('/home/f.txt'), path.isAbsolute('x'), path.normalize('/a//b/../c'))`,
  ),
]

const ERRORS: readonly JsSource[] = [
  esm('throws', `console.log('before'); throw new Error('after')`),
  esm('throws no error', `throw 'text'`),
  esm('rejects', `console.log('one'); await Promise.reject(new TypeError('x'))`),
  esm(
    'floats a rejection',
    `async function main() { await null; throw new Error('floating') } main(); setTimeout(() => console.log('never'), 60000)`,
  ),
  esm('floats a rejection at once', `async function main() { throw new Error('floating') } main()`),
  esm('handles a rejection late', `const p = Promise.reject(new Error('x')); await null; p.catch((e) => console.log('caught', e.message))`),
  esm(
    'listens to rejections',
    `process.on('unhandledRejection', (reason) => console.log('unhandled', reason.message)); Promise.reject(new Error('x')); setTimeout(() => console.log('on'), 5)`,
  ),
  esm(
    'listens to errors',
    `process.on('uncaughtException', (e) => console.log('uncaught', e.message)); setTimeout(() => { throw new Error('x') }, 1); setTimeout(() => console.log('on'), 10)`,
  ),
  esm('exits', `process.on('exit', (code) => console.log('exit', code)); process.exit(3)`),
  esm('exits by a code', `process.exitCode = 4; console.log('to the end')`),
  esm('exits in a try', `try { process.exit(5) } finally { console.log('never') }`),
  esm('never settles', `console.log('x'); await new Promise(() => {})`),
  esm('tells of its end', `process.on('beforeExit', () => console.log('before')); process.once('exit', () => console.log('exit'))`),
  esm('has no such module', `console.log('never'); import './gone.mjs'`),
  esm('has no such export', `import { gone } from './lib.mjs'; console.log(gone)`, { files: { 'lib.mjs': `export const a = 1` } }),
  esm('does not parse', `console.log('never')\nconst = 5`),
  esm('recurses', `const f = (n) => f(n + 1) + 1; try { f(0) } catch (e) { console.log(e instanceof RangeError) } console.log('on')`),
  esm(
    'catches what modules throw',
    `const all = { throws: () => import('./throws.mjs'), again: () => import('./throws.mjs'), deep: () => import('./deep.mjs'), common: () => import('./common.cjs'), text: () => import('./text.mjs'), number: () => import('./number.mjs'), missing: () => import('./missing.mjs'), waits: () => import('./waits.mjs'), after: () => import('./after.mjs') }; for (const [name, load] of Object.entries(all)) { try { await load() } catch (e) { console.log(name, e instanceof Error ? [e.name, e.code] : e) } } console.log('end')`,
    {
      files: {
        'throws.mjs': `throw new TypeError('x')`,
        'deep.mjs': `import './throws.mjs'`,
        'common.cjs': `module.exports = 1; throw new RangeError('x')`,
        'text.mjs': `const = 5`,
        'number.mjs': `throw 5`,
        'missing.mjs': `import './gone.mjs'`,
        'waits.mjs': `await 0; throw new EvalError('x')`,
        'fine.mjs': `await 0; export default 1`,
        'after.mjs': `import './fine.mjs'; throw new URIError('x')`,
      },
    },
  ),
  esm(
    'tells of rejections with what modules throw',
    `process.on('unhandledRejection', (e, promise) => console.log('unhandled', e.message, promise === kept)); const load = async () => { await import('./throws.mjs') }; const kept = load(); let caught; try { await import('./throws.mjs') } catch (e) { caught = e } await new Promise((done) => setTimeout(done, 5)); Promise.reject(caught); await new Promise((done) => setTimeout(done, 5)); import('./own.mjs').catch((e) => console.log('caught', e.message))`,
    {
      files: {
        'throws.mjs': `throw new Error('thrown')`,
        'own.mjs': `const e = new Error('own'); Promise.reject(e); throw e`,
      },
    },
  ),
  esm('floats an import', `import('./throws.mjs'); setTimeout(() => console.log('never'), 60000)`, {
    files: { 'throws.mjs': `console.log('begun'); throw new Error('x')` },
  }),
  esm(
    'tells of its failure once',
    `process.on('uncaughtException', (e, origin) => console.log(origin, e.message)); await import('./throws.mjs')`,
    { files: { 'throws.mjs': `throw new Error('x')` } },
  ),
  esm(
    'has errors of classes',
    `class Own extends Error { constructor(m, o) { super(m, o); this.name = 'Own'; this.code = 7 } } try { throw new Own('m', { cause: 'c' }) } catch (e) { console.log(e instanceof Own, e instanceof Error, e.name, e.message, e.cause, String(e), e.stack.split('\\n')[0]) }`,
  ),
  esm(
    'asserts',
    `import assert from 'node:assert/strict'; assert.deepEqual({ a: [1] }, { a: [1] }); assert.throws(() => { throw new Error('x') }, /x/); try { assert.equal(1, 2) } catch (e) { console.log(e.name, e.code, e.actual, e.expected) }`,
  ),
]

const PROCESS: readonly JsSource[] = [
  cjs(
    'has arguments and variables',
    `console.log(process.argv.slice(2), process.env.NAME, process.env.NONE, typeof process.pid, process.cwd() === __dirname)`,
    { args: ['a', '--b=c', ''], env: { NAME: 'value' } },
  ),
  esm(
    'reads its input',
    `let text = ''; process.stdin.setEncoding('utf8'); for await (const chunk of process.stdin) text += chunk; console.log(text.toUpperCase())`,
    { stdin: 'one\ntwo\n' },
  ),
  cjs(
    'listens to its input',
    `let n = 0; process.stdin.on('data', (c) => { n += c.length }); process.stdin.on('end', () => console.log(n))`,
    { stdin: 'héllo' },
  ),
  cjs('reads its input at once', `console.log(require('fs').readFileSync(0, 'utf8').split('\\n').length)`, { stdin: 'a\nb\nc' }),
  esm(
    'reads lines',
    `import readline from 'node:readline'; const rl = readline.createInterface({ input: process.stdin }); for await (const line of rl) console.log('[' + line + ']')`,
    { stdin: 'one\ntwo\r\n\nlast' },
  ),
  esm('has no input', `for await (const chunk of process.stdin) console.log('never', chunk); console.log('end')`),
  esm(
    'uses util',
    `import util from 'node:util'; console.log(util.format('%s-%d', 'a', 1), util.inspect({ a: { b: { c: {} } } }, { depth: 0 }), util.isDeepStrictEqual([1], [1]), await util.promisify((v, cb) => cb(null, v + 1))(1), util.types.isDate(new Date()))`,
  ),
  esm(
    'uses buffers',
    `const b = Buffer.concat([Buffer.from('hé'), Buffer.alloc(2), Buffer.from('ff00', 'hex')]); console.log(b, b.toString('hex'), b.toString('base64'), b.readUInt16BE(4), b.slice(0, 2).toString('latin1'), Buffer.byteLength('€'), b.equals(b), Buffer.compare(Buffer.from('a'), Buffer.from('b')), Buffer.isBuffer(b))`,
  ),
  esm(
    'hashes',
    `import { createHash, createHmac } from 'node:crypto'; for (const a of ['md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']) { const hash = createHash(a).update('abc'), copy = hash.copy(); console.log(hash.update('é').digest('hex'), copy.digest('base64')) } const once = createHash('sha1').update(new Uint16Array([1, 258])); console.log(once.digest('hex')); for (const twice of [() => once.digest(), () => once.update(''), () => createHash('md5').update(5)]) try { twice() } catch (error) { console.log(error.code) } console.log(createHmac('sha256', 'key').update('data').digest('base64'), createHmac('sha1', new ArrayBuffer(4)).update('data').digest('base64')); console.log(Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'))).toString('hex'))`,
  ),
  esm(
    'uses streams',
    `import { Readable, Transform, pipeline } from 'node:stream'; import { promisify } from 'node:util'; const out = []; await promisify(pipeline)(Readable.from(['a', 'b']), new Transform({ objectMode: true, transform(c, _, done) { done(null, String(c).toUpperCase()) } }), async function* (source) { for await (const c of source) out.push(String(c)) }); console.log(out)`,
  ),
]

/** The programs by group. `js-programs.ts` adds the recorded results by name. */
export const JS_SOURCES: readonly JsSource[] = [
  ...SYNC,
  ...ASYNC,
  ...MODULES,
  ...FILES,
  ...FILE_CALLS,
  ...LINK_CALLS,
  ...ERRORS,
  ...PROCESS,
]
