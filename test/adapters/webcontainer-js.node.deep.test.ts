// @module-tag webcontainer
import { createRuntime, createWorkspace, PolicyError } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs, createWebContainerJs } from 'toolport/adapters/webcontainer'
import { standard } from 'toolport/presets/standard'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsInContainer } from './webcontainer-disk.js'
import { cleanUp, dispose, freshContainer, made, rejection, run } from './webcontainer-js-fixture.js'

beforeEach(freshContainer)
afterEach(cleanUp)

const root = (): string => made.workspace.root

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await made.workspace.writeText(path, text)
}

describe('output', () => {
  it('keeps both streams separate and unchanged', async () => {
    const text = 'a\r\nb\n\u001b[31mred\u001b[0m\tgrün 🙂\r'
    const { stdout, stderr, exitCode } = await run({
      code: `process.stdout.write(${JSON.stringify(text)}); console.error('err'); process.stdout.write('<toolport:x:1:aa>'); process.stderr.write('\\r\\n')`,
    })
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: `${text}<toolport:x:1:aa>`, stderr: 'err\n\r\n', exitCode: 0 })
  })

  it('written to descriptors and /dev/stdout is captured', async () => {
    const { stdout, stderr } = await run({
      code: `import fs from 'node:fs'
        fs.writeSync(1, 'one '); fs.writeSync(2, Buffer.from('xtwox'), 1, 3); fs.writeFileSync(1, 'three ')
        fs.writeFileSync('/dev/stdout', 'four '); fs.writevSync(1, [Buffer.from('fi'), Buffer.from('ve ')])
        fs.write(1, 'six', (error, n) => process.stdout.write(' ' + error + n))`,
    })
    expect([stdout, stderr]).toEqual(['one three four five six null3', 'two'])
  })

  it('is decoded from chunks of any size', async () => {
    for (const chunk of [1, 3, 7]) {
      made.container.processes.faults = { chunk }
      const { stdout, stderr, result } = await run({ code: `console.log('grün 🙂'); console.error('ü🙂'); export default 'ß'; null.x` })
      expect(stdout).toBe('grün 🙂\n')
      expect(stderr).toMatch(/^ü🙂\nfile:\/\/.*\[eval\]\.mjs:1\n[\s\S]*TypeError: Cannot read properties of null[\s\S]*Node\.js v/)
      expect(result).toBeUndefined()
    }
  })

  it('is complete, and beyond maxBytes keeps its head and tail', async () => {
    const { stdout, truncated } = await run({
      code: `process.stdout.write('0123456\\n'.repeat(100000)); process.exit()`,
      maxBytes: 2 ** 24,
    })
    expect([stdout.length, truncated]).toEqual([800_000, false])
    const cut = await run({ code: `console.log('head'); console.log('x'.repeat(100000)); console.log('tail')`, maxBytes: 1000 })
    expect(cut.truncated).toBe(true)
    expect(cut.stdout.length).toBeLessThan(1200)
    expect(cut.stdout).toMatch(/^head\n[\s\S]*tail\n$/)
  })

  it('is streamed', async () => {
    const told: string[] = []
    const controller = new AbortController()
    const { aborted, stdout } = await run({
      code: `console.log('one'); console.error('two'); setTimeout(() => {}, 100000)`,
      signal: controller.signal,
      onOutput: ({ stream, text }) => {
        told.push(`${stream} ${text}`)
        if (stream === 'stderr') controller.abort()
        throw new Error('of the listener')
      },
    })
    expect(told).toEqual(['stdout one\n', 'stderr two\n'])
    expect([aborted, stdout]).toEqual([true, 'one\n'])
  })

  it('output of child processes that inherit the terminal is captured as stderr', async () => {
    const { stdout, stderr } = await run({
      code: `import { execFileSync } from 'node:child_process'
        execFileSync(process.execPath, ['-e', 'console.log("child")'], { stdio: 'inherit' })
        console.log(String(execFileSync(process.execPath, ['-p', '1 + 1'])))`,
    })
    expect([stdout, stderr]).toEqual(['2\n\n', 'child\n'])
  })
})

