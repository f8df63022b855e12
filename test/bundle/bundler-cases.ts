import { createRuntime, createWorkspace, toModelText, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type BuildResult, type BundlerOptions, createBundler } from 'toolport/bundle'
import { standard } from 'toolport/presets/standard'
import { afterAll, describe, expect, test } from 'vitest'

type Files = Record<string, string | Uint8Array>

export const workspaceOf = (files: Files): Workspace => createWorkspace({ fs: createMemoryFs({ files }) })

const textOf = (result: BuildResult, path: string): string => {
  const output = result.outputs.find((one) => one.path === path)
  if (!output) throw new Error(`No output "${path}": ${result.outputs.map((one) => one.path).join(', ')} ${JSON.stringify(result.errors)}`)
  return new TextDecoder().decode(output.bytes)
}
const pathsOf = (result: BuildResult): string[] => result.outputs.map(({ path }) => path).sort()

const APP: Files = {
  'index.html':
    '<!doctype html>\n<title>App</title>\n<!-- <script type="module" src="/old.ts"></script> -->\n<div id="app"></div>\n<script type="module" src="/src/main.tsx"></script>\n',
  'tsconfig.json':
    '{\n  // Comments and trailing commas are usual here.\n  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], }, "jsxImportSource": "tiny" },\n}\n',
  'package.json': '{ "name": "app" }',
  'src/main.tsx':
    'import { render } from "tiny"\nimport { greet } from "@/greet"\nimport data from "./data.json"\nimport styles from "./card.module.css"\nimport logo from "./logo.svg"\nimport raw from "./note.txt?raw"\nimport "./main.css"\nrender(<p className={styles.card} title={raw}>{greet(data.name)} {process.env.NODE_ENV} {import.meta.env.MODE} {logo}</p>)\n',
  'src/greet.ts': 'export const greet = (name: string): string => `hello ` + name\n',
  'src/data.json': '{ "name": "world" }',
  'src/card.module.css': '.card { color: red }',
  'src/main.css': '@import "./base.css";\nbody { background: url(./logo.svg) }',
  'src/base.css': 'html { margin: 0 }',
  'src/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'src/note.txt': 'a note',
  'node_modules/tiny/package.json':
    '{ "name": "tiny", "version": "1.0.0", "exports": { ".": { "node": "./node.js", "browser": { "development": "./dev.mjs", "default": "./prod.mjs" } }, "./jsx-runtime": "./jsx.js", "./jsx-dev-runtime": "./jsx.js" } }',
  'node_modules/tiny/node.js': 'throw new Error("the build for Node")',
  'node_modules/tiny/dev.mjs': 'export const render = (node) => { globalThis.rendered = node; document.title = "dev" }',
  'node_modules/tiny/prod.mjs': 'export const render = (node) => { globalThis.rendered = node; document.title = "prod" }',
  'node_modules/tiny/jsx.js':
    'export const jsx = (type, props) => ({ type, props }); export const jsxs = jsx; export const jsxDEV = jsx; export const Fragment = "f"',
}

/** Runs the build's packages and then a module, and returns the module's export `seen`. */
async function runOf(result: BuildResult, path: string): Promise<unknown> {
  const packages = result.outputs.find((one) => one.path === 'assets/chunks/packages.js')
  if (packages) new Function(new TextDecoder().decode(packages.bytes))()
  const urlOf = (path: string): string => {
    const code = textOf(result, path).replace(/"(\.{1,2}\/[^"\n]+\.js)"/g, (_, to) =>
      JSON.stringify(urlOf(new URL(to, `http://localhost/${path}`).pathname.slice(1))),
    )
    return `data:text/javascript,${encodeURIComponent(code)}`
  }
  return ((await import(/* @vite-ignore */ urlOf(path))) as { seen: unknown }).seen
}

