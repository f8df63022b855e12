// @module-tag bundle
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { createWorkspace, type JsAdapter, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createJsWorker } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { type BuildResult, createBundler } from 'toolport/bundle'
import { beforeAll, describe, expect, test } from 'vitest'
import { SvelteCompiler } from '../../src/entries/bundle/svelte-compiler.js'
import { buildOnce, COUNTER, countedSandbox, PAGE, svelteProject, textOf } from './svelte-cases.js'

const MAIN = 'assets/src/main.js'

/** A workspace with a compiler of the test's own. */
const withCompiler = (compiler: string, { version = '5.0.0', app = '<p>a</p>' } = {}): Workspace =>
  createWorkspace({
    fs: createMemoryFs({
      files: {
        'index.html': PAGE,
        'src/main.ts': 'import "./App.svelte"',
        'src/App.svelte': app,
        'node_modules/svelte/package.json': JSON.stringify({ name: 'svelte', version }),
        'node_modules/svelte/compiler/index.js': compiler,
      },
    }),
  })

/** The source position of the first occurrence of `text` in the app's script. */
function sourceOf(result: BuildResult, text: string): unknown {
  const lines = textOf(result, MAIN).split('\n')
  const line = lines.findIndex((one) => one.includes(text))
  const map = new TraceMap(textOf(result, `${MAIN}.map`))
  const { source, line: from, column } = originalPositionFor(map, { line: line + 1, column: lines[line]?.indexOf(text) ?? 0 })
  return { source, line: from, column }
}

