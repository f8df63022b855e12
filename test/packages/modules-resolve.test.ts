// @module-tag install
import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { createModuleLoader } from '../../src/packages/modules/index.js'
import fc, { rounds } from '../fast-check.js'
import { BUILTINS, faultOf, lead, load, moduleOf, paths, tree } from './modules-support.js'

describe('an unresolvable specifier', () => {
  const message = async (files: Record<string, string>, specifier: string, kind: 'imports' | 'requires' = 'imports'): Promise<string> => {
    const main = kind === 'imports' ? 'main.mjs' : 'main.cjs'
    const code = kind === 'imports' ? `import ${JSON.stringify(specifier)}` : `require(${JSON.stringify(specifier)})`
    return faultOf(lead(await load({ ...files, [main]: code }, main), specifier, kind)).message
  }

  it('is reported with the importer and the paths that were tried', async () => {
    expect(await message({}, './none.js')).toBe("Cannot find module '/w/none.js' imported from /w/main.mjs\nLooked for: /w/none.js")
    expect(await message({}, 'none/x')).toBe(
      "Cannot find package 'none' imported from /w/main.mjs\nIt is not installed: install it, or import something else.\nLooked for: /w/node_modules/none",
    )
    expect(await message({}, './none', 'requires')).toBe(
      "Cannot find module './none'\nRequire stack:\n- /w/main.cjs\nLooked for: /w/none, /w/none.js, /w/none.json, /w/none.node, /w/none.ts, /w/none.cts",
    )
  })

  it.each([
    [{ 'x.js': '' }, './x', './x.js'],
    [{ 'x.ts': '' }, './x', './x.ts'],
    [{ 'x.mjs': '' }, './x.js', './x.mjs'],
    [{ 'x/index.js': '' }, './x', './x/index.js'],
    [{ 'Util.js': '' }, './util.js', './Util.js'],
    [{ 'Util.js': '' }, './util', './Util.js'],
    [{ 'x.js': '' }, 'x.js', './x.js'],
    [{ 'x.js': '' }, 'x', './x.js'],
    [{ 'x.js': '' }, '/w/x', '/w/x.js'],
  ])('is reported with a suggestion: %j', async (files, specifier, near) => {
    expect(await message(files as Record<string, string>, specifier)).toContain(`\nDid you mean to import "${near}"?`)
  })

  it('a specifier of require is reported with a suggestion too', async () => {
    expect(await message({ 'x.mjs': '' }, './x', 'requires')).toContain('Did you mean to import "./x.mjs"?')
  })

  it('is reported with the exports of the package', async () => {
    const manifest = JSON.stringify({ exports: { '.': './m.js', './x': './x.js', './closed': null } })
    const said = await message({ 'node_modules/p/package.json': manifest }, 'p/lib')
    expect(said).toBe(
      `Package subpath './lib' is not defined by "exports" in /w/node_modules/p/package.json imported from /w/main.mjs\nIt exports: ., ./x (conditions: node, module-sync, import)`,
    )
  })

  it('is reported with the available built-in modules', async () => {
    expect(await message({}, 'node:http')).toBe(
      'No such built-in module: node:http\nnode:http is not available in this sandbox; there are: fs, fs/promises, path, path/posix, process. Imported from /w/main.mjs',
    )
    expect(await message({}, 'http')).toContain('node:http is not available in this sandbox')
    expect(await message({}, 'http', 'requires')).toContain('node:http is not available in this sandbox')
    expect(await message({}, 'node:nonsense')).toContain('node:nonsense does not exist')
    expect(await message({}, 'https://esm.sh/x')).toContain("Received protocol 'https:'")
  })

  it('is resolved to an installed package if the sandbox lacks the built-in module', async () => {
    const graph = await load(
      { 'main.mjs': "import 'events'\nimport 'fs'", 'node_modules/events/index.js': '', 'node_modules/fs/index.js': '' },
      'main.mjs',
    )
    expect(lead(graph, 'events')).toEqual({ path: '/w/node_modules/events/index.js' })
    expect(lead(graph, 'fs')).toEqual({ builtin: 'fs' })
  })

  it('cannot leave the workspace or read denied paths', async () => {
    const workspace = tree(
      { 'main.mjs': "import '../../etc/x.js'\nimport './secret/x.js'\nimport '/etc/x.js'", 'secret/x.js': '' },
      { policy: { paths: [{ paths: 'secret', action: 'deny' }] } },
    )
    const graph = await createModuleLoader(workspace, { builtins: BUILTINS }).load({ entry: 'main.mjs' })
    expect(paths(graph)).toEqual(['/w/main.mjs'])
    expect(faultOf(lead(graph, '/etc/x.js')).message).toContain('/etc/x.js (outside the workspace)')
    expect(faultOf(lead(graph, './secret/x.js')).message).toMatch(/\/w\/secret\/x\.js \(.*EACCES/)
  })
})

describe('export conditions', () => {
  const exports = { '.': { browser: './b.js', node: { import: './ni.mjs', require: './nr.js' }, default: './d.js' } }
  const files = {
    'main.mjs': "import 'p'\nimport './r.cjs'",
    'r.cjs': "require('p')",
    'node_modules/p/package.json': JSON.stringify({ exports }),
    'node_modules/p/b.js': '',
    'node_modules/p/ni.mjs': '',
    'node_modules/p/nr.js': '',
    'node_modules/p/d.js': '',
  }

  it('are those of Node by default', async () => {
    const graph = await load(files, 'main.mjs')
    expect(lead(graph, 'p')).toEqual({ path: '/w/node_modules/p/ni.mjs' })
    expect(moduleOf(graph, '/w/r.cjs').requires).toEqual({ p: { path: '/w/node_modules/p/nr.js' } })
  })

  it('can be set', async () => {
    expect(lead(await load(files, 'main.mjs', { conditions: ['browser'] }), 'p')).toEqual({ path: '/w/node_modules/p/b.js' })
    expect(lead(await load(files, 'main.mjs', { conditions: [] }), 'p')).toEqual({ path: '/w/node_modules/p/d.js' })
  })

  it('switch to browser for a package whose Node build needs missing modules', async () => {
    const needing = {
      ...files,
      'node_modules/p/ni.mjs': "import 'node:crypto'",
      'node_modules/p/nr.js': "require('./inner.js')",
      'node_modules/p/inner.js': "require('crypto')",
    }
    const graph = await load(needing, 'main.mjs')
    expect(lead(graph, 'p')).toEqual({ path: '/w/node_modules/p/b.js' })
    expect(moduleOf(graph, '/w/r.cjs').requires).toEqual({ p: { path: '/w/node_modules/p/b.js' } })
    expect(paths(graph)).not.toContain('/w/node_modules/p/ni.mjs')
    const able = await load(needing, 'main.mjs', { builtins: new Set([...BUILTINS, 'crypto']) })
    expect(lead(able, 'p')).toEqual({ path: '/w/node_modules/p/ni.mjs' })
  })

  it('use the alternative beside "node", in imports too', async () => {
    const manifest = JSON.stringify({ type: 'module', exports: './p.js', imports: { '#io': { node: './n.js', default: './d.js' } } })
    const graph = await load(
      {
        'main.mjs': "import 'p'",
        'node_modules/p/package.json': manifest,
        'node_modules/p/p.js': "import '#io'",
        'node_modules/p/n.js': "import 'node:tty'",
        'node_modules/p/d.js': '',
      },
      'main.mjs',
    )
    expect(paths(graph)).toEqual(['/w/main.mjs', '/w/node_modules/p/p.js', '/w/node_modules/p/d.js'])
  })

  it('export conditions of other packages stay unchanged', async () => {
    const other = JSON.stringify({ exports: { node: './n.js', default: './d.js' } })
    const graph = await load(
      {
        ...files,
        'main.mjs': "import 'p'\nimport 'q'",
        'node_modules/p/ni.mjs': "import 'node:crypto'",
        'node_modules/q/package.json': other,
        'node_modules/q/n.js': '',
        'node_modules/q/d.js': '',
      },
      'main.mjs',
    )
    expect(lead(graph, 'q')).toEqual({ path: '/w/node_modules/q/n.js' })
  })

  it('use the browser field without exports', async () => {
    const graph = await load(
      {
        'main.mjs': "import 'p'\nimport 'q'",
        'node_modules/p/package.json': JSON.stringify({ main: './n.js', browser: './b.js' }),
        'node_modules/p/n.js': "require('tty')",
        'node_modules/p/b.js': '',
        'node_modules/q/package.json': JSON.stringify({ browser: { './io.js': './io-b.js', tty: './tty.js', loop: 'loop' } }),
        'node_modules/q/index.js': "require('./io'); require('tty'); require('loop')",
        'node_modules/q/io.js': '',
        'node_modules/q/io-b.js': '',
        'node_modules/q/tty.js': '',
      },
      'main.mjs',
    )
    expect(lead(graph, 'p')).toEqual({ path: '/w/node_modules/p/b.js' })
    expect(moduleOf(graph, '/w/node_modules/q/index.js').requires).toMatchObject({
      './io': { path: '/w/node_modules/q/io-b.js' },
      tty: { path: '/w/node_modules/q/tty.js' },
      loop: { error: { code: 'MODULE_NOT_FOUND' } },
    })
  })

  it('give an empty module where the browser field is false', async () => {
    const graph = await load(
      {
        'main.mjs': "import 'p'",
        'node_modules/p/package.json': JSON.stringify({ browser: { crypto: false, './io.js': false } }),
        'node_modules/p/index.js': "require('crypto'); require('./io'); import('crypto')",
        'node_modules/p/io.js': "require('tty')",
      },
      'main.mjs',
    )
    const { requires, imports } = moduleOf(graph, '/w/node_modules/p/index.js')
    const empty = { path: '/w/node_modules/p/[empty].cjs' }
    expect([requires, imports]).toEqual([{ crypto: empty, './io': empty }, { crypto: empty }])
    expect(moduleOf(graph, empty.path)).toMatchObject({ kind: 'commonjs', code: '', exportNames: [] })
    expect(paths(graph)).not.toContain('/w/node_modules/p/io.js')
  })

  it('use the module field only as the last resort', async () => {
    const manifest = JSON.stringify({ module: './m.js' })
    const files = { 'main.mjs': "import 'p'", 'node_modules/p/package.json': manifest, 'node_modules/p/m.js': 'export {}' }
    expect(lead(await load(files, 'main.mjs'), 'p')).toEqual({ path: '/w/node_modules/p/m.js' })
    expect(lead(await load({ ...files, 'node_modules/p/index.js': '' }, 'main.mjs'), 'p')).toEqual({ path: '/w/node_modules/p/index.js' })
  })
})

describe('module paths', () => {
  it('are the targets of links', async () => {
    const workspace = tree({
      'main.mjs': "import 'p'\nimport './l.mjs'",
      'real/p/index.js': "require('./x')",
      'real/p/x.js': '',
      'm.mjs': '',
    })
    await workspace.symlink('../real/p', 'node_modules/p').catch(async () => {
      await workspace.mkdir('node_modules')
      await workspace.symlink('../real/p', 'node_modules/p')
    })
    await workspace.symlink('m.mjs', 'l.mjs')
    const graph = await createModuleLoader(workspace, { builtins: BUILTINS }).load({ entry: 'main.mjs' })
    expect(paths(graph)).toEqual(['/w/main.mjs', '/w/real/p/index.js', '/w/m.mjs', '/w/real/p/x.js'])
  })

  it('can be file URLs, and percent signs are decoded', async () => {
    const graph = await load(
      { 'main.mjs': "import 'file:///w/a%20b.mjs'\nimport './a%20b.mjs?once'\nimport './%zz.mjs'", 'a b.mjs': '' },
      'main.mjs',
    )
    expect(lead(graph, 'file:///w/a%20b.mjs')).toEqual({ path: '/w/a b.mjs' })
    expect(lead(graph, './a%20b.mjs?once')).toEqual({ path: '/w/a b.mjs' })
    expect(faultOf(lead(graph, './%zz.mjs')).code).toBe('ERR_INVALID_MODULE_SPECIFIER')
  })

  it('are found with the root /', async () => {
    const workspace = tree({ 'main.mjs': "import 'p'\nimport '/x.mjs'", 'node_modules/p/index.js': '', 'x.mjs': '' }, { root: '/' })
    const graph = await createModuleLoader(workspace, { builtins: BUILTINS }).load({ entry: 'main.mjs' })
    expect(paths(graph)).toEqual(['/main.mjs', '/node_modules/p/index.js', '/x.mjs'])
  })

  it('keep their spelling on a case-insensitive storage', async () => {
    const memory = createMemoryFs({ files: { 'main.mjs': "import './A.mjs'", 'a.mjs': '' } })
    const fs: FsAdapter = {
      ...memory,
      can: { ...memory.can, caseSensitive: false },
      lstat: (path) => memory.lstat(path.toLowerCase()),
      read: (path, options) => memory.read(path.toLowerCase(), options),
    }
    const graph = await createModuleLoader(tree({}, { fs }), { builtins: BUILTINS }).load({ entry: 'main.mjs' })
    expect(lead(graph, './A.mjs')).toEqual({ path: '/w/A.mjs' })
    expect(paths(graph)).toEqual(['/w/main.mjs', '/w/A.mjs'])
  })
})

describe('unusual specifiers', () => {
  const loader = createModuleLoader(
    tree({ 'main.mjs': '', 'package.json': '{"imports":{"#*":"./*"}}', 'node_modules/p/package.json': '{"exports":{"./*":"./*"}}' }),
    { builtins: BUILTINS },
  )
  const ask = async (specifier: string): Promise<void> => {
    const graph = { entry: '/w/main.mjs', modules: new Map() }
    for (const kind of ['import', 'require'] as const) {
      const { resolution } = await loader.extend(graph, specifier, '/w/main.mjs', kind)
      const leads =
        'path' in resolution ? resolution.path.startsWith('/w/') : 'builtin' in resolution || resolution.error.message.length > 10
      expect(leads, specifier).toBe(true)
    }
  }

  it.each([
    '',
    '\0',
    './\0',
    '\ud800',
    './\ud800',
    `./${'x'.repeat(300)}`,
    `${'x/'.repeat(5000)}`,
    '/',
    '//',
    'p/',
    '#',
    '@',
    '@/',
    '%',
    './%',
    'C:\\x',
    '..\\x',
    'file:',
    'file://host/x',
    'node:',
    'p/\0',
    '#\0',
    '\n',
    'data:text/javascript,1',
    'p/%ff',
  ])('are reported as not found: %j', ask)

  it('never make the resolver throw', async () => {
    const part = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '@',
      '#',
      '%',
      '%2f',
      '*',
      '?',
      ':',
      'node:',
      'file:',
      'p',
      'fs',
      '\0',
      'node_modules',
      'ü',
      '\ud800',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), (parts) => ask(parts.join(''))),
      { numRuns: rounds(300) },
    )
  })
})
