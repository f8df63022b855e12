// @module-tag custom-tools
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CustomToolMakerOptions, loadCustomTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs, createNodeToolLoader } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createLoaf } from 'toolport/presets/loaf'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { ADD, cleanUp, freshRoot, open, places, put, root, see, T } from './custom-node-fixture.js'
import { SOME_SHAPES } from './custom-shapes.js'
import type { Bench } from './harness.js'

beforeEach(freshRoot)
afterEach(cleanUp)

const trusted = createNodeToolLoader()

it('every supported form of a tool file loads in this process like in the sandbox', async () => {
  put(SOME_SHAPES)
  const sandbox = places(await see({ js: createQuickJs({ worker: false }) }, {}))
  const here = await see({}, { trusted })
  expect(places(here)).toEqual(sandbox)
  expect(Object.keys(here.tools)).toHaveLength(6)
})

/** Loads these files, all of which must succeed. */
async function loaded(files: Readonly<Record<string, string>>, custom: CustomToolMakerOptions = { trusted }): Promise<Bench> {
  put(files)
  const bench = open(custom)
  expect((await loadCustomTools(bench.runtime, custom)).errors).toEqual([])
  return bench
}

describe('a trusted tool in this process', () => {
  it('runs in this process and needs no JavaScript adapter', async () => {
    const { ok } = await loaded({
      'a.mjs': `let calls = 0; export const name = 'a'; export const run = () => [process.pid, ++calls]`,
      'b.cjs': `module.exports = { name: 'b', run: () => process.pid }`,
      'c.ts': `export const name = 'c'; export const run = () => process.pid`,
    })
    expect([await ok('a'), await ok('a'), await ok('b'), await ok('c')]).toEqual([
      [process.pid, 1],
      [process.pid, 2],
      process.pid,
      process.pid,
    ])
  })

  it('is loaded again on each call; its JavaScript imports stay cached, its TypeScript imports do not', async () => {
    const files = (n: number): Record<string, string> => ({
      'a.mjs': `import { n } from './lib/n.mjs'; export const name = 'a'; export const run = () => [${n}, n]`,
      'b.cjs': `module.exports = { name: 'b', run: () => ${n} }`,
      'c.ts': `import { n } from './lib/typed.js'; export const name: string = 'c'; export const run = () => [${n}, n]`,
      'd.js': `exports.name = 'd'; exports.run = () => ${n}`,
    })
    const library = (n: number): Record<string, string> => ({
      'lib/n.mjs': `export const n = ${n}`,
      'lib/typed.ts': `export const n: number = ${n}`,
    })
    put({ ...files(1), ...library(1) })
    const { runtime, ok } = open({ trusted })
    const all = async (): Promise<unknown> => [await ok('a'), await ok('b'), await ok('c'), await ok('d')]
    await loadCustomTools(runtime, { trusted })
    expect(await all()).toEqual([[1, 1], 1, [1, 1], 1])
    put({ ...files(2), ...library(2) })
    expect(await all()).toEqual([[1, 1], 1, [1, 1], 1])
    await loadCustomTools(runtime, { trusted })
    expect(await all()).toEqual([[2, 1], 2, [2, 2], 2])
  })

  it('logs to the call, and its signal is aborted at the end', async () => {
    const { runtime } = await loaded({
      'a.mjs': `export const name = 'a'
export const run = (_, { log, signal }) => new Promise((resolve) => {
  signal.addEventListener('abort', () => { globalThis.toolportAborted = true; resolve() })
  log('one', { two: 2 })
})`,
    })
    const told: string[] = []
    const controller = new AbortController()
    runtime.on((event) => {
      if (event.type !== 'log') return
      told.push(event.message)
      controller.abort()
    })
    const result = await runtime.execute({ name: 'a', input: {} }, { signal: controller.signal })
    expect(result.output).toMatchObject({ status: 'aborted' })
    expect(told).toEqual(['one {"two":2}'])
    expect(globalThis).toHaveProperty('toolportAborted', true)
    Reflect.deleteProperty(globalThis, 'toolportAborted')
  })

  it('is answered at its timeout but keeps running', async () => {
    put({ 'a.mjs': `export const name = 'a'; export const run = () => new Promise(() => {})` })
    // The same timeout applies to loading, so it grows until loading succeeds.
    const { ms, fail } = await withGrowingTime(
      async (ms) => {
        const { runtime, fail } = open()
        return { ms, fail, ...(await loadCustomTools(runtime, { trusted, timeoutMs: ms })) }
      },
      ({ loaded }) => loaded.length > 0,
    )
    expect(await fail('a')).toMatchObject({
      output: { status: 'timeout', code: 'timeout' },
      error: `Cannot finish "a": it did not end within ${ms} ms, and may still be running: code in this process cannot be stopped`,
    })
  })

  it('a file whose loading does not end is reported, and other files are loaded', async () => {
    put({ 'a.mjs': 'await new Promise(() => {})', 'b.mjs': `export const name = 'b'; export const run = () => 1` })
    const { runtime } = open()
    const { ms, report } = await withGrowingTime(
      async (ms) => ({ ms, report: await loadCustomTools(runtime, { trusted, timeoutMs: ms }) }),
      ({ report }) => report.loaded.length > 0,
    )
    expect(report).toMatchObject({
      loaded: [{ name: 'b' }],
      errors: [
        `failed loading ${T}/a.mjs: it did not end within ${ms} ms, and may still be running: code in this process cannot be stopped`,
      ],
    })
  })

  it('is not loaded if the signal is already aborted', async () => {
    put({ 'a.mjs': `globalThis.toolportBegan = true; export const name = 'a'; export const run = () => 1` })
    const { runtime } = open()
    expect(await loadCustomTools(runtime, { trusted, signal: AbortSignal.abort() })).toMatchObject({
      loaded: [],
      errors: [`failed loading ${T}/a.mjs: it was aborted before it began`],
    })
    expect(globalThis).not.toHaveProperty('toolportBegan')
  })

  it('has its input validated and its errors show no host path', async () => {
    const { fail } = await loaded({
      'a.mjs': `import { readFile } from 'node:fs/promises'
export const name = 'a'
export const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
export const run = () => readFile(new URL('./not-there', import.meta.url))`,
    })
    expect(await fail('a', { n: 'x' })).toMatchObject({ output: { code: 'invalid_input', issues: [{ path: 'n' }] } })
    const failed = await fail('a', { n: 1 })
    expect(failed.error).toBe(`ENOENT: no such file or directory, open '${T}/not-there'`)
    expect(JSON.stringify(failed)).not.toContain(root)
  })

  it('a tool in TypeScript can import packages and files, and its load errors name the cause', async () => {
    put({
      'node_modules/common/index.js': 'module.exports = { kind: "common" }',
      'node_modules/modern/package.json': '{ "type": "module", "exports": "./m.js" }',
      'node_modules/modern/m.js': 'export default "modern"; export const extra = 1',
      'lib/data.json': '{ "from": "json" }',
      'lib/types.ts': `import type { Tool } from './nowhere.js'\nexport interface Input { readonly n: number }\nexport enum Color { Red = 'red' }\nexport default class { value: Tool | string = 'class' }`,
      'a.ts': `import common from 'common'
import modern, { extra } from 'modern'
import { basename } from 'node:path'
import data from './lib/data.json' with { type: 'json' }
import Value, { Color, type Input } from './lib/types'
export const meta = { name: 'a' }
export default async ({ n }: Input) => {
  const late = await import('./lib/types.ts')
  return [n, common.kind, modern, extra, data.from, new Value().value, Color.Red, late.Color.Red, basename(import.meta.filename), import.meta.url.startsWith('file:///')]
}`,
      'b.ts': `export const name: string = await Promise.resolve('b')\nexport const run = () => 1`,
      'c.ts': 'export const = 1',
      'd.ts': `import './not-there.js'\nexport const name = 'd'; export const run = () => 1`,
    })
    const { runtime, ok } = open()
    const { errors } = await loadCustomTools(runtime, { trusted })
    expect(await ok('a', { n: 4 })).toEqual([4, 'common', 'modern', 1, 'json', 'class', 'red', 'red', 'a.ts', true])
    expect(errors).toEqual([
      expect.stringContaining(
        `failed loading ${T}/b.ts: Cannot load ${T}/b.ts: TypeScript has no top-level await here. Await in run(), or write`,
      ),
      expect.stringMatching(/^failed loading .*c\.ts: Cannot read \/workspace\/.*c\.ts as TypeScript: ./),
      expect.stringMatching(/^failed loading .*d\.ts: Cannot find module '.\/not-there.js'/),
      `skipped ${T}/lib/types.ts: no valid tool export found`,
    ])
  })
})