describe('Svelte', () => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await svelteProject(COUNTER)
  })

  test('compiles components, modules with runes and types; the page links the styles', async () => {
    const result = await buildOnce(workspace, { js: createQuickJs() })
    expect(result.errors).toEqual([])
    expect(result.warnings).toEqual([])
    expect(textOf(result, 'index.html')).toContain('<link rel="stylesheet" href="./assets/src/main.css">')
    expect(textOf(result, 'assets/src/main.css')).toMatch(/button\.svelte-\w+ \{\s+color: rgb\(200, 0, 0\)/)
    expect(result.inputs).toContain('/workspace/src/Label.svelte')
    expect(sourceOf(result, 'total.value += by')).toEqual({ source: '/workspace/src/App.svelte', line: 5, column: 38 })
    expect(sourceOf(result, 'value(next')).toMatchObject({ source: '/workspace/src/total.svelte.ts', line: 11 })
    const styles = JSON.parse(textOf(result, 'assets/src/main.css.map')) as { sources: string[] }
    expect(styles.sources).toEqual(['/workspace/src/Label.svelte', '/workspace/src/App.svelte'])
  })

  test('compiles only changed files', async () => {
    const own = await svelteProject({ ...COUNTER, 'src/main.ts': `${COUNTER['src/main.ts']}console.log(1)\n` })
    const { js, runs } = countedSandbox()
    const bundler = createBundler({ workspace: own, js })
    const first = await bundler.build()
    expect(runs.flat().sort()).toEqual(['App.svelte', 'Label.svelte', 'total.svelte.ts'].map((name) => `/workspace/src/${name}`))
    runs.length = 0

    await own.writeText('src/main.ts', COUNTER['src/main.ts'] ?? '')
    expect((await bundler.build()).ok).toBe(true)
    expect(runs).toEqual([])

    await own.writeText('src/App.svelte', (COUNTER['src/App.svelte'] ?? '').replace('200', '100'))
    const styled = await bundler.build()
    expect(runs).toEqual([['/workspace/src/App.svelte']])
    expect(textOf(styled, 'assets/src/main.css')).toContain('rgb(100, 0, 0)')
    // A preview replaces the stylesheet without a reload, because the script is the same.
    expect(textOf(styled, MAIN)).toBe(textOf(first, MAIN).replace('console.log(1);\n', ''))
    await bundler.dispose()
  })

  test('production omits what only development needs, and works without source maps', async () => {
    const result = await buildOnce(workspace, { js: createQuickJs(), mode: 'production', sourcemap: false, entryPoints: ['src/main.ts'] })
    const [script] = result.outputs.filter(({ path }) => path.endsWith('.js'))
    expect(result.outputs.map(({ path }) => path.replace(/-\w+\./, '.')).sort()).toEqual(['assets/src/main.css', 'assets/src/main.js'])
    expect(new TextDecoder().decode(script?.bytes)).not.toContain('App.svelte')
  })

  test('reports errors of the compiler with their places', async () => {
    const errorsOf = async (files: Readonly<Record<string, string>>): Promise<BuildResult['errors']> => {
      const own = workspace.cwd
      for (const [path, text] of Object.entries(files)) await workspace.writeText(`${own}/${path}`, text)
      try {
        return (await buildOnce(workspace, { js: createQuickJs() })).errors
      } finally {
        for (const path of Object.keys(files)) await workspace.writeText(`${own}/${path}`, COUNTER[path] ?? '')
      }
    }
    const [syntax] = await errorsOf({ 'src/Label.svelte': '<p>Über {#if</p>\n' })
    expect(syntax).toMatchObject({ file: '/workspace/src/Label.svelte', line: 1, code: '<p>Über {#if</p>' })
    expect(syntax?.text).toMatch(/^Cannot compile "\/workspace\/src\/Label.svelte": /)
    expect(syntax?.column).toBeGreaterThan(9)

    const rune = '\ninterface A { a: 1 }\nexport function f(): void {\n  const ä = 1; if (ä) { $state(0) }\n}\n'
    expect(await errorsOf({ 'src/total.svelte.ts': rune })).toMatchObject([
      { file: '/workspace/src/total.svelte.ts', line: 4, text: expect.stringContaining('$state') },
    ])
    expect(await errorsOf({ 'src/total.svelte.ts': 'const a: = 1\n' })).toMatchObject([
      { file: '/workspace/src/total.svelte.ts', line: 1, column: 10 },
    ])
    const sass = '<!-- <style lang="less"> -->\n<p>a</p>\n<style lang="scss">$c: red; p { color: $c }</style>'
    const [language, ...more] = await errorsOf({ 'src/Label.svelte': sass })
    expect(language).toEqual({
      text: 'Cannot compile "/workspace/src/Label.svelte": the bundler has no preprocessor for <style lang="scss">. Write plain CSS, in which rules can be nested',
      file: '/workspace/src/Label.svelte',
      line: 3,
      column: 1,
      code: '<style lang="scss">$c: red; p { color: $c }</style>',
    })
    expect(more).toMatchObject([{ file: '/workspace/src/Label.svelte', line: 3 }])
    expect(await errorsOf({ 'src/Label.svelte': '<script lang="ts">enum A { B }</script><style lang=css>p{}</style>' })).toMatchObject([
      { file: '/workspace/src/Label.svelte', line: 1, text: expect.stringContaining('enum') },
    ])
  })

  test('reports errors of the build with their places in the source', async () => {
    const own = await svelteProject({ ...COUNTER })
    const file = '/workspace/src/App.svelte'
    const errorsOf = async (text: string): Promise<BuildResult['errors']> => {
      await own.writeText('src/App.svelte', text)
      return (await buildOnce(own, { js: createQuickJs() })).errors
    }
    const script = (line: string): string => `<p>Größe</p>\n\n<script>\n${line}\n</script>\n`
    const unresolved = '  /* ä */ import Lable from "./Lable.svelte"'
    expect(await errorsOf(`${script(unresolved)}<Lable />`)).toMatchObject([
      { text: expect.stringContaining('Cannot resolve "./Lable.svelte"'), file, line: 4, column: 29, code: unresolved },
    ])
    const missing = '  import { total, nope } from "./total.svelte.js"'
    expect(await errorsOf(`${script(missing)}{total.value}{nope}`)).toMatchObject([
      { text: expect.stringMatching(/No matching export in .* for import "nope"/), file, line: 4, column: 19, code: missing },
    ])
    const style = '  p { background: url(./missing.png) }'
    expect(await errorsOf(`<p>a</p>\n<style>\n${style}\n</style>`)).toMatchObject([
      { text: expect.stringContaining('Cannot resolve "./missing.png"'), file, line: 3, column: expect.any(Number), code: style },
    ])
    await own.writeText('src/other.vue', '')
    const unknown = '  import Other from "./other.vue"'
    expect(await errorsOf(`${script(unknown)}<Other />`)).toMatchObject([
      { text: expect.stringContaining('does not compile .vue files'), file, line: 4, column: 21, code: unknown },
    ])
  })

  test('loads modules without runes as ordinary modules, and needs no sandbox for them', async () => {
    const files = {
      'index.html': PAGE,
      'src/main.ts': 'import { icon } from "./icon.svelte.js"\nimport { name } from "./name.svelte"\nconsole.log(icon, name)\n',
      'src/icon.svelte.js': 'export const icon = "plain"\n',
      'src/name.svelte.ts': 'export const name: string = "plain"\n',
    }
    const own = createWorkspace({ fs: createMemoryFs({ files }) })
    const result = await buildOnce(own, {})
    expect(result.errors).toEqual([])
    expect(textOf(result, MAIN)).toContain('name = "plain"')
  })

  test('compiles a style of an unknown language as CSS, with a warning', async () => {
    const own = await svelteProject({ ...COUNTER, 'src/main.ts': 'import "./App.svelte"' })
    await own.writeText('src/App.svelte', '<p>a</p>\n<style lang="postcss">p { color: red }</style>')
    expect(await buildOnce(own, { js: createQuickJs() })).toMatchObject({
      ok: true,
      warnings: [{ text: expect.stringContaining('no preprocessor for <style lang="postcss">'), line: 2, column: 1 }],
    })
  })

  test('uses the Svelte of the app in packages that have their own', async () => {
    const own = await svelteProject({ ...COUNTER, 'src/main.ts': 'import { tick } from "lib"\nconsole.log(tick)\n' })
    await own.writeText('node_modules/lib/package.json', '{ "name": "lib", "module": "index.js" }')
    await own.writeText('node_modules/lib/index.js', 'export { tick } from "svelte"')
    await own.writeText('node_modules/lib/node_modules/svelte/package.json', '{ "name": "svelte", "module": "index.js" }')
    await own.writeText('node_modules/lib/node_modules/svelte/index.js', 'export const tick = "other"')
    const { inputs } = await buildOnce(own, { js: createQuickJs() })
    expect(inputs.filter((path) => path.includes('/lib/node_modules/'))).toEqual([])
  })

  test('reports warnings of the compiler, but not those of packages', async () => {
    const own = await svelteProject({
      ...COUNTER,
      'src/main.ts': 'import "./App.svelte"\nimport "lib"\n',
      'src/App.svelte': `<p>a</p>\n<img src="a.png">${'<br>'.repeat(100)}\n`,
    })
    await own.writeText('node_modules/lib/package.json', '{ "name": "lib", "exports": { ".": { "svelte": "./Lib.svelte" } } }')
    await own.writeText('node_modules/lib/Lib.svelte', '<img src="a.png">\n')
    const { ok, warnings } = await buildOnce(own, { js: createQuickJs() })
    expect({ ok, warnings }).toMatchObject({ ok: true, warnings: [{ file: '/workspace/src/App.svelte', line: 2, column: 1 }] })
    expect(warnings[0]?.text).toContain('alt')
  })

  test('says what is missing, and builds once it is there', async () => {
    const files = { 'index.html': PAGE, 'src/main.ts': '\nimport "./App.svelte"\n', 'src/App.svelte': '<p>a</p>' }
    const bare = createWorkspace({ fs: createMemoryFs({ files }) })
    const at = { file: '/workspace/src/main.ts', line: 2, column: 8 }
    expect((await buildOnce(bare, {})).errors).toMatchObject([
      {
        ...at,
        text: 'Cannot compile "/workspace/src/App.svelte": the bundler has no JavaScript sandbox to run the Svelte compiler. Ask the developer of this program to add one, or write the app without Svelte.',
      },
    ])
    const bundler = createBundler({ workspace: bare, js: createQuickJs() })
    expect((await bundler.build()).errors).toMatchObject([
      { ...at, text: 'Cannot compile "/workspace/src/App.svelte": "svelte" is not installed in the workspace. Install it.' },
    ])
    const compiler =
      'exports.compile = (code) => ({ js: { code: "console.log(1)", map: { mappings: "AAAA", names: [], sources: ["/etc/passwd"] } }, css: null, warnings: [] })'
    await bare.writeText('node_modules/svelte/compiler/index.js', compiler)
    await bare.writeText('node_modules/svelte/package.json', '{ "name": "svelte", "version": "4.2.20" }')
    expect((await bundler.build()).errors).toMatchObject([
      {
        ...at,
        text: 'Cannot compile "/workspace/src/App.svelte": the bundler needs "svelte" 5, and 4.2.20 is installed. Install "svelte@5".',
      },
    ])
    await bare.writeText('node_modules/svelte/package.json', '{ "name": "svelte", "version": "5.0.0" }')
    const built = await bundler.build()
    expect(built.errors).toEqual([])
    expect(textOf(built, `${MAIN}.map`)).not.toContain('passwd')
    await bare.writeText('node_modules/svelte/compiler/index.js', compiler.replace('console.log(1)', 'console.log(2)'))
    expect(textOf(await bundler.build(), MAIN)).toContain('console.log(2)')
    await bundler.dispose()
  })

  describe('an untrusted compiler', () => {
    const failureOf = async (compiler: string): Promise<string | undefined> => {
      const { ok, errors } = await buildOnce(withCompiler(compiler), { js: createQuickJs(), limits: { compileMs: 2000 } })
      expect(ok).toBe(false)
      expect(errors).toMatchObject([{ file: '/workspace/src/main.ts', line: 1 }])
      return errors[0]?.text.replace('Cannot compile "/workspace/src/App.svelte": ', '')
    }

    test('that loops ends as a build error', async () => {
      expect(await failureOf('exports.compile = () => { for (;;); }')).toBe(
        `the Svelte compiler has not finished after 2000 ms. Import fewer components, or ask the developer of this program to raise the bundler's time limit.`,
      )
    })

    test('that fails to load, returns nonsense or needs too much memory ends as a build error', async () => {
      expect(await failureOf('throw new Error("no luck")')).toBe(
        'the Svelte compiler failed: Error: no luck. Install another version of "svelte".',
      )
      expect(await failureOf('process.exit(3)')).toBe('the Svelte compiler failed. Install another version of "svelte".')
      for (const nonsense of ['{}', 'null', '{ js: { code: 1 } }', '{ js: { code: "" }, css: { code: 1 }, warnings: [] }', '1'])
        expect(await failureOf(`exports.compile = () => (${nonsense})`), nonsense).toBeDefined()
      expect(await failureOf('exports.compile = () => { const a = []; for (;;) a.push(new Array(1e6).fill(a.length)) }')).toMatch(/memory/)
      expect(
        await failureOf('exports.compile = () => { process.nextTick(() => { module.parent })\nreturn new Promise(() => {}) }'),
      ).toBeDefined()
    })

    test('that throws a value which is no error has a message', async () => {
      expect(await failureOf('exports.compile = () => { throw { start: { line: -1, column: "x" } } }')).toBe('[object Object]')
      expect(await failureOf('exports.compile = () => { throw { message: "" } }')).toBe('the Svelte compiler gives no reason')
    })

    const COMPILE = '(code) => ({ js: { code: "console.log(1)" }, warnings: [] })'
    const withComponents = async (compiler: string, components: Readonly<Record<string, string>>): Promise<Workspace> => {
      const own = withCompiler(compiler)
      const imports = Object.keys(components).map((name) => `import "./${name}"\n`)
      await own.writeText('src/main.ts', imports.join(''))
      for (const [name, text] of Object.entries(components)) await own.writeText(`src/${name}`, text)
      return own
    }

    test('gets components that take linear time to search', async () => {
      for (const part of ['<!--', '<script>', '<style ', '<style lang']) {
        const own = withCompiler(`exports.compile = ${COMPILE}`, { app: part.repeat(100_000) })
        expect((await buildOnce(own, { js: createQuickJs() })).ok).toBe(true)
      }
    })

    test('cannot fill the memory of the host, or break the build, with its source maps', async () => {
      for (const mappings of ['";".repeat(2e6)', '"AADA"', '"AAAD"', '"!!"', '"AADAA,,,A;;;A"']) {
        const compiler = `exports.compileModule = () => ({ js: { code: "import './none'\\nconsole.log(1)", map: { mappings: ${mappings}, names: [] } }, warnings: [] })`
        const own = await withComponents(compiler, { 'a.svelte.ts': 'export const a: number = $state(1)' })
        const bundler = createBundler({ workspace: own, js: createQuickJs() })
        const failed = await bundler.build()
        const text = expect.stringContaining('Cannot resolve "./none"')
        expect(failed.errors).toMatchObject([{ text, file: '/workspace/src/a.svelte.ts' }])
        expect(await bundler.build()).toBe(failed)
        await own.writeText('src/none.js', '')
        expect((await bundler.build()).ok).toBe(true)
        await bundler.dispose()
      }
    })

    test('gets long components one by one', async () => {
      const { js, runs } = countedSandbox()
      const long = ' '.repeat(300 * 1024)
      const own = await withComponents(`exports.compile = ${COMPILE}`, { 'A.svelte': long, 'B.svelte': long, 'C.svelte': long })
      expect((await buildOnce(own, { js })).ok).toBe(true)
      expect(runs.map((files) => files.length)).toEqual([1, 1, 1])
    })

    test('gets components one by one if they need too much memory together', async () => {
      const greedy = (bytes: string): string =>
        `const all = []\nexports.compile = () => { all.push(new Uint8Array(${bytes})); return (${COMPILE})() }`
      const components = Object.fromEntries(['A', 'B', 'C', 'D', 'E'].map((name) => [`${name}.svelte`, '<p>a</p>']))
      const { js, runs } = countedSandbox()
      const result = await buildOnce(await withComponents(greedy('24 * 2 ** 20'), components), { js })
      expect(result.errors).toEqual([])
      expect(runs.at(-1)).toHaveLength(1)
      const { errors } = await buildOnce(await withComponents(greedy('2 ** 30'), components), { js: createQuickJs() })
      expect(errors).toMatchObject([
        { text: expect.stringContaining('needs more memory than the sandbox has. Make the component smaller') },
      ])
    })

    test('that fails is reported once per build', async () => {
      const components = Object.fromEntries(['A', 'B', 'C'].map((name) => [`${name}.svelte`, '<p>a</p>']))
      const { ok, errors } = await buildOnce(await withComponents('throw new Error("no luck")', components), { js: createQuickJs() })
      expect(ok).toBe(false)
      expect(errors).toHaveLength(1)
    })

    test('runs again after a failure of the sandbox and a single timeout, without a change of a file', async () => {
      let next: 'fails' | 'is slow' | undefined = 'fails'
      const js = (own: Workspace): JsAdapter => {
        const adapter = createQuickJs()(own)
        return {
          ...adapter,
          can: adapter.can,
          run(given) {
            const now = next
            next = undefined
            if (now === 'fails') return Promise.reject(new Error('not loaded.'))
            return adapter.run(now === 'is slow' ? { ...given, timeoutMs: 0 } : given)
          },
        }
      }
      const own = withCompiler(`exports.compile = ${COMPILE}`)
      const bundler = createBundler({ workspace: own, js })
      expect((await bundler.build()).errors).toMatchObject([{ text: 'Cannot compile "/workspace/src/App.svelte": not loaded.' }])
      expect((await bundler.build()).ok).toBe(true)
      next = 'is slow'
      await own.writeText('src/App.svelte', '<p>b</p>')
      expect((await bundler.build()).errors).toMatchObject([{ text: expect.stringContaining('has not finished') }])
      const built = await bundler.build()
      expect(built.ok).toBe(true)
      expect(await bundler.build()).toBe(built)
      await bundler.dispose()
    })

    test('that always loops runs only twice, until a file changes', async () => {
      const own = withCompiler('exports.compile = () => { for (;;); }')
      const bundler = createBundler({ workspace: own, js: createQuickJs(), limits: { compileMs: 300 } })
      const first = await bundler.build()
      const second = await bundler.build()
      expect(second).not.toBe(first)
      expect(await bundler.build()).toBe(second)
      await bundler.dispose()
    })

    test('compiles a file again if the build that compiled it was stopped', async () => {
      const own = withCompiler(`exports.compile = ${COMPILE}`)
      const compiler = new SvelteCompiler({ workspace: own, js: createQuickJs()(own), root: '/workspace', dev: true, timeoutMs: 10_000 })
      const source = { path: '/workspace/src/App.svelte', code: '<p>a</p>' }
      const stopped = compiler.compile(source, '5').catch((error: Error) => error.message)
      compiler.stop()
      compiler.begin()
      expect(await compiler.compile(source, '5')).toMatchObject({ js: { code: 'console.log(1)' } })
      expect(await stopped).toBe('the build was stopped. Build again')
      expect(compiler.mayRecover).toBe(false)
    })

    test('gets no files, network, servers or tools, even if the adapter grants them', async () => {
      const probe =
        'exports.compile = () => { let files; try { files = require("node:fs").readdirSync("/workspace").length } catch (error) { files = error.code }\nconst seen = [typeof fetch, typeof invokeTool, files]\nreturn { js: { code: "console.log(" + JSON.stringify(seen.join()) + ")" }, warnings: [] } }'
      const fetch = { fetch: async () => new Response('') } as never
      const js = createQuickJs({ grants: { fs: 'write', fetch, invokeTool: async () => 1 } })
      expect(textOf(await buildOnce(withCompiler(probe), { js }), MAIN)).toMatch(/console\.log\("undefined,undefined,(?:0|E\w+)"\)/)
    })

    test('cannot name files of the machine in its source maps', async () => {
      const comment = 'sourceMappingURL=file:///etc/passwd'
      const code = `exports.compile = () => ({ js: { code: "console.log(1)\\n//# ${comment}", map: { mappings: ";;!!", names: [1] } }, css: { code: "a{}/*# ${comment} */" }, warnings: [] })`
      const result = await buildOnce(withCompiler(code), { js: createQuickJs() })
      expect(result.errors).toEqual([])
      for (const { bytes } of result.outputs) expect(new TextDecoder().decode(bytes)).not.toMatch(/root:|sourceMappingURL=file/)
    })

    test('stops with the build', async () => {
      // Without a worker, a loop blocks this thread until its timeout.
      const js = createQuickJs({ worker: createJsWorker })
      const bundler = createBundler({ workspace: withCompiler('for (;;);'), js })
      const stopping = new AbortController()
      const building = bundler.build({ signal: stopping.signal })
      setTimeout(() => stopping.abort(new Error('enough')), 500)
      await expect(building).rejects.toThrow('enough')
      const again = bundler.build().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await bundler.dispose()
      await again
    })
  })

  test('rejects an adapter that is no sandbox', () => {
    const js = { name: 'node', can: { isolated: false }, run: async () => ({}) } as never
    expect(() => createBundler({ workspace, js })).toThrow('Pass an isolated adapter as "js", such as createQuickJs()')
    expect(() => createBundler({ workspace, js: {} as never })).toThrow('createBundler needs for the option "js" a JsAdapter')
    let isClosed = false
    const close = async (): Promise<void> => {
      isClosed = true
    }
    expect(() => createBundler({ workspace, js: () => ({ ...(js as object), close }) as never })).toThrow('is no sandbox')
    expect(isClosed).toBe(true)
    for (const compileMs of [Number.NaN, -1, '1' as never])
      expect(() => createBundler({ workspace, limits: { compileMs } })).toThrow('createBundler: the limit "compileMs" must be a number')
  })
})