/** Cases for every runtime in which esbuild runs. */
export function bundlerCases(esbuild: BundlerOptions['esbuild']): void {
  const made: { dispose(): Promise<void> }[] = []
  const bundlerOf = (workspace: Workspace, options: Partial<BundlerOptions> = {}): ReturnType<typeof createBundler> => {
    const bundler = createBundler({ workspace, ...(esbuild && { esbuild }), ...options })
    made.push(bundler)
    return bundler
  }
  afterAll(() => Promise.all(made.map((one) => one.dispose())))

  describe('createBundler', () => {
    test('builds the scripts of index.html: TypeScript, JSX, CSS, CSS modules, JSON, assets, paths, packages', async () => {
      const result = await bundlerOf(workspaceOf(APP)).build()
      expect(result.errors).toEqual([])
      const html = textOf(result, 'index.html')
      expect(html).toContain(
        '<link rel="stylesheet" href="./assets/src/main.css"><script type="module" src="./assets/src/main.js"></script>',
      )
      expect(html).toContain('<!-- <script type="module" src="/old.ts"></script> -->')
      const code = textOf(result, 'assets/src/main.js')
      expect(code).toContain('`hello `')
      expect(code).toContain('"dev"')
      expect(code).toContain('name: "world"')
      expect(code).toContain('"a note"')
      expect(code).toMatch(/card: "card_card"|card_module_default/)
      expect(code).toContain('import.meta.url')
      expect(code).not.toContain('process.env')
      const css = textOf(result, 'assets/src/main.css')
      expect(css).toContain('margin: 0')
      expect(css).toMatch(/url\("?\.\.\/logo-[A-Z0-9]+\.svg"?\)/)
      const map = JSON.parse(textOf(result, 'assets/src/main.js.map')) as { sources: string[] }
      expect(map.sources).toContain('/workspace/src/greet.ts')
      expect(result.inputs).toContain('/workspace/src/base.css')
      expect(pathsOf(result).filter((path) => path.endsWith('.svg'))).toHaveLength(1)
    })

    test('production builds are minified, with hashed names and the condition "default"', async () => {
      const result = await bundlerOf(workspaceOf(APP), { mode: 'production', sourcemap: false }).build()
      expect(result.errors).toEqual([])
      const script = pathsOf(result).find((path) => path.endsWith('.js')) ?? ''
      expect(script).toMatch(/^assets\/src\/main-[A-Z0-9]{8}\.js$/)
      expect(textOf(result, script)).toContain('"prod"')
      expect(textOf(result, 'index.html')).toContain(script)
    })

    test('returns the same result until an input changes', async () => {
      const workspace = workspaceOf(APP)
      const bundler = bundlerOf(workspace)
      const first = await bundler.build()
      expect(await bundler.build()).toBe(first)
      await workspace.writeText('src/greet.ts', 'export const greet = (name: string) => `bye ` + name')
      const [second, third] = await Promise.all([bundler.build(), bundler.build()])
      expect(textOf(second, 'assets/src/main.js')).toContain('`bye `')
      expect(third).toBe(second)
    })

    test('reports an error with file, line, column and code, and builds again after the fix', async () => {
      const workspace = workspaceOf({ ...APP, 'src/greet.ts': 'export const greet = (name) => {\n  const é = 1; return name +\n}\n' })
      const bundler = bundlerOf(workspace)
      const result = await bundler.build()
      expect(result).toMatchObject({ ok: false, outputs: [], errors: [{ file: '/workspace/src/greet.ts', line: 3, column: 1, code: '}' }] })
      await workspace.writeText('src/greet.ts', 'export const greet = String')
      expect((await bundler.build()).ok).toBe(true)
    })

    test('reports a missing file or package with its importer, and builds once it exists', async () => {
      const workspace = workspaceOf({ 'index.html': '<script type="module">import "./a.ts"\nimport "left"</script>' })
      const bundler = bundlerOf(workspace)
      const { errors } = await bundler.build()
      expect(errors).toEqual([
        expect.objectContaining({
          text: 'Cannot resolve "./a.ts": nothing is there. No such file is in "/workspace".',
          file: '/workspace/index.html',
          line: 1,
        }),
        expect.objectContaining({
          text: 'Cannot resolve "left": nothing is there. Install the package, or add it to "external".',
          line: 2,
        }),
      ])
      await workspace.writeText('a.ts', 'console.log(1 as number)')
      await workspace.writeText('node_modules/left/index.js', 'module.exports = 2')
      const mended = await bundler.build()
      expect(mended.errors).toEqual([])
      expect(textOf(mended, 'assets/index-0.js')).toContain('console.log(1)')
    })

    test('lets a missing import that the program handles throw at run time', async () => {
      const workspace = workspaceOf({
        'index.html': '<script type="module" src="main.js"></script>',
        'main.js': `import { optional } from 'cjs'
export const seen = [optional]
try { seen.push(require('left')) } catch { seen.push('no left') }
try { require('node:fs') } catch { seen.push('no fs') }
try { require('/etc/hosts') } catch { seen.push('no hosts') }
try { require('cjs/hidden') } catch { seen.push('no export') }
seen.push(await import('up').catch(() => 'no up'))`,
        'node_modules/cjs/package.json': '{ "exports": { ".": "./index.js" } }',
        'node_modules/cjs/index.js': 'try { exports.optional = require("optional") } catch { exports.optional = "no optional" }',
      })
      const bundler = bundlerOf(workspace)
      const result = await bundler.build()
      expect(result.errors).toEqual([])
      const missing = ['no fs', 'no hosts', 'no export', 'no up']
      expect(await runOf(result, 'assets/main.js')).toEqual(['no optional', 'no left', ...missing])
      await workspace.writeText('node_modules/left/index.js', 'module.exports = "left"')
      expect(await runOf(await bundler.build(), 'assets/main.js')).toEqual(['no optional', 'left', ...missing])
      await workspace.writeText('main.js', 'try { require("gone") } catch {}\nrequire("gone?raw")\nimport("cjs/hidden")')
      expect((await bundler.build()).errors).toMatchObject([
        { text: 'Cannot resolve "gone": nothing is there. Install the package, or add it to "external".', line: 2 },
        { text: expect.stringContaining('hidden'), line: 3 },
      ])
    })

    test('warns about workers and import.meta.glob in the app, but not in comments and packages', async () => {
      const glob = 'export default import.meta.glob("./*.ts")'
      const worker = "new Worker(new URL('./w.ts', import.meta.url), { type: 'module' })"
      const { ok, warnings } = await bundlerOf(
        workspaceOf({
          'index.html': `<p>é</p>\n<script type="module">\nimport "./a.ts"\nimport "p"\nconst é = ${worker}</script>`,
          'a.ts': `// ${worker}\n${glob}\n`,
          'node_modules/p/index.js': glob,
        }),
      ).build()
      expect(ok).toBe(true)
      expect([...warnings].sort((one, other) => (one.text < other.text ? -1 : 1))).toEqual([
        {
          text: 'Cannot build "import.meta.glob": the bundler does not support it, and the call throws. Import the modules by their names.',
          file: '/workspace/a.ts',
          line: 2,
          column: 16,
          code: glob,
        },
        {
          text: 'Cannot build the worker "./w.ts": the bundler does not support workers. Run its code in the page.',
          file: '/workspace/index.html',
          line: 5,
          column: 11,
          code: `const é = ${worker}`,
        },
      ])
    })

    test('builds nothing and warns without a page, but fails for a missing named page', async () => {
      const workspace = workspaceOf({ 'a.txt': '', 'public/b.txt': '' })
      const bundler = bundlerOf(workspace)
      const nothing = [{ text: expect.stringContaining('"/workspace/index.html" does not exist') }]
      expect(await bundler.build()).toMatchObject({ ok: true, outputs: [], errors: [], warnings: nothing })
      expect(await bundler.build({ assets: true })).toMatchObject({ ok: false, outputs: [], errors: nothing })
      await workspace.writeText('index.html', '<p>Now</p>')
      expect((await bundler.build()).outputs.map(({ path }) => path)).toEqual(['index.html'])
      const named = bundlerOf(workspace, { entryPoints: ['gone.html'] })
      expect((await named.build()).errors).toEqual([{ text: expect.stringContaining('"/workspace/gone.html"') }])
    })

    test('applies the policy of the workspace, and names Node modules that browsers lack', async () => {
      const workspace = createWorkspace({
        fs: createMemoryFs({
          files: { 'main.js': 'import "./secret/key.js"; import "node:fs"; import "../../etc/passwd.js"', 'secret/key.js': '1' },
        }),
        policy: { paths: [{ paths: 'secret', action: 'deny', reason: 'kept by the host' }] },
      })
      const { errors } = await bundlerOf(workspace, { entryPoints: ['main.js'] }).build()
      expect(errors.map(({ text }) => text).sort()).toEqual([
        expect.stringContaining('Cannot resolve "../../etc/passwd.js"'),
        expect.stringContaining('Cannot resolve "./secret/key.js"'),
        'Cannot resolve "node:fs": nothing is there. It is a module of Node, which browsers do not have.',
      ])
    })

    test('uses the fields "browser", "module" and "main" of packages without exports', async () => {
      const result = await bundlerOf(
        workspaceOf({
          'main.js': 'import a from "a"; import b from "b"; import { c } from "c/lib/c"; console.log(a, b, c)',
          'node_modules/a/package.json':
            '{ "main": "main.js", "module": "module.js", "browser": { "./module.js": "./browser.js", "fs": false } }',
          'node_modules/a/browser.js': 'import "fs"; export default "browser of a"',
          'node_modules/a/module.js': 'export default "module of a"',
          'node_modules/b/package.json': '{ "main": "lib" }',
          'node_modules/b/lib/index.js': 'exports.default = require("./inner").name; exports.__esModule = true',
          'node_modules/b/lib/inner.js': 'exports.name = "inner of b"',
          'node_modules/c/lib/c.js': 'export const c = "file of c"',
        }),
        { entryPoints: ['main.js'] },
      ).build()
      expect(result.errors).toEqual([])
      const code = textOf(result, 'assets/main.js')
      for (const part of ['browser of a', 'inner of b', 'file of c']) expect(code).toContain(part)
      expect(code).not.toContain('module of a')
    })

    test('`assets` adds the files of "public" and those that pages reference', async () => {
      const workspace = workspaceOf({
        'index.html':
          '<link rel="icon" href="/icon.svg?v=1"><link rel=stylesheet href="main.css"><img src=\'img/a%20b.png\' srcset="img/two.png 2x, img/three.png 3x"><!-- <img src="old.png"> --><img src="https://example.com/x.png"><img src="gone.png"><a href="other.html">',
        'main.css': 'p { color: red }',
        'icon.svg': '<svg/>',
        'img/a b.png': Uint8Array.of(1),
        'img/two.png': Uint8Array.of(2),
        'img/three.png': Uint8Array.of(3),
        'old.png': '',
        'other.html': '',
        'public/robots.txt': 'a file that is larger than the others',
        'public/.well-known/x': 'x',
        'public/index.html': 'not this one',
      })
      const bundler = bundlerOf(workspace)
      const result = await bundler.build({ assets: true })
      const built = ['assets/main-style.css', 'assets/main-style.css.map', 'index.html']
      const named = ['icon.svg', 'img/a b.png', 'img/three.png', 'img/two.png']
      expect(pathsOf(result)).toEqual([...built, ...named, '.well-known/x', 'robots.txt'].sort())
      expect(textOf(result, 'index.html')).toContain('main-style.css')
      expect(pathsOf(await bundler.build())).toEqual(built)
      const small = await bundlerOf(workspace, { limits: { bytes: 40 } }).build({ assets: true })
      expect([small.ok, small.errors[0]?.text]).toEqual([false, 'The files in "public" and on the pages have more than 40 bytes'])
    })

    test('the bundle tool writes all files of a build or none, and never over sources', async () => {
      const workspace = workspaceOf({ ...APP, 'dist/kept.txt': 'kept', 'public/icon.svg': '<svg/>' })
      const runtime = createRuntime({ workspace, preset: standard(), bundler: bundlerOf(workspace) })
      const run = (input: object = {}) => runtime.execute({ name: 'bundle', input })
      const done = await run()
      expect(done.output).toMatchObject({ ok: true, folder: '/workspace/dist', errors: [], warnings: [] })
      const page = await workspace.readText('dist/index.html')
      expect(page.text).toContain('src="./assets/src/main.js"')
      expect(toModelText(done)).toMatch(/^Wrote \d+ files to "\/workspace\/dist"\n[\s\S]*\/workspace\/dist\/index\.html \(\d+ bytes\)/)
      expect(await workspace.exists('dist/assets/src/main.js')).toBe(true)
      expect((await workspace.list('dist')).map(({ name }) => name)).toEqual(['assets', 'icon.svg', 'index.html', 'kept.txt'])
      expect(await run({ folder: '.' })).toMatchObject({
        output: { code: 'invalid_input' },
        error: expect.stringContaining('/workspace/index.html'),
      })

      await workspace.writeText('src/greet.ts', 'export const greet = (\n')
      const failed = await run({ folder: 'other' })
      expect(failed.output).toMatchObject({ ok: false, files: [], errors: [{ file: '/workspace/src/greet.ts', line: 2 }] })
      expect(toModelText(failed)).toContain('The build failed. Nothing was written.')
      expect(await workspace.exists('other')).toBe(false)
    })

    test('reads nothing outside the workspace through source maps or computed imports', async () => {
      const map = btoa(
        JSON.stringify({ version: 3, sources: ['file:///etc/hostname'], sourcesContent: [null], names: [], mappings: 'AAAA' }),
      )
      const address = `sourceMappingURL=data:application/json;base64,${map}`
      const result = await bundlerOf(
        workspaceOf({
          'index.html': `<link rel="stylesheet" href="a.css"><script type="module" src="a.js"></script><script type="module">1 //# ${address}\n</script>`,
          'a.js': `import "p"\nconsole.log(1) //# ${address}`,
          'a.css': `p { color: red }\n/*# ${address} */`,
          'node_modules/p/index.js': `console.log(2)\n//@ ${address}`,
        }),
      ).build()
      const maps = result.outputs.filter(({ path }) => path.endsWith('.map')).map(({ path }) => JSON.parse(textOf(result, path)))
      // Two scripts, their shared chunk, a stylesheet, and the packages.
      expect(maps).toHaveLength(5)
      for (const { sources } of maps) expect(sources.join()).not.toContain('etc')
      for (const up of [4, 300]) {
        const code = `const name = 'hostname'; import(\`${'../'.repeat(up)}etc/apt/\${name}\`)`
        const { errors } = await bundlerOf(workspaceOf({ 'a.js': code }), { entryPoints: ['a.js'] }).build()
        expect(errors.map(({ text }) => text)).toContainEqual(expect.stringContaining('Import the modules by their names'))
        expect(JSON.stringify(errors)).not.toContain('sources.list')
      }
    })

    test('an aborted build does not make the last result current', async () => {
      const workspace = workspaceOf({ 'a.js': 'console.log("one")' })
      const bundler = bundlerOf(workspace, { entryPoints: ['a.js'] })
      await bundler.build()
      await workspace.writeText('a.js', 'console.log("two")')
      const ending = new AbortController()
      const stopped = bundler.build({ signal: ending.signal })
      setTimeout(() => ending.abort(new Error('stopped')))
      await stopped.catch(() => {})
      expect(textOf(await bundler.build(), 'assets/a.js')).toContain('two')
    })

    test('detects changes that make an import resolve elsewhere', async () => {
      const workspace = workspaceOf({
        'a.js': 'import "./b"; import "p"',
        'b.js': 'console.log("b.js")',
        'node_modules/p/package.json': '{ "name": "p", "main": "one.js" }',
        'node_modules/p/one.js': 'console.log("one.js")',
        'node_modules/p/two.js': 'console.log("two.js")',
      })
      const bundler = bundlerOf(workspace, { entryPoints: ['a.js'] })
      expect(textOf(await bundler.build(), 'assets/a.js')).toMatch(/"b\.js"[\s\S]*"one\.js"/)
      await workspace.writeText('b.ts', 'console.log("b.ts")')
      await workspace.writeText('node_modules/p/package.json', '{ "name": "p", "main": "two.js" }')
      expect(textOf(await bundler.build(), 'assets/a.js')).toMatch(/"b\.ts"[\s\S]*"two\.js"/)
    })

    test('detects changes of tsconfig, its base, package imports, and public files', async () => {
      const workspace = workspaceOf({
        'index.html': '<script type="module" src="/main.js"></script>',
        'tsconfig.json': '{ "extends": "./base.json", ',
        'package.json': '{ "imports": { "#config": "./one.js" } }',
        'public/main.js': 'import "#config"; import "@/x"',
        'one.js': 'console.log("one")',
        'two.js': 'console.log("two")',
        'lib/x.js': 'console.log("x")',
      })
      const bundler = bundlerOf(workspace)
      expect((await bundler.build()).errors[0]?.text).toContain('it is not valid JSON')
      await workspace.writeText('tsconfig.json', '{ "extends": "./base.json" }')
      expect((await bundler.build()).errors[0]?.text).toContain('Cannot resolve "@/x"')
      await workspace.writeText('base.json', '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }')
      const code = async (): Promise<string> => {
        const result = await bundler.build()
        return textOf(result, result.outputs.find(({ path }) => /main\.js$/.test(path))?.path ?? '')
      }
      expect(await code()).toMatch(/"one"[\s\S]*"x"/)
      await workspace.writeText('package.json', '{ "imports": { "#config": "./two.js" } }')
      expect(await code()).toContain('"two"')
      await workspace.writeText('main.js', 'console.log("own")')
      expect(await code()).toContain('"own"')
    })

    test('applies tsconfig paths to the app only, and its target to class fields', async () => {
      const result = await bundlerOf(
        workspaceOf({
          'tsconfig.json': '{ "compilerOptions": { "baseUrl": "src", "target": "es2020" } }',
          'src/main.ts': 'import "p"; class A { set x(v: number) { console.log(v) } }\nclass B extends A { x = 1 }\nnew B()',
          'src/q.ts': 'console.log("the app")',
          'node_modules/p/index.js': 'require("q")',
          'node_modules/q/index.js': 'console.log("the package")',
        }),
        { entryPoints: ['src/main.ts'] },
      ).build()
      const code = textOf(result, 'assets/src/main.js')
      expect(code).toContain('the package')
      expect(code).not.toContain('the app')
      expect(code).toContain('this.x = 1')
    })

    test('supports import maps and import.meta.url, and keeps line numbers of a page', async () => {
      const result = await bundlerOf(
        workspaceOf({
          'index.html':
            '<script type="importmap">{ "imports": { "lit": "https://esm.sh/lit", "x/": "https://esm.sh/x/" } }</script>\n<script type="module">\nimport "./a.js"\n\n</script>\n<script>// line 6</script>',
          'a.js':
            'import "lit"; import "x/y.js"\nconsole.log(new URL("./logo.svg", import.meta.url).href, new URL("./gone.svg", import.meta.url))',
          'logo.svg': '<svg/>',
        }),
      ).build()
      expect(result.errors).toEqual([])
      expect(pathsOf(result)).toContainEqual(expect.stringMatching(/^assets\/logo-\w+\.svg$/))
      expect(textOf(result, 'assets/index-0.js')).toMatch(/from "lit"|import "lit"/)
      expect(textOf(result, 'index.html').split('\n')[5]).toContain('// line 6')
    })

    test('puts CommonJS packages into a separate script, which an edit of the app does not change', async () => {
      const workspace = workspaceOf({
        'index.html': '<script type="module" src="main.ts"></script>',
        'main.ts': `import cjs, { name } from 'cjs'
import { again } from 'esm'
import * as all from 'cjs/other.cjs'
export const seen: unknown[] = [name, cjs.name, again === cjs, all.default(), globalThis.lateRan]
seen.push((await import('late')).default, globalThis.lateRan)`,
        'node_modules/cjs/index.js': 'exports.name = require("./inner"); exports.mode = process.env.NODE_ENV',
        'node_modules/cjs/inner.js': 'module.exports = "inner"',
        'node_modules/cjs/other.cjs': 'exports.__esModule = true; exports.default = () => "other " + require("./inner")',
        'node_modules/esm/index.mjs': 'import cjs from "cjs"; export const again = cjs',
        'node_modules/esm/package.json': '{ "main": "index.mjs" }',
        'node_modules/late/index.js': 'globalThis.lateRan = true; module.exports = "late"',
      })
      const bundler = bundlerOf(workspace)
      const first = await bundler.build()
      expect(first.errors).toEqual([])
      expect(textOf(first, 'index.html')).toBe(
        '<script src="./assets/chunks/packages.js"></script><script type="module" src="./assets/main.js"></script>',
      )
      expect(textOf(first, 'assets/main.js')).not.toContain('inner')
      expect(textOf(first, 'assets/chunks/packages.js')).toMatch(/^"use strict";/)
      const limits = { modules: first.inputs.filter((path) => path.endsWith('js')).length - 1 }
      expect((await bundlerOf(workspace, { limits }).build()).errors[0]?.text).toMatch(/^Cannot bundle more than \d+ files. Import fewer.$/)
      expect(await runOf(first, 'assets/main.js')).toEqual(['inner', 'inner', true, 'other inner', undefined, 'late', true])
      expect(first.inputs).toContain('/workspace/node_modules/cjs/inner.js')

      const packages = (result: BuildResult) => result.outputs.find(({ path }) => path === 'assets/chunks/packages.js')?.bytes
      await workspace.writeText('main.ts', 'import { mode } from "cjs"; import "late"; import "cjs/other.cjs"; export const seen = [mode]')
      const edited = await bundler.build()
      expect(packages(edited)).toBe(packages(first))
      expect(await runOf(edited, 'assets/main.js')).toEqual(['development'])
      await workspace.writeText('node_modules/cjs/inner.js', 'module.exports = "changed"')
      expect(new TextDecoder().decode(packages(await bundler.build()))).toContain('"changed"')
      await workspace.writeText('node_modules/cjs/inner.js', 'module.exports = (')
      expect(await bundler.build()).toMatchObject({ ok: false, errors: [{ file: '/workspace/node_modules/cjs/inner.js', line: 1 }] })
      await workspace.writeText('node_modules/cjs/inner.js', 'module.exports = "mended"')
      expect(new TextDecoder().decode(packages(await bundler.build()))).toContain('"mended"')
      await workspace.writeText('main.ts', 'export const seen = []')
      expect(pathsOf(await bundler.build())).toEqual(['assets/main.js', 'assets/main.js.map', 'index.html'])
      expect(pathsOf(await bundlerOf(workspace, { mode: 'production', sourcemap: false }).build())).toHaveLength(2)
    })

    test('asks to reload a page that has not loaded the packages of its build', async () => {
      const workspace = workspaceOf({
        'index.html': '<script type="module" src="main.js"></script>',
        'main.js': 'import alone from "alone"; export const seen = alone',
        'node_modules/alone/index.js': 'module.exports = "alone"',
      })
      const result = await bundlerOf(workspace).build()
      const withoutPackages = { ...result, outputs: result.outputs.filter(({ path }) => path !== 'assets/chunks/packages.js') }
      expect(result.outputs).not.toHaveLength(withoutPackages.outputs.length)
      await expect(runOf(withoutPackages, 'assets/main.js')).rejects.toThrow(
        /^Cannot load "\/workspace\/node_modules\/alone\/index.js": this page has not loaded "assets\/chunks\/packages.js" .* Reload the page\./,
      )
    })

    test('includes a module once that the app and its CommonJS packages import', async () => {
      const workspace = workspaceOf({
        'index.html': '<script type="module" src="main.js"></script>',
        'main.js': 'import { state } from "esm"; import { own } from "cjs"; export const seen = [own === state]',
        'node_modules/cjs/index.js': 'exports.own = require("esm").state',
        'node_modules/esm/package.json': '{ "main": "index.mjs" }',
        'node_modules/esm/index.mjs': 'export const state = {}',
      })
      const bundler = bundlerOf(workspace)
      const result = await bundler.build()
      expect(pathsOf(result)).not.toContain('assets/chunks/packages.js')
      expect(await runOf(result, 'assets/main.js')).toEqual([true])
      await workspace.writeText('node_modules/meta/index.js', 'exports.url = require("./meta.mjs").url')
      await workspace.writeText('node_modules/meta/meta.mjs', 'export const url = typeof import.meta.url')
      await workspace.writeText('main.js', 'import { url } from "meta"; export const seen = [url]')
      expect(await runOf(await bundlerOf(workspace).build(), 'assets/main.js')).toEqual(['string'])
      await workspace.writeText('main.js', 'export const seen = ["edited"]')
      expect(await runOf(await bundler.build(), 'assets/main.js')).toEqual(['edited'])
    })

    test('stops at its limits, on abort and after dispose', async () => {
      const workspace = workspaceOf({ 'a.js': 'import "./b.js"', 'b.js': '' })
      const { errors } = await bundlerOf(workspace, { entryPoints: ['a.js'], limits: { modules: 1 } }).build()
      expect(errors[0]?.text).toMatch(/^Cannot bundle more than \d+ files. Import fewer.$/)
      const bundler = bundlerOf(workspace, { entryPoints: ['a.js'] })
      await expect(bundler.build({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
      await bundler.dispose()
      await expect(bundler.build()).rejects.toThrow('the bundler is disposed')
    })
  })
}
