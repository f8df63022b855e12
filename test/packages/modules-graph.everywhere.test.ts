// @module-tag install
import { describe, expect, it } from 'vitest'
import { createModuleLoader } from '../../src/packages/modules/index.js'
import { BUILTINS, faultOf, lead, load, moduleOf, paths, tree } from './modules-support.js'

describe('a module graph', () => {
  it('contains reachable files breadth-first, each once, with cycles', async () => {
    const graph = await load(
      {
        'main.mjs': "import './a.mjs'\nimport './b.mjs'\nexport { x } from './c.mjs'",
        'a.mjs': "import './b.mjs'\nimport './deep/d.mjs'",
        'b.mjs': "import './main.mjs'",
        'c.mjs': 'export const x = 1',
        'deep/d.mjs': "export * from '../a.mjs'",
        'unused.mjs': '',
      },
      'main.mjs',
    )
    expect(graph.entry).toBe('/w/main.mjs')
    expect(paths(graph)).toEqual(['/w/main.mjs', '/w/a.mjs', '/w/b.mjs', '/w/c.mjs', '/w/deep/d.mjs'])
    expect(moduleOf(graph, '/w/a.mjs').imports).toEqual({ './b.mjs': { path: '/w/b.mjs' }, './deep/d.mjs': { path: '/w/deep/d.mjs' } })
    expect(structuredClone(graph)).toEqual(graph)
  })

  it('follows dynamic imports and require, in both directions', async () => {
    const graph = await load(
      {
        'main.js': "const a = require('./a')\nimport('./b.mjs')\nimport(`./c.mjs`)\nimport(name)\nimport('./d' + x)",
        'a.js': "if (false) require('./late.js')\nmodule.exports = require.resolve('./resolved.js')",
        'b.mjs': "import { createRequire } from 'node:module'\nconst load = createRequire(import.meta.url)\nload('./from-esm.cjs')",
        'c.mjs': '',
        'late.js': '',
        'resolved.js': '',
        'from-esm.cjs': '',
      },
      'main.js',
      { builtins: new Set([...BUILTINS, 'module']) },
    )
    expect(paths(graph).sort()).toEqual(
      ['/w/a.js', '/w/b.mjs', '/w/c.mjs', '/w/from-esm.cjs', '/w/late.js', '/w/main.js', '/w/resolved.js'].sort(),
    )
    expect(moduleOf(graph, '/w/main.js').kind).toBe('commonjs')
    expect(moduleOf(graph, '/w/b.mjs').requires).toEqual({ './from-esm.cjs': { path: '/w/from-esm.cjs' } })
  })

  it('reports the positions of dynamic imports and import.meta', async () => {
    const graph = await load(
      { 'main.mjs': "// import('x')\nawait import('./a.mjs')\nconsole.log(import.meta.url)", 'a.mjs': '' },
      'main.mjs',
    )
    const { code, dynamicImports, importMetas } = moduleOf(graph, '/w/main.mjs')
    expect(dynamicImports.map(({ start, end }) => code.slice(start, end + 10))).toEqual(["import('./a.mjs'"])
    expect(importMetas.map(({ start, end }) => code.slice(start, end))).toEqual(['import.meta'])
  })

  it('reports a missing module as an error of its specifier instead of throwing', async () => {
    const graph = await load({ 'main.js': "try { require('none') } catch {}\nrequire('./gone')\nimport('gone-too')" }, 'main.js')
    expect(faultOf(lead(graph, 'none', 'requires'))).toMatchObject({ code: 'MODULE_NOT_FOUND' })
    expect(faultOf(lead(graph, './gone', 'requires')).message).toContain('Require stack:\n- /w/main.js')
    expect(faultOf(lead(graph, 'gone-too')).code).toBe('ERR_MODULE_NOT_FOUND')
  })

  it('treats names of Object.prototype as ordinary names', async () => {
    const graph = await load({ 'main.mjs': "import 'constructor'\nimport '__proto__'", 'node_modules/__proto__/index.js': '' }, 'main.mjs')
    const { imports } = moduleOf(graph, '/w/main.mjs')
    expect(Object.keys(imports).sort()).toEqual(['__proto__', 'constructor'])
    expect(faultOf(lead(graph, 'constructor')).code).toBe('ERR_MODULE_NOT_FOUND')
    expect(graph.modules.has('/w/node_modules/__proto__/index.js')).toBe(true)
  })

  it('keeps lines and columns after a shebang or a byte order mark', async () => {
    const graph = await load({ 'main.js': '#!/usr/bin/env node\nrequire("./a.js")', 'a.js': '\uFEFFmodule.exports = 1' }, 'main.js')
    expect(moduleOf(graph, '/w/main.js').code).toBe('///usr/bin/env node\nrequire("./a.js")')
    expect(moduleOf(graph, '/w/a.js').code).toBe('module.exports = 1')
  })

  it('accepts a file with NUL or invalid UTF-8', async () => {
    const bytes = new TextEncoder().encode('module.exports = "\0?"').map((byte) => (byte === 0x3f ? 0xff : byte))
    const graph = await load({ 'main.js': bytes }, 'main.js')
    expect(moduleOf(graph, '/w/main.js').code).toBe('module.exports = "\0\uFFFD"')
  })
})

