// @module-tag install
import { describe, expect, it } from 'vitest'
import { scan, scanCreatedRequires } from '../../src/packages/modules/scan.js'

describe('scan finds require calls', () => {
  it.each([
    [`const a = require('a'), b = require("b"); require(\`c\`)`, ['a', 'b', 'c']],
    [`require ( 'a' )\nrequire(\n  'b'\n)`, ['a', 'b']],
    [`require.resolve('a'); module.require('b')`, ['a', 'b']],
    [`require(/* why */ 'a')`, ['a']],
    [`require('a', options)`, ['a']],
    [`try { require('a') } catch { require('b').x() }`, ['a', 'b']],
    [`require('a'); require('a')`, ['a']],
    [`x = y ? require('a') : require('b')`, ['a', 'b']],
    ['`\x24{require("a")} \x24{`\x24{require(\'b\')}`} require("no")`', ['a', 'b']],
    [`(0, require)('no'); require(name); require('a' + b); require('')`, []],
    [`// require('no')\n/* require('no') */ "require('no')"; 'it\\'s require("no")'`, []],
    [`x.require('no'); notrequire('no'); require_('no'); $require('no')`, []],
    [`/require('no')/.test(x); a = b / require('a') / c`, ['a']],
    [`if (x) /['"]/.test(y); require('a')`, ['a']],
    [`return /[/'"]/; require('a')`, ['a']],
    [`x = { a: /'/ }; require('a')`, ['a']],
    [`function f() {}\n/'/.test(x); require('a')`, ['a']],
    [`x = {} / 2; require('a') / 3`, ['a']],
    [`i++ / 2; require('a'); j / 1`, ['a']],
    [`'unclosed\nrequire('a')`, ['a']],
    [`require('a'`, []],
    ['', []],
    ['}}}))]]` ${ require("a")', []],
  ])('%s', (code, requires) => {
    if (requires.length > 0 || !code.includes('}}}')) expect(scan(code).requires).toEqual(requires)
    else expect(() => scan(code)).not.toThrow()
  })

  it.each([
    [`import { createRequire } from 'module'\nconst require = createRequire(import.meta.url)\nrequire('a')`, ['a']],
    [`import m from 'module'; var load = m.createRequire(import.meta.url); load('a'); require('no')`, ['a']],
    [`createRequire(import.meta.url)('a')`, ['a']],
    [`require('no')`, []],
  ])('calls of createRequire: %s', (code, requires) => expect(scanCreatedRequires(code)).toEqual(requires))
})

describe('scan of a top-level await', () => {
  it.each([
    'await x',
    'const a = await import("x")',
    'for await (const x of y) {}',
    'if (a) { await b }',
    'for (const x of y) { while (z) { await x } }',
    'try { await a } catch (e) { await b }',
    'const f = async () => x\nawait f()',
    'const f = async () => { await x }; await f()',
    'const f = async () => x\nfoo(await f())',
    'const f = async () => x; const y = await f()',
    'class A {}\nawait x',
    '`\x24{await x}`',
    'x = [await a]',
    '{ await x }',
  ])('finds it: %s', (code) => expect(scan(code).topLevelAwait).toBe(true))

  it.each([
    '',
    'async function f() { await x }',
    'const f = async () => { for (const x of y) { await x } }',
    'const f = async () => await x',
    'const f = async (a) => a ? (await x) : [await y]',
    'const f = async () => a +\n  await x',
    'module.exports = { async f() { await x }, g: async function () { await y } }',
    'class A { async f() { if (a) { await x } } static async g(b = {}) { await y } }',
    '// await x\n"await x"; `await x`; /await x/',
    'x.await; var await = 1; ({ await: 1 })',
    'const f = async () => /* body */ { await x }',
    'list.map(async (x) => ({ y: await x }))',
    'const f = async () => `\x24{await x}`',
  ])('does not find it: %s', (code) => expect(scan(code).topLevelAwait).toBe(false))
})

// A quadratic algorithm would exceed the test's timeout.
describe('hostile sources are scanned in linear time', () => {
  it.each([
    ['open brackets', '('.repeat(1_000_000)],
    ['unclosed comments', 'require(/*'.repeat(200_000)],
    ['unclosed templates', '`${'.repeat(500_000)],
    ['unclosed strings', "require('".repeat(200_000)],
    ['spaces', `require${' '.repeat(2_000_000)}`.repeat(2)],
    ['a long name', 'a'.repeat(2_000_000)],
    ['many names', `createRequire ${'a '.repeat(500_000)}`],
    ['many functions', 'createRequire('.repeat(100_000)],
    ['slashes', '/ '.repeat(500_000)],
    ['arrows', 'a=>'.repeat(500_000)],
  ])('%s', (_, code) => {
    scan(code)
    scanCreatedRequires(code)
  })
})
