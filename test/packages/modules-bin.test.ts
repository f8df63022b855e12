// @module-tag install
import { describe, expect, it } from 'vitest'
import { resolveBin } from '../../src/packages/modules/index.js'
import { tree } from './modules-support.js'

const pack = (name: string, bin: unknown, ...files: string[]): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, bin }),
  ...Object.fromEntries(files.map((file) => [`node_modules/${name}/${file}`, ''])),
})

describe('the binary of a package', () => {
  const workspace = tree({
    'package.json': JSON.stringify({ name: 'own', bin: './own.js' }),
    'own.js': '',
    'sub/x': '',
    ...pack('nanoid', './bin/nanoid.cjs', 'bin/nanoid.cjs'),
    ...pack('typescript', { tsc: './bin/tsc', tsserver: './bin/tsserver' }, 'bin/tsc', 'bin/tsserver'),
    ...pack('two', { two: 'two.js', other: 'other.js' }, 'two.js', 'other.js'),
    ...pack('@scope/tool', './cli.js', 'cli.js'),
    ...pack('@scope/many', { first: 'a.js', many: 'b.js' }, 'a.js', 'b.js'),
    ...pack('none', undefined),
    ...pack('gone', './gone.js'),
    ...pack('out', '../nanoid/bin/nanoid.cjs'),
    ...pack('odd', { odd: 3, x: ['y'] }),
    'node_modules/broken/package.json': '{',
  })

  it.each([
    ['nanoid', 'nanoid/bin/nanoid.cjs'],
    ['tsc', 'typescript/bin/tsc'],
    ['typescript/tsserver', 'typescript/bin/tsserver'],
    ['two', 'two/two.js'],
    ['two/other', 'two/other.js'],
    ['other', 'two/other.js'],
    ['@scope/tool', '@scope/tool/cli.js'],
    ['tool', '@scope/tool/cli.js'],
    ['@scope/many', '@scope/many/b.js'],
    ['@scope/many/first', '@scope/many/a.js'],
  ])('%s', async (name, file) => {
    expect(await resolveBin(workspace, name)).toBe(`/w/node_modules/${file}`)
    expect(await resolveBin(workspace, name, { cwd: 'sub' })).toBe(`/w/node_modules/${file}`)
  })

  it.each(['typescript', 'none', 'gone', 'out', 'odd', 'broken', 'missing', '', '..', '../own.js', './own.js', '@scope', 'a/b/c'])(
    'is not found: %s',
    async (name) => expect(await resolveBin(workspace, name)).toBeUndefined(),
  )

  it('is found in the project’s own package.json last', async () => expect(await resolveBin(workspace, 'own')).toBe('/w/own.js'))

  it('is found by its link in .bin', async () => {
    const linked = tree(pack('p', { run: './run.js' }, 'run.js'))
    await linked.mkdir('node_modules/.bin')
    await linked.symlink('../p/run.js', 'node_modules/.bin/run')
    expect(await resolveBin(linked, 'run')).toBe('/w/node_modules/p/run.js')
  })
})