describe('the kind of a module', () => {
  it('depends on its extension, then its package, then its text', async () => {
    const graph = await load(
      {
        'main.mjs':
          "import './a.cjs'; import './b.js'; import './m/c.js'; import './c/d.js'; import './e.js'; import d from './f.json' with { type: 'json' }",
        'a.cjs': '',
        'b.js': 'export {}',
        'm/package.json': '{"type":"module"}',
        'm/c.js': '',
        'c/package.json': '{"type":"commonjs"}',
        'c/d.js': '',
        'e.js': "const x = 'import y from z'; async function f() { await x }",
        'f.json': '{}',
      },
      'main.mjs',
    )
    expect([...graph.modules.values()].map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      '/w/main.mjs module',
      '/w/a.cjs commonjs',
      '/w/b.js module',
      '/w/m/c.js module',
      '/w/c/d.js commonjs',
      '/w/e.js commonjs',
      '/w/f.json json',
    ])
  })

  it('a module in an installed package without package.json does not depend on the project', async () => {
    const graph = await load({ 'package.json': '{"type":"module"}', 'main.js': "import 'p'", 'node_modules/p/index.js': '' }, 'main.js')
    expect([...graph.modules.values()].map(({ kind }) => kind)).toEqual(['module', 'commonjs'])
  })

  it('is ESM if the text has a top-level await', async () => {
    const graph = await load({ 'main.js': 'const x = await fetch("x")' }, 'main.js')
    expect(moduleOf(graph, '/w/main.js').kind).toBe('module')
  })

  it('a JSON module needs an import attribute, and unknown extensions are rejected', async () => {
    const graph = await load(
      {
        'main.mjs': "import a from './a.json'\nimport('./b.json')\nimport('./b.txt')\nimport('./a.json', { with: { type: 'json' } })",
        'a.json': '{}',
        'b.json': '{}',
        'b.txt': '',
      },
      'main.mjs',
    )
    expect(faultOf(lead(graph, './a.json'))).toMatchObject({ code: 'ERR_IMPORT_ATTRIBUTE_MISSING' })
    expect(faultOf(lead(graph, './a.json')).message).toContain(`import data from "./a.json" with { type: 'json' }`)
    expect(faultOf(lead(graph, './b.json')).code).toBe('ERR_IMPORT_ATTRIBUTE_MISSING')
    expect(faultOf(lead(graph, './b.txt')).code).toBe('ERR_UNKNOWN_FILE_EXTENSION')
  })
})

