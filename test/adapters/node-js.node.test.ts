// @module-tag node-js
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs, createNodeJs } from 'toolport/adapters/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cleanUp, freshRoot, jsOf, put, rejection, root, run, workspaceOf } from './node-js-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

it('`can` describes the adapter', () => {
  expect(jsOf()).toMatchObject({ name: 'node', can: { hardKill: true, memoryCap: true, nodeApi: true, isolated: false } })
})

it('runs code without a file and leaves no files behind', async () => {
  put({
    'lib/dep.mjs': 'export const seven = 7',
    'node_modules/pkg/package.json': '{"name":"pkg"}',
    'node_modules/pkg/index.js': 'exports.a = 1',
  })
  const before = readdirSync(root, { recursive: true })
  const code =
    'import { seven } from "./dep.mjs"; import { a } from "pkg"; console.log(seven, a, import.meta.url); export default { seven }'
  const result = await run({ code, filename: 'lib/x y.mjs' })
  expect(result).toEqual({
    exitCode: 0,
    stdout: `7 1 file://${root}/lib/x%20y.mjs\n`,
    stderr: '',
    result: { seven: 7 },
    timedOut: false,
    aborted: false,
    truncated: false,
  })
  expect(readdirSync(root, { recursive: true })).toEqual(before)
})

it('hides from a program how it was started', async () => {
  const code = `console.log(JSON.stringify([process.argv.slice(1), process.execArgv, Object.keys(process.env), Object.keys(globalThis)
    .filter((name) => /toolport|invoke|require|module/i.test(name)), process.cwd(), process._eval === undefined, process.send === undefined]))`
  const { stdout } = await run({ code, args: ['a', '--b', ''], env: { FOO: 'bär' } })
  const [argv, execArgv, names, globals, cwd, noEval, noSend] = JSON.parse(stdout)
  expect(argv).toEqual([`${root}/[eval].mjs`, 'a', '--b', ''])
  expect(execArgv).toEqual([])
  expect(names).toContain('FOO')
  expect(names.filter((name: string) => /NODE|VITEST|npm_|TOOLPORT/i.test(name))).toEqual([])
  expect(globals).toEqual([])
  expect([cwd, noEval, noSend]).toEqual([root, true, true])
})

it('passes only the named environment variables', async () => {
  process.env.TOOLPORT_TEST_SECRET = 'secret'
  try {
    const code = 'export default [process.env.TOOLPORT_TEST_SECRET ?? null, process.env.A, process.env.B]'
    expect((await run({ code, env: { B: '2' } }, { env: { A: '1', B: '1' } })).result).toEqual([null, '1', '2'])
    expect((await run({ code }, { inherit: ['TOOLPORT_TEST_SECRET'] })).result).toEqual(['secret', null, null])
  } finally {
    delete process.env.TOOLPORT_TEST_SECRET
  }
})

it.each<[string, string, number, Readonly<Record<string, unknown>>]>([
  ['process.exit', 'process.exit(7)', 7, {}],
  ['process.exitCode', 'process.exitCode = 3', 3, {}],
  ['an uncaught error', 'throw new Error("oops")', 1, {}],
  ['an unhandled rejection', 'Promise.reject(new Error("oops"))', 1, {}],
  ['an await that never settles', 'await new Promise(() => {})', 13, {}],
  ['a signal', 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)', 137, { signal: 'SIGKILL' }],
  ['an empty program', '', 0, {}],
])('reports the end of a program: %s', async (_, code, exitCode, more) => {
  expect(await run({ code })).toMatchObject({ exitCode, timedOut: false, aborted: false, ...more })
})

