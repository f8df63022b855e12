// @module-tag install
import type { FsAdapter, Host } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { createModuleLoader } from '../../src/packages/modules/index.js'
import { BUILTINS, lead, load, moduleOf, paths, tree } from './modules-support.js'

const chain = (count: number): Record<string, string> => ({
  'main.mjs': Array.from({ length: count }, (_, i) => `import './m${i}.mjs'`).join('\n'),
  ...Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`m${i}.mjs`, `import './m${(i + 1) % count}.mjs'\nexport const x${i} = 1`]),
  ),
})

describe('a limit of the module loader', () => {
  it('a limit on modules names the allowed number', async () => {
    expect((await load(chain(9), 'main.mjs', { limits: { modules: 10 } })).modules.size).toBe(10)
    await expect(load(chain(10), 'main.mjs', { limits: { modules: 10 } })).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining('more than 10 modules'),
    })
  })

  it('a limit on bytes counts files and rejects before reading a whole file', async () => {
    const files = { 'main.mjs': "import './big.mjs'", 'big.mjs': `//${'x'.repeat(5000)}` }
    expect((await load(files, 'main.mjs', { limits: { bytes: 6000 } })).modules.size).toBe(2)
    await expect(load(files, 'main.mjs', { limits: { bytes: 4000 } })).rejects.toThrow(
      'more than 4000 bytes of source text (at /w/big.mjs)',
    )
    await expect(load(files, 'main.mjs', { limits: { bytes: 5010 } })).rejects.toThrow('more than 5010 bytes')
    const binary = { 'main.js': new Uint8Array(5000) }
    await expect(load(binary, 'main.js', { limits: { bytes: 4000 } })).rejects.toThrow('more than 4000 bytes')
  })
})

it('a limit on bytes prevents reading a file above it', async () => {
  const memory = createMemoryFs({ files: { 'main.mjs': "import './big.mjs'", 'big.mjs': 'x'.repeat(5000) } })
  const read: string[] = []
  const fs: FsAdapter = {
    ...memory,
    read(path, options) {
      read.push(path)
      return memory.read(path, options)
    },
  }
  const loader = createModuleLoader(tree({}, { fs }), { builtins: BUILTINS, limits: { bytes: 4000 } })
  await expect(loader.load({ entry: 'main.mjs' })).rejects.toThrow('more than 4000 bytes')
  expect(read).toEqual(['/main.mjs'])
})

