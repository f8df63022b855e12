// @module-tag package
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { packed } from '../../scripts/packed.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Folder in which the packed package is installed. */
const { app } = packed()
const installed = `${app}/node_modules/toolport/`
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** Runs code in a new process that imports the packed package by its name, as a user does. */
const evaluate = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: app, encoding: 'utf8' })

/** Removes comments, because they may contain example imports. */
const withoutComments = (code: string): string => code.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*?$/gms, '')

/** An entry for bundlers of Workers only, because Node cannot import the module. */
const WASM = './adapters/quickjs/wasm'

it('the engine for Workers is a valid WebAssembly module', async () => {
  await expect(WebAssembly.compile(readFileSync(`${installed}${manifest.exports[WASM].default}`))).resolves.toBeInstanceOf(
    WebAssembly.Module,
  )
})

it('every entry loads from the build', () => {
  // `./preview/worker` is a script that browsers load by its URL, also as a classic script, so it exports nothing.
  const others = ['./package.json', './preview/worker', WASM]
  const entries = Object.keys(manifest.exports).filter((name) => !others.includes(name))
  const imports = entries.map((name) => `await import('toolport${name.slice(1)}')`)
  const counts = JSON.parse(evaluate(`console.log(JSON.stringify([${imports.join(',')}].map((m) => Object.keys(m).length)))`)) as number[]
  expect(counts.every((count) => count > 0)).toBe(true)
})

it('`js: true` of toolport/node runs programs in a thread that ends with the process', () => {
  const printed = evaluate(`
    import { createNodeRuntime } from 'toolport/node'
    const tools = createNodeRuntime({ root: '.', js: true, policy: { readOnly: true } })
    const { result } = await tools.call('run_js', { code: 'export default 6 * 7' })
    const { timed_out } = await tools.call('run_js', { code: 'for (;;) {}', timeout_ms: 100 })
    console.log(result, timed_out, tools.js.can.hardKill)
  `)
  expect(printed).toBe('42 true true\n')
})

it('the public names are the listed ones', () => {
  expect(JSON.parse(evaluate(`console.log(JSON.stringify(Object.keys(await import('toolport')).sort()))`))).toEqual([
    'FsError',
    'InputError',
    'JsError',
    'NetworkError',
    'PolicyError',
    'RegistryError',
    'ShellError',
    'ToolCallError',
    'ToolRuntime',
    'UnsupportedError',
    'WorkspaceError',
    'branchWorkspace',
    'createLocalServers',
    'createMountedFs',
    'createOverlayFs',
    'createRuntime',
    'createToolRegistry',
    'createWorkspace',
    'customTools',
    'defaultLimits',
    'defineTool',
    'fileTools',
    'jsTools',
    'loadCustomTools',
    'metaTools',
    'previewTools',
    'reply',
    'searchTools',
    'shellTools',
    'systemHost',
    'toBashFs',
    'toModelText',
    'toNodeFs',
    'webTools',
  ])
})

it('no entry for browsers imports Node modules', () => {
  const entries = [
    'index',
    'browser',
    'formats',
    'archive',
    'adapters-memory',
    'adapters-just-bash',
    'adapters-just-bash-worker',
    'adapters-quickjs',
  ]
  const vendor = readdirSync(`${installed}dist/vendor`).filter((name) => name.endsWith('.js'))
  const files = new Set([...entries.map((name) => `lib/${name}.js`), ...vendor.map((name) => `vendor/${name}`)])
  const importsOf = (file: string): readonly string[] =>
    [...readFileSync(`${installed}dist/${file}`, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'$\n]+)["']/g)].map(
      ([, name = '']) => name,
    )
  for (const file of files) for (const name of importsOf(file)) if (name.startsWith('./')) files.add(`lib/${name.slice(2)}`)
  expect(files.size).toBeGreaterThan(100)
  expect([...files].filter((file) => importsOf(file).some((name) => /^(?:node:|fs|path)/.test(name)))).toEqual([])
})

it('the MCP server for Workers imports no Node modules, and the one for stdio does', async () => {
  const importsOfNode = async (entry: string): Promise<boolean> => {
    const stdin = { contents: `export * from '${entry}'`, resolveDir: app }
    const built = await build({ stdin, bundle: true, format: 'esm', platform: 'node', write: false, treeShaking: false })
    return /(?:from|import|require)\s*\(?\s*["']node:/.test(built.outputFiles[0]?.text ?? '')
  }
  expect([await importsOfNode('toolport/mcp'), await importsOfNode('toolport/mcp/stdio')]).toEqual([false, true])
})

it('dependencies and peers are exactly the imported packages', () => {
  const sources = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => withoutComments(readFileSync(`${root}${folder}/${name}`, 'utf8'))),
  )
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/(?:from|import\()\s?'([^.'\s][^'\s]*)'/g)].map(([, name]) => name as string),
  )
  const packages = new Set(
    imported
      // Error messages contain import specifiers of this package.
      .filter((name) => !name.startsWith('node:') && !name.startsWith('#') && !name.startsWith('toolport/'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  )
  // just-bash is imported as `#just-bash`, esbuild as `#esbuild`. The user passes the others.
  const others = ['just-bash', 'esbuild', 'esbuild-wasm', 'memfs', '@webcontainer/api']
  const known = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) => !others.includes(name))
  expect([...packages].sort()).toEqual(known.sort())
})

it('every peer dependency is optional', () => {
  expect(Object.keys(manifest.peerDependencies)).toEqual(Object.keys(manifest.peerDependenciesMeta))
  expect(Object.values(manifest.peerDependenciesMeta).every((meta) => (meta as { readonly optional?: boolean }).optional)).toBe(true)
  expect(Object.keys(manifest.peerDependencies).filter((name) => name in manifest.dependencies)).toEqual([])
})