describe('named exports of CommonJS modules', () => {
  it('include re-exports, also in cycles', async () => {
    const graph = await load(
      {
        'main.mjs': "import { a } from './a.cjs'",
        'a.cjs': "exports.a = 1\nexports.default = 2\nmodule.exports = { ...require('./b.cjs'), own }",
        'b.cjs': "exports.b = 1\nObject.defineProperty(exports, '__esModule', { value: true })\n__exportStar(require('./c.cjs'))",
        'c.cjs': "exports.c = 1\n__exportStar(require('./b.cjs'))",
      },
      'main.mjs',
    )
    expect([...moduleOf(graph, '/w/a.cjs').exportNames].sort()).toEqual(['__esModule', 'a', 'b', 'c', 'own'])
    expect([...moduleOf(graph, '/w/c.cjs').exportNames].sort()).toEqual(['__esModule', 'b', 'c'])
    expect(moduleOf(graph, '/w/main.mjs').exportNames).toEqual([])
  })
})

describe('a syntax error', () => {
  it('is an error of its module with place and line', async () => {
    const graph = await load({ 'main.mjs': "import './bad.mjs'", 'bad.mjs': 'const ok = 1\nfunction f() { } }\n' }, 'main.mjs')
    expect(moduleOf(graph, '/w/bad.mjs').error).toEqual({
      code: 'ERR_SYNTAX',
      message: 'Invalid or unexpected token "}"\n    at /w/bad.mjs:2:18\nfunction f() { } }\n                 ^',
    })
    expect(moduleOf(graph, '/w/main.mjs').error).toBeUndefined()
  })

  it('a syntax error for an import in CommonJS names the solution', async () => {
    const graph = await load({ 'package.json': '{"type":"commonjs"}', 'main.js': "\nimport fs from 'fs'" }, 'main.js')
    const { error } = moduleOf(graph, '/w/main.js')
    expect(error?.message).toMatch(/outside a module: set "type": "module" .*\n {4}at \/w\/main\.js:2:1\nimport fs from 'fs'\n\^$/)
  })

  it('a syntax error in a long line shows only the relevant part', async () => {
    const graph = await load({ 'main.mjs': `${'x;'.repeat(100_000)} }` }, 'main.mjs')
    const message = moduleOf(graph, '/w/main.mjs').error?.message ?? ''
    expect(message.length).toBeLessThan(600)
    expect(message).toContain('at /w/main.mjs:1:200002')
  })

  it('a syntax error in JSON and package.json is reported', async () => {
    const graph = await load(
      {
        'main.mjs': "import './a.json' with { type: 'json' }\nimport 'p'\nimport './sub/x.js'",
        'a.json': '{,}',
        'node_modules/p/package.json': '[]',
        'sub/package.json': `{"exports":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
        'sub/x.js': '',
      },
      'main.mjs',
    )
    expect(moduleOf(graph, '/w/a.json').error).toMatchObject({ code: 'ERR_SYNTAX', message: expect.stringContaining('/w/a.json: ') })
    expect(faultOf(lead(graph, 'p'))).toMatchObject({ code: 'ERR_INVALID_PACKAGE_CONFIG' })
    expect(moduleOf(graph, '/w/sub/x.js').error?.code).toBe('ERR_INVALID_PACKAGE_CONFIG')
  })
})

describe('TypeScript', () => {
  const transform = (code: string): string => code.replaceAll(/: (?:string|number)/g, '')
  const files = {
    'main.ts': "import { a } from './a.js'\nimport b from './b.mjs'\nconst x: string = a",
    'a.ts': 'export const a: number = 1',
    'b.mts': 'export default 1',
    'c.js': "require('./a.js')",
  }

  it('is passed to the transform, and may import the names of compiled files', async () => {
    const graph = await load(files, 'main.ts', { transform })
    expect(paths(graph)).toEqual(['/w/main.ts', '/w/a.ts', '/w/b.mts'])
    expect(moduleOf(graph, '/w/main.ts').code).toContain('const x = a')
    expect([...graph.modules.values()].map(({ kind }) => kind)).toEqual(['module', 'module', 'module'])
  })

  it('does not change the meaning of .js for JavaScript files', async () => {
    const graph = await load(files, 'c.js', { transform })
    expect(faultOf(lead(graph, './a.js', 'requires')).message).toContain('Did you mean to import "./a.ts"?')
  })

  it('TypeScript without a transform is an error, and so is a throwing transform', async () => {
    const without = await load(files, 'main.ts')
    expect(moduleOf(without, '/w/main.ts').error?.code).toBe('ERR_UNKNOWN_FILE_EXTENSION')
    const thrown = await load(files, 'main.ts', {
      transform: () => {
        throw new Error('Error transforming main.ts: SyntaxError: Unexpected token (2:8)')
      },
    })
    expect(moduleOf(thrown, '/w/main.ts').error).toEqual({
      code: 'ERR_SYNTAX',
      message: `Unexpected token\n    at /w/main.ts:2:8\nimport b from './b.mjs'\n       ^`,
    })
  })
})

describe('the entry', () => {
  it('is resolved like the argument of `node`', async () => {
    const files = { 'a.js': '', 'p/package.json': '{"main":"m.js"}', 'p/m.js': '', 'sub/index.js': '', 'empty/x': '' }
    const loader = createModuleLoader(tree(files), { builtins: BUILTINS })
    expect((await loader.load({ entry: 'a' })).entry).toBe('/w/a.js')
    expect((await loader.load({ entry: './p' })).entry).toBe('/w/p/m.js')
    expect((await loader.load({ entry: '/w/sub' })).entry).toBe('/w/sub/index.js')
    expect((await loader.load({ entry: '../a.js' }, { cwd: 'sub' })).entry).toBe('/w/a.js')
    expect((await loader.load({ entry: 'file:///w/a.js' })).entry).toBe('/w/a.js')
    await expect(loader.load({ entry: 'none.js' })).rejects.toMatchObject({ name: 'FsError', code: 'ENOENT' })
    await expect(loader.load({ entry: 'empty' })).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(loader.load({ entry: '/etc/x.js' })).rejects.toMatchObject({ code: 'path_outside_workspace' })
    await expect(loader.load({ entry: 'a.js' }, { cwd: 'none' })).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(loader.load({ entry: 'a.js' }, { cwd: 'a.js' })).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('may be code with an optional file name', async () => {
    const loader = createModuleLoader(tree({ 'sub/a.mjs': "import './prog.mjs'", 'sub/b.cjs': '' }), { builtins: BUILTINS })
    const named = await loader.load({ code: "import './a.mjs'", filename: 'prog.mjs' }, { cwd: 'sub' })
    expect(named.entry).toBe('/w/sub/prog.mjs')
    expect(paths(named)).toEqual(['/w/sub/prog.mjs', '/w/sub/a.mjs'])
    const plain = await loader.load({ code: 'export default 1' })
    expect(moduleOf(plain, '/w/[eval].mjs').kind).toBe('module')
    const common = await loader.load({ code: "require('./sub/b')\nreturn 1", format: 'commonjs' })
    expect(moduleOf(common, '/w/[eval].cjs')).toMatchObject({ kind: 'commonjs', requires: { './sub/b': { error: {} } } })
    const marked = await loader.load({ code: '\uFEFF#!/bin/node\nexport default 1' })
    expect(moduleOf(marked, '/w/[eval].mjs').code).toBe('///bin/node\nexport default 1')
    const script = await loader.load({ code: 'module.exports = 1', filename: 'x.js', format: 'commonjs' })
    expect(moduleOf(script, '/w/x.js').kind).toBe('commonjs')
    expect(moduleOf(await loader.load({ code: '', filename: 'x.js' }), '/w/x.js').kind).toBe('module')
  })
})