describe('createNodeToolLoader', () => {
  it('rejects storages other than a host directory', async () => {
    const memory = open({ trusted }, { fs: createMemoryFs() })
    await expect(loadCustomTools(memory.runtime, { trusted })).rejects.toMatchObject({
      name: 'UnsupportedError',
      message:
        'Cannot load tools into this process: the storage "memory" is no directory of this machine. Leave out "trusted" to load them in a sandbox',
    })
    expect((await memory.fail('create_persistent_tool', ADD)).output).toMatchObject({ status: 'unsupported' })
    expect(() => createLoaf({ fs: createMemoryFs(), trustedTools: trusted })).toThrow('no directory of this machine')
  })

  it('loads nothing in a read-only workspace', async () => {
    const { runtime, fail } = await loaded({ 'a.mjs': `export const name = 'a'; export const run = () => 1` })
    const readOnly = open({ trusted }, { policy: { readOnly: true } })
    expect((await loadCustomTools(readOnly.runtime, { trusted })).errors).toEqual([
      `failed loading ${T}/a.mjs: Cannot run the tool: the workspace is read-only, and code in this process can write anywhere`,
    ])
    readOnly.runtime.registry.register(runtime.registry.get('a') as never)
    expect((await readOnly.fail('a')).output).toMatchObject({ status: 'denied', code: 'read_only' })
    expect((await fail('nope')).output).toMatchObject({ status: 'not_found' })
  })

  it('rejects links out of the workspace, and directories', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-outside-')))
    try {
      writeFileSync(join(outside, 'x.mjs'), 'globalThis.toolportEscaped = true')
      put({ 'real.mjs': 'export const inside = true' })
      symlinkSync(join(outside, 'x.mjs'), join(root, 'file.mjs'))
      symlinkSync(outside, join(root, 'folder'))
      symlinkSync('.toolport/tools/real.mjs', join(root, 'inner.mjs'))
      const { runtime } = open()
      const loader = trusted(runtime.workspace)
      for (const path of ['file.mjs', 'folder/x.mjs']) await expect(loader.load(path)).rejects.toMatchObject({ code: 'symlink_escape' })
      await expect(loader.load('../x.mjs')).rejects.toMatchObject({ code: 'path_outside_workspace' })
      await expect(loader.load('.toolport')).rejects.toMatchObject({ code: 'EISDIR' })
      await expect(loader.load('nowhere.mjs')).rejects.toMatchObject({ code: 'ENOENT' })
      expect(await loader.load('inner.mjs')).toMatchObject({ inside: true })
      const report = await loadCustomTools(runtime, { trusted, directories: ['.'] })
      expect(report).toMatchObject({ loaded: [], errors: [`skipped ${T}/real.mjs: no valid tool export found`] })
      expect(globalThis).not.toHaveProperty('toolportEscaped')
    } finally {
      rmSync(outside, { recursive: true, force: true })
    }
  })

  it('loads from a workspace root that is a link', async () => {
    put({ 'a.mjs': `export const name = 'a'; export const run = () => 1` })
    const link = `${root}-link`
    symlinkSync(root, link)
    try {
      const { runtime } = open({}, { fs: createNodeFs({ root: link }) })
      expect(await loadCustomTools(runtime, { trusted })).toMatchObject({ loaded: [{ name: 'a' }], errors: [] })
    } finally {
      rmSync(link)
    }
  })

  it('applies the path rules of the workspace', async () => {
    put({ 'a.mjs': `export const name = 'a'; export const run = () => 1` })
    const { runtime } = open({}, { policy: { paths: [{ paths: '.toolport/**', action: 'deny' }] } })
    await expect(trusted(runtime.workspace).load('.toolport/tools/a.mjs')).rejects.toMatchObject({ name: 'FsError' })
  })

  it('cannot be combined with grants, and must be a function', async () => {
    const { runtime } = open()
    await expect(loadCustomTools(runtime, { trusted, grants: { fs: 'read' } })).rejects.toThrow(
      new TypeError('Cannot run custom tools: grants do not apply to trusted tools. Pass grants or trusted, not both'),
    )
    await expect(loadCustomTools(runtime, { trusted: {} as never })).rejects.toThrow(TypeError)
  })
})