describe('a program', () => {
  it('given as code resolves imports from its file name and leaves no files', async () => {
    await put({
      'lib/n.mjs': 'export const n = 4; export default import.meta.url',
      'lib/data.json': '{"d": 5}',
      'node_modules/pkg/package.json': '{"name":"pkg","exports":{"import":"./esm.mjs","require":"./cjs.cjs"}}',
      'node_modules/pkg/esm.mjs': 'export default "esm"',
      'node_modules/pkg/cjs.cjs': 'module.exports = "cjs"',
      'package.json': '{"name":"own","imports":{"#lib":"./lib/n.mjs"}}',
    })
    const { result, stderr } = await run({
      filename: 'lib/it.mjs',
      code: `import { n } from './n.mjs'; import data from "./data.json" with { type: 'json' }; import pkg from 'pkg'
        import { n as again } from '#lib'
        export { n as handedOn } from '../lib/n.mjs'
        const name = './n' + '.mjs', load = 1, meta = 2
        const { default: late } = await import(name)
        export default [n, data.d, pkg, again, late, (await import('pkg')).default, import.meta.url, import.meta.filename, import.meta.dirname,
          import.meta.resolve('./x'), import.meta.resolve('pkg'), import.meta.resolve('node:fs'), import.meta.resolve('fs'), load, meta,
          process.argv.slice(1), process.execArgv, new Error('x').stack.split('\\n')[1]]`,
      args: ['a', ''],
    })
    expect(stderr).toBe('')
    const at = `${root()}/lib`
    const url = `file://${at}`
    expect(result).toEqual([
      ...[4, 5, 'esm', 4, `${url}/n.mjs`, 'esm', `${url}/it.mjs`, `${at}/it.mjs`, at],
      ...[`${url}/x`, `file://${root()}/node_modules/pkg/esm.mjs`, 'node:fs', 'node:fs', 1, 2],
      [`${at}/it.mjs`, 'a', ''],
      [],
      expect.stringMatching(/^ {4}at file:\/\/\/.*\/lib\/it\.mjs:\d+:\d+$/),
    ])
    expect(await made.workspace.exists('lib/it.mjs')).toBe(false)
    expect(await made.container.left()).toEqual([])
  })

  it('has its file name in errors, without helper files', async () => {
    for (const code of [
      '\nthrow new Error("bad")',
      '\nimport "./gone.mjs"',
      '\nimport "nowhere"',
      '\nconst = 5',
      '\nimport { x } from "node:fs"',
    ]) {
      const { stderr, exitCode } = await run({ code, filename: 'a b/é.mjs' })
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/\/a(?: |%20)b\/(?:é|%C3%A9)\.mjs/)
      expect(stderr).not.toContain('.toolport')
      expect(stderr).not.toContain('start.mjs')
    }
  })

  it('a program in CommonJS has module, require, __filename and __dirname', async () => {
    await put({ 'lib/n.js': 'exports.n = 1' })
    const { result, stderr } = await run({
      filename: 'lib/it.cjs',
      code: `module.exports = [require('./n').n, __filename, __dirname, require.main === module, module.id, process.argv[1], typeof import('./n.js')]`,
    })
    expect(stderr).toBe('')
    const at = `${root()}/lib`
    expect(result).toEqual([1, `${at}/it.cjs`, at, true, '.', `${at}/it.cjs`, 'object'])
    expect((await run({ code: 'exports', format: 'commonjs' })).result).toBeUndefined()
    expect((await run({ code: '#!/usr/bin/env node\nmodule.exports = 1', format: 'commonjs' })).result).toBe(1)
    expect((await run({ code: '#!/usr/bin/env node\nexport default 1' })).result).toBe(1)
  })

  it('is ESM or CommonJS according to its package.json or its text', async () => {
    await put({
      'm.js': 'export default typeof require',
      'c.js': 'module.exports = typeof require',
      'p/package.json': '{"type":"module"}',
      'p/x.js': 'export default 7',
    })
    expect((await run({ entry: 'm.js' })).result).toBe('undefined')
    expect((await run({ entry: 'c.js' })).result).toBe('function')
    expect((await run({ entry: 'p/x.js' })).result).toBe(7)
    expect((await run({ entry: './x.js', cwd: 'p' })).result).toBe(7)
  })

  it('has the container’s paths with a virtual workspace root', async () => {
    const virtual = jsInContainer(true)
    try {
      await virtual.workspace.writeText('d/x.mjs', 'export default [process.cwd(), process.argv[1], process.env.PWD]')
      const { result } = await run({ entry: '/workspace/d/x.mjs', cwd: '/workspace/d' }, virtual)
      const at = `${virtual.container.dir}/project/d`
      expect(result).toEqual([at, `${at}/x.mjs`, at])
    } finally {
      await dispose(virtual)
    }
  })

  it('a program whose default export cannot be serialised prints the reason', async () => {
    const { stderr, result } = await run({ code: 'const a = {}; a.a = a; export default a' })
    expect(stderr).toMatch(/^The default export is not handed over: Converting circular structure/)
    expect(result).toBeUndefined()
    const big = await run({ code: 'export default "x".repeat(1000000)' })
    expect(String(big.result).length).toBe(1_000_000)
  })

  it('a program in TypeScript is stripped of its types and keeps its line numbers', async () => {
    const { result, stderr } = await run({
      code: `interface A {\n n: number }\nconst a: A = { n: 3 }\nexport default [a.n, new Error('x').stack!.split('\\n')[1]!.replace(/.*\\//, '')]`,
      filename: 'x.ts',
    })
    expect(stderr).toBe('')
    expect(result).toEqual([3, expect.stringMatching(/^x\.ts:4:/)])
    await put({
      'e.ts': 'import { y } from "./y.mjs"; export default (y as number) + 1',
      'y.mjs': 'export const y = 1',
      'c.cts': 'import path from "node:path"; export = (path.sep as string)',
    })
    expect((await run({ entry: 'e.ts' })).result).toBe(2)
    expect((await run({ entry: 'c.cts' })).result).toBe('/')
  })

  it('imports TypeScript files', async () => {
    await put({
      'n.ts': 'import { m } from "./m.js"; export enum E { A = 5 }; export const n: number = m + E.A',
      'm.ts': 'import c from "./c.cts"; export const m: number = c.one',
      'c.cts': 'import { sep } from "node:path"; exports.one = (sep.length as number)',
      'main.mjs': 'import { n } from "./n.ts"; export default n',
      'main.ts': 'import { n } from "./n.js"; const t: number = n; export default t',
      'main.cjs': 'module.exports = [require("./c.cts").one, require("./d.ts").d]',
      'd.ts': 'const d = 2 as number; exports.d = d',
      'bad.ts': 'let a: = 5',
    })
    const results = []
    for (const entry of ['main.mjs', 'main.ts', 'main.cjs']) {
      const { result, stderr } = await run({ entry })
      results.push([result, stderr])
    }
    expect(results).toEqual([
      [6, ''],
      [6, ''],
      [[1, 2], ''],
    ])
    expect((await run({ code: 'import { n } from "./n.ts"; export default n' })).result).toBe(6)
    for (const program of [{ entry: 'bad.ts' }, { code: 'import "./bad.ts"' }]) {
      const { exitCode, stderr } = await run(program)
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/SyntaxError[\s\S]*bad\.ts/)])
    }
  })
})