describe('a long module load', () => {
  /** A host whose clock advances by a millisecond each time that it is read. */
  function countingHost(): Host & { readonly turns: number } {
    let [now, turns] = [0, 0]
    return {
      get turns(): number {
        return turns
      },
      now: () => now++,
      random: () => 0,
      sleep: async () => {},
      yield: async () => {
        turns++
      },
    }
  }

  it('yields between modules and between specifiers', async () => {
    const turns = async (files: Record<string, string>): Promise<number> => {
      const host = countingHost()
      await createModuleLoader(tree(files, { host }), { builtins: new Set() }).load({ entry: 'main.mjs' })
      return host.turns
    }
    const names = Array.from({ length: 100 }, (_, i) => `m${i}.mjs`)
    const main = { 'main.mjs': names.map((name) => `import './${name}'`).join('\n') }
    const missing = await turns(main)
    expect(await turns({ ...main, ...Object.fromEntries(names.map((name) => [name, ''])) })).toBeGreaterThan(missing + 18)
    for (const [entry, write] of [
      ['main.mjs', "import 'x"],
      ['main.cjs', "require('x"],
    ] as const) {
      const one = countingHost()
      const text = Array.from({ length: 100 }, (_, i) => `${write}${i}'${entry === 'main.cjs' ? ')' : ''}`).join('\n')
      await createModuleLoader(tree({ [entry]: text }, { host: one }), { builtins: new Set() }).load({ entry })
      expect(one.turns, entry).toBeGreaterThan(10)
    }
  })

  it('can be aborted and lets timers fire', async () => {
    const loader = createModuleLoader(tree(chain(2000)), { builtins: BUILTINS })
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 0)
    await expect(loader.load({ entry: 'main.mjs' }, { signal: controller.signal })).rejects.toThrow('enough')
    await expect(loader.load({ entry: 'main.mjs' }, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
  })

  it('can be aborted while one file imports many missing modules', async () => {
    const main = Array.from({ length: 50_000 }, (_, i) => `import './none-${i}.mjs'`).join('\n')
    const loader = createModuleLoader(tree({ 'main.mjs': main }), { builtins: BUILTINS })
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 0)
    await expect(loader.load({ entry: 'main.mjs' }, { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('can run concurrently with another', async () => {
    const loader = createModuleLoader(tree({ ...chain(200), 'other.mjs': "import './m3.mjs'" }), { builtins: BUILTINS })
    const [all, some] = await Promise.all([loader.load({ entry: 'main.mjs' }), loader.load({ entry: 'other.mjs' })])
    expect([all.modules.size, some.modules.size]).toEqual([201, 201])
  })
})

describe('a module requested by a running program', () => {
  const files = {
    'main.mjs': "import './a.mjs'",
    'a.mjs': '',
    'late.mjs': "import './a.mjs'\nimport './later.cjs'",
    'later.cjs': 'exports.x = 1',
  }

  it('is added to the graph without the known modules', async () => {
    const loader = createModuleLoader(tree(files), { builtins: BUILTINS })
    const graph = await loader.load({ entry: 'main.mjs' })
    const { resolution, added } = await loader.extend(graph, './late.mjs', '/w/main.mjs', 'import')
    expect(resolution).toEqual({ path: '/w/late.mjs' })
    expect([...added.keys()]).toEqual(['/w/late.mjs', '/w/later.cjs'])
    expect(added.get('/w/later.cjs')?.exportNames).toEqual(['x'])
    expect(paths(graph)).toEqual(['/w/main.mjs', '/w/a.mjs'])
    expect((await loader.extend(graph, './a.mjs', '/w/late.mjs', 'import')).added.size).toBe(0)
    expect(await loader.extend(graph, 'fs', '/w/main.mjs', 'require')).toEqual({ resolution: { builtin: 'fs' }, added: new Map() })
    expect((await loader.extend(graph, './none', '/w/main.mjs', 'require')).resolution).toMatchObject({
      error: { code: 'MODULE_NOT_FOUND' },
    })
  })

  it('is read as it is now', async () => {
    const workspace = tree(files)
    const loader = createModuleLoader(workspace, { builtins: BUILTINS })
    const graph = await loader.load({ entry: 'main.mjs' })
    expect((await loader.extend(graph, './new.mjs', '/w/main.mjs', 'import')).resolution).toMatchObject({ error: {} })
    await workspace.writeText('new.mjs', 'export const now = 1')
    expect((await loader.extend(graph, './new.mjs', '/w/main.mjs', 'import')).added.get('/w/new.mjs')?.code).toContain('now')
  })

  it('counts with what is there, and is stopped by its signal', async () => {
    const loader = createModuleLoader(tree(files), { builtins: BUILTINS, limits: { modules: 3 } })
    const graph = await loader.load({ entry: 'main.mjs' })
    await expect(loader.extend(graph, './late.mjs', '/w/main.mjs', 'import')).rejects.toThrow('more than 3 modules')
    await expect(
      loader.extend(graph, './late.mjs', '/w/main.mjs', 'import', { signal: AbortSignal.abort(new Error('no')) }),
    ).rejects.toThrow('no')
  })

  it('takes the browser build of a package that needs it', async () => {
    const manifest = JSON.stringify({ exports: { browser: './b.js', default: './n.js' } })
    const loader = createModuleLoader(
      tree({
        'main.mjs': '',
        'node_modules/p/package.json': manifest,
        'node_modules/p/n.js': "import 'node:crypto'\nexport {}",
        'node_modules/p/b.js': 'export {}',
      }),
      { builtins: BUILTINS },
    )
    const graph = await loader.load({ entry: 'main.mjs' })
    const { resolution, added } = await loader.extend(graph, 'p', '/w/main.mjs', 'import')
    expect(resolution).toEqual({ path: '/w/node_modules/p/b.js' })
    expect([...added.keys()]).toEqual(['/w/node_modules/p/b.js'])
  })
})

it('a large file is a module like any other', async () => {
  const graph = await load(
    { 'main.mjs': "import './big.cjs'", 'big.cjs': `${'x = { a: [1, "2", /3/] };\n'.repeat(50_000)}require('fs')` },
    'main.mjs',
  )
  expect(lead(graph, './big.cjs')).toEqual({ path: '/w/big.cjs' })
  expect(moduleOf(graph, '/w/big.cjs').requires).toEqual({ fs: { builtin: 'fs' } })
})
