// @module-tag install
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createWorkspace } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { expect, it } from 'vitest'
import { createModuleLoader } from '../../src/packages/modules/index.js'
import { withFolder, writeTree } from './modules-node.js'

const TOLD = ';globalThis.kind = typeof require === "function" ? "commonjs" : "module"'
const TEXTS = [
  '',
  'export {}',
  'export { /* nothing */ }',
  'export {\n// nothing\n}',
  'const text = "export { /* nothing */ }"',
  "import 'node:fs'",
  'const x = 1; export { x as "a b" }',
  'import.meta.url',
  'await 1',
  'const x = await 1',
  'for await (const x of []) {}',
  'async function f() { await 1 }',
  'const f = async () => await 1',
  'const f = async () => 1\nawait f()',
  "import('node:fs')",
  '// export {}',
  '"import x from y"',
  '/import x from y/',
  'module.exports = 1',
  'const { x } = require("fs")',
  'const exports2 = { export: 1, import: 2 }; exports2.import',
  '#!/usr/bin/env node\nexport {}',
  '\uFEFFexport {}',
]
const TYPES = ['none', 'commonjs', 'module', 'odd'] as const

/** Prints the kind of each module, or `fails` if the module does not parse as its kind. */
const SCRIPT = `
const kinds = []
for (const path of process.argv.slice(1)) {
  globalThis.kind = 'fails'
  await import(path).catch(() => {})
  kinds.push(globalThis.kind)
}
process.stdout.write(JSON.stringify(kinds))
`

it('the module loader classifies modules like Node', async () => {
  await withFolder(async (folder) => {
    const files: Record<string, string> = {}
    for (const type of TYPES) {
      if (type !== 'none') files[`${type}/package.json`] = JSON.stringify({ type })
      for (const [i, text] of TEXTS.entries()) {
        for (const extension of ['.js', '.mjs', '.cjs']) files[`${type}/t${i}${extension}`] = text + TOLD
      }
    }
    await writeTree(folder, files)
    const names = Object.keys(files).filter((name) => !name.endsWith('.json'))
    const paths = names.map((name) => join(folder, name))
    const child = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', SCRIPT, '--', ...paths], {
      env: {},
    })
    const node = JSON.parse(child.stdout) as string[]

    const loader = createModuleLoader(createWorkspace({ fs: createNodeFs({ root: folder }) }), { builtins: new Set(['fs']) })
    const us: string[] = []
    for (const entry of paths) {
      const graph = await loader.load({ entry })
      us.push(graph.modules.get(entry)?.kind ?? 'none')
    }
    const differing = names
      .filter((_, i) => node[i] !== 'fails' && node[i] !== us[i])
      .map((name) => `${name}: ${JSON.stringify(files[name])}`)
    expect(differing).toEqual([])
    expect(node.filter((kind) => kind !== 'fails').length).toBeGreaterThan(150)
  })
})