it('runs as run_js with the granted tools', async () => {
  const fs = createWebContainerFs({ container: made.container.api, root: 'project' })
  const runtime = createRuntime({ fs, js: createWebContainerJs(), preset: standard({ jsTools: { grants: { tools: ['read_file'] } } }) })
  await put({ 'a.txt': 'content' })
  const outcome = await runtime.call('run_js', {
    code: "console.log(JSON.stringify(await invokeTool('read_file', { path: 'a.txt' }))); export default 1 + 1",
  })
  expect(outcome).toMatchObject({ exit_code: 0, result: 2, stdout: expect.stringContaining('content') })
  await runtime.dispose()
})

describe('createWebContainerJs rejects', () => {
  it('another storage, and one without a root', () => {
    const refused = (fs: Parameters<typeof createWorkspace>[0]['fs']): unknown => {
      try {
        return createWebContainerJs()(createWorkspace({ fs }))
      } catch (error) {
        return error
      }
    }
    expect(refused(createMemoryFs())).toMatchObject({ name: 'UnsupportedError', capability: 'js' })
    expect(refused(createWebContainerFs({ container: made.container.api }))).toMatchObject({
      name: 'UnsupportedError',
      message: expect.stringContaining('root'),
    })
  })

  it('a restriction that it cannot enforce', async () => {
    for (const fs of ['read', 'none'] as const) {
      expect(await rejection(run({ code: '', grants: { fs } }))).toMatchObject({
        name: 'UnsupportedError',
        message: expect.stringContaining(fs),
      })
    }
    const workspace = createWorkspace({
      fs: createWebContainerFs({ container: made.container.api, root: 'project' }),
      policy: { readOnly: true },
    })
    expect(await rejection(createWebContainerJs()(workspace).run({ code: '' }))).toBeInstanceOf(PolicyError)
    expect(made.container.processes.spawned).toEqual([])
  })

  it('an invalid program', async () => {
    await made.workspace.mkdir('dir')
    expect(await rejection(run({}))).toMatchObject({ name: 'InputError' })
    expect(await rejection(run({ code: '', entry: 'x' }))).toMatchObject({ name: 'InputError' })
    expect(await rejection(run({ code: '', args: ['\0'] }))).toMatchObject({ name: 'InputError' })
    expect(await rejection(run({ code: '', env: { 'a=b': '' } }))).toMatchObject({ name: 'InputError' })
    expect(await rejection(run({ entry: 'gone.mjs' }))).toMatchObject({ name: 'FsError', code: 'ENOENT' })
    expect(await rejection(run({ entry: 'dir' }))).toMatchObject({ name: 'FsError', code: 'EISDIR' })
    expect(await rejection(run({ code: '', cwd: 'gone' }))).toMatchObject({ name: 'FsError', code: 'ENOENT' })
    expect(await made.container.left()).toEqual([])
  })
})