it('names file and line in stack traces and syntax errors', async () => {
  const js = jsOf()
  const [thrown, broken, open, common] = await Promise.all([
    js.run({ code: '\n\nthrow new Error("oops")' }),
    js.run({ code: 'const a = 1\nconst = 2', filename: 'sub/b.mjs' }),
    js.run({ code: 'const a = 1\nexport default {' }),
    js.run({ code: '\nnull.x', format: 'commonjs' }),
  ])
  expect(thrown.stderr).toContain(`${root}/[eval].mjs:3:7`)
  expect(broken.stderr).toMatch(/^file:.*\/sub\/b\.mjs:2\nconst = 2\n/)
  expect(open.stderr).toMatch(/\[eval\]\.mjs:2\nexport default \{\n[\s\S]*SyntaxError: Unexpected end of input/)
  expect(common.stderr).toContain(`${root}/[eval].cjs:2:6`)
  expect(thrown.stderr + broken.stderr + open.stderr).not.toContain('toolport/dist')
})

it.each<[string, string, unknown]>([
  ['a value', 'export default [1, "é", null]', [1, 'é', null]],
  ['a name', 'const a = { b: 1 }; export { a as default }', { b: 1 }],
  ['the state when the program ends', 'const a = []; setTimeout(() => a.push(1), 5); export default a', [1]],
  ['the result of toJSON', 'export default { toJSON: () => "j" }', 'j'],
  ['a function', 'export default () => 1', undefined],
  ['mentioned only in comments and strings', '// export default 1\nexport const x = "export default 2"', undefined],
  ['undefined', 'export default undefined', undefined],
  ['none after an error', 'export default 1; throw 1', undefined],
  ['in front of a comment', 'export default 4 // self', 4],
])('returns the default export: %s', async (_, code, expected) => {
  expect((await run({ code })).result).toEqual(expected)
})

it('reports a default export that is not JSON or too large', async () => {
  const js = jsOf()
  const [cycle, huge] = await Promise.all([
    js.run({ code: 'const a = {}; a.a = a; export default a' }),
    js.run({ code: 'export default "x".repeat(17 * 1024 * 1024)' }),
  ])
  expect(cycle).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^The default export is not handed over: .*circular/) })
  expect(huge).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/not handed over: It has 17825806 characters/) })
  expect([cycle.result, huge.result]).toEqual([undefined, undefined])
  expect((await js.run({ code: 'export default "y".repeat(8e6)' })).result).toHaveLength(8e6)
})

it('runs CommonJS with module.exports, require and require.main', async () => {
  put({ 'dep.cjs': 'exports.isMain = require.main === module; exports.parent = module.parent?.filename' })
  const js = jsOf()
  const code =
    'module.exports = { main: require.main === module, file: __filename, dep: require("./dep.cjs"), cached: !!require.cache[__filename] }'
  const file = join(root, '[eval].cjs')
  expect(await js.run({ code, format: 'commonjs' })).toMatchObject({
    stderr: '',
    result: { main: true, file, dep: { isMain: false, parent: file }, cached: true },
  })
  const named = await js.run({
    code: 'import("./dep.cjs").then((dep) => { module.exports = dep.isMain })',
    filename: 'q.js',
    format: 'commonjs',
  })
  expect(named).toMatchObject({ stderr: '', result: false })
  expect(await js.run({ code: '', format: 'commonjs' })).not.toHaveProperty('result')
})

it('a CommonJS program is the same module for files that import it', async () => {
  put({
    'main.cjs': 'exports.early = 1; require("./dep.cjs"); import("./dep.mjs")',
    'dep.cjs': 'const main = require("./main.cjs"); console.log(main.early, main === require.main.exports)',
    'dep.mjs': 'import main, { early } from "./main.cjs"; console.log(early, main === process.mainModule.exports)',
    'typed.cts':
      'const n: number = 1; process.nextTick(() => console.log("tick")); Promise.resolve().then(() => console.log("promise")); exports.n = n',
  })
  const js = jsOf()
  expect(await js.run({ entry: 'main.cjs' })).toMatchObject({ stderr: '', stdout: '1 true\n1 true\n', result: { early: 1 } })
  expect(await js.run({ entry: 'typed.cts' })).toMatchObject({ stderr: '', stdout: 'tick\npromise\n', result: { n: 1 } })
})

it('runs TypeScript and its TypeScript imports', async () => {
  put({
    'dep.ts': 'export enum Color { Red = 3 }\nexport interface Shape { a: number }\nexport const n: number = 7',
    'common.cts': 'const p: string = "p"\nexports.p = p',
    'package.json': '{"type":"module"}',
    'typed/package.json': '{"type":"commonjs"}',
    'typed/t.ts': 'import { join } from "node:path"; export const joined: string = join("a", "b")',
  })
  const js = jsOf()
  const lines = 'interface A {\n  a: number\n}\nthrow new Error("x" as string)'
  const [module, common, thrown, plain] = await Promise.all([
    js.run({
      code: 'import { Color, n, type Shape } from "./dep.js"; import common from "./common.cjs"; const s: Shape = { a: n }; export default [s, Color.Red, common.p]',
      filename: 'a.ts',
    }),
    js.run({ code: 'const t = require("./typed/t"); const x: number = 1; module.exports = [t.joined, x]', filename: 'a.cts' }),
    js.run({ code: lines, filename: 'a.mts' }),
    js.run({ code: 'import { n } from "./dep.js"; export default [n, (await import("./dep.ts")).n]' }),
  ])
  expect(module).toMatchObject({ stderr: '', result: [{ a: 7 }, 3, 'p'] })
  expect(common).toMatchObject({ stderr: '', result: ['a/b', 1] })
  expect(thrown.stderr).toContain(`${root}/a.mts:4:7`)
  expect(plain).toMatchObject({ stderr: '', result: [7, 7] })
  expect((await js.run({ code: 'const = 1', filename: 'b.ts' })).stderr).toMatch(/SyntaxError.*b\.ts as TypeScript.*\(1:7\)/)
})