describe('create_persistent_tool with trusted tools', () => {
  it('creates a tool that works at once and survives a restart', async () => {
    const first = open({ trusted })
    expect(await first.ok('create_persistent_tool', { ...ADD, handler_code: `${ADD.handler_code} // ${'`'}` })).toMatchObject({
      status: 'ok',
      path: `${T}/add.mjs`,
    })
    expect(await first.ok('add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(first.runtime.getModelManifest().find(({ name }) => name === 'create_persistent_tool')?.description).not.toContain('sandbox')
    const again = { ...ADD, handler_code: 'return process.pid', filename: 'other.cjs', overwrite: true }
    expect(await first.ok('create_persistent_tool', again)).toMatchObject({ overwritten: true })
    expect(await first.ok('add', {})).toBe(process.pid)
    const second = open({ trusted })
    expect(await loadCustomTools(second.runtime, { trusted })).toMatchObject({
      loaded: [{ name: 'add', sourcePath: `${T}/other.cjs` }],
      errors: [],
    })
    expect(await second.ok('add', {})).toBe(process.pid)
  })

  it('discards a tool that does not load', async () => {
    const { fail, run, runtime } = open({ trusted })
    expect((await fail('create_persistent_tool', { ...ADD, handler_code: 'return (' })).error).toMatch(
      /^the tool does not load, so nothing was saved: ./,
    )
    expect(
      (await fail('create_persistent_tool', { ...ADD, handler_code: '} export const name2 = 1; throw new Error("at once"); {' })).error,
    ).toMatch(/at once/)
    expect(existsSync(join(root, '.toolport'))).toBe(false)
    expect(runtime.registry.has('add')).toBe(false)
    expect((await run('add')).output).toMatchObject({ status: 'not_found' })
    expect(readdirSync(root)).toEqual([])
  })

  it('works with the loaf preset', async () => {
    const loaf = createLoaf({ fs: createNodeFs({ root }), root: '/workspace', trustedTools: trusted })
    const runtime = new loaf.ToolRuntime(loaf.defaultToolRegistry)
    expect(await runtime.execute({ name: 'create_persistent_tool', input: { ...ADD, handler_code: 'return process.pid' } })).toMatchObject({
      ok: true,
    })
    expect(await runtime.execute({ name: 'add', input: {} })).toEqual({ ok: true, output: process.pid })
    expect(await loaf.loadCustomTools()).toMatchObject({ loaded: [{ name: 'add' }], errors: [] })
    expect(await runtime.execute({ name: 'add', input: {} })).toEqual({ ok: true, output: process.pid })
    await loaf.dispose()
  })
})