it('runs entry files relative to cwd like Node', async () => {
  put({
    'sub/main.mjs': 'console.log(process.argv[1], process.cwd()); export default import.meta.url',
    'sub/main.cjs': 'module.exports = require.main === module',
    'sub/main.ts': 'const a: number = 1; export default a',
    'broken.mjs': '\n\nlet a = ;',
  })
  symlinkSync('sub/main.cjs', join(root, 'link.cjs'))
  const js = jsOf()
  const [esm, cjs, ts, broken, link] = await Promise.all([
    js.run({ entry: 'main.mjs', cwd: 'sub' }),
    js.run({ entry: 'sub/main.cjs' }),
    js.run({ entry: join(root, 'sub/main.ts') }),
    js.run({ entry: 'broken.mjs' }),
    js.run({ entry: 'link.cjs' }),
  ])
  expect(esm).toMatchObject({ stdout: `${root}/sub/main.mjs ${root}/sub\n`, result: `file://${root}/sub/main.mjs`, stderr: '' })
  expect([cjs.result, ts.result, link.result]).toEqual([true, 1, true])
  expect(broken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`${root}/broken.mjs:3\n`) })
})

it('passes the whole input and closes it', async () => {
  const code = 'let all = ""; for await (const part of process.stdin.setEncoding("utf8")) all += part; export default all'
  const js = jsOf()
  const long = 'é'.repeat(300_000)
  expect((await js.run({ code })).result).toBe('')
  expect((await js.run({ code, stdin: 'a\nb' })).result).toBe('a\nb')
  expect((await js.run({ code, stdin: long })).result).toBe(long)
})

it('maps virtual paths to host paths in file names', async () => {
  put({ 'a/x.mjs': 'console.log(process.cwd())' })
  const js = jsOf(undefined, workspaceOf({ root: '/work', cwd: '/work/a' }))
  expect((await js.run({ entry: '/work/a/x.mjs' })).stdout).toBe(`${root}/a\n`)
  expect((await js.run({ code: 'export default import.meta.url', filename: '/work/b/c.mjs' })).result).toBe(`file://${root}/b/c.mjs`)
})

it('rejects an invalid program, entry, cwd or Node executable', async () => {
  put({ 'dir/a.mjs': '' })
  const js = jsOf()
  const refused = (program: object): Promise<unknown> => rejection(js.run(program))
  expect(await refused({})).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ code: '', entry: 'dir/a.mjs' })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ entry: 'none.mjs' })).toMatchObject({ code: 'ENOENT' })
  expect(await refused({ entry: 'dir' })).toMatchObject({ code: 'EISDIR' })
  expect(await refused({ entry: '../../etc/passwd' })).toMatchObject({ code: 'path_outside_workspace' })
  expect(await refused({ code: '', filename: '../x.mjs' })).toMatchObject({ code: 'path_outside_workspace' })
  expect(await refused({ code: '', cwd: 'none' })).toMatchObject({ code: 'ENOENT' })
  expect(await refused({ code: '', cwd: 'dir/a.mjs' })).toMatchObject({ code: 'ENOTDIR' })
  expect(await refused({ code: '', args: ['a\0b'] })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ code: '', env: { 'A=B': '' } })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ code: '', filename: 'a\0.mjs' })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ code: '', memoryBytes: 0 })).toMatchObject({ code: 'invalid_input' })
  expect(await refused({ code: '', args: ['x'.repeat(3_000_000)] })).toMatchObject({ name: 'JsError', code: 'spawn_failed' })
  const other = jsOf({ execPath: '/bin/false' })
  expect(await rejection(other.run({ code: '' }))).toMatchObject({ name: 'JsError', code: 'unavailable' })
})

it('rejects a storage without a directory, a read-only workspace, and calls after close()', async () => {
  expect(() => createNodeJs()(createWorkspace({ fs: createMemoryFs() }))).toThrow(expect.objectContaining({ code: 'unsupported' }))
  const readOnly = createNodeJs()(createWorkspace({ fs: createNodeFs({ root }), policy: { readOnly: true } }))
  expect(await rejection(readOnly.run({ code: '' }))).toMatchObject({ code: 'read_only' })
  const js = jsOf()
  await js.close?.()
  expect(await rejection(js.run({ code: '' }))).toMatchObject({ name: 'JsError', code: 'unavailable' })
})
