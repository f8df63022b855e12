// @module-tag install
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { besideNpm, listing, text } from './install-npm-support.js'
import { hasNpm } from './install-server.js'

const { npm, projects, install, serve } = besideNpm()

describe.skipIf(!hasNpm)('the installer and npm', () => {
  it.each<[string, object, string[], { dev?: boolean }?]>([
    ['one package', {}, ['nanoid']],
    ['conflicting versions', {}, ['is-odd', 'is-number@7']],
    ['a range, an exact version and an alias', {}, ['nanoid@^4', 'semver@7.8.6', 'short@npm:nanoid@5']],
    ['for development', { dependencies: { uuid: '^11.0.0' } }, ['yaml'], { dev: true }],
    ['the dependencies in package.json', { dependencies: { 'is-odd': '3' }, devDependencies: { 'is-number': '^7.0.0' } }, []],
  ])('%s: write the same files, links, lockfile and package.json', async (_, json, packages, options = {}) => {
    const { ours, theirs } = await projects(json)
    await install(ours, packages, options)
    await npm(theirs, 'install', ...packages, ...(options.dev ? ['--save-dev'] : []))
    expect(await text(ours, 'package-lock.json')).toBe(await text(theirs, 'package-lock.json'))
    expect(await text(ours, 'package.json')).toBe(await text(theirs, 'package.json'))
    expect(await listing(join(ours, 'node_modules'))).toEqual(await listing(join(theirs, 'node_modules')))
    expect(await text(ours, 'node_modules/.package-lock.json')).toBe(await text(theirs, 'node_modules/.package-lock.json'))
  })

  it('accept each other’s lockfile and node_modules without changes', async () => {
    const { ours, theirs } = await projects({})
    await install(ours, ['is-odd', 'is-number@7', 'semver'])
    const lock = await text(ours, 'package-lock.json')
    expect(JSON.parse(await npm(ours, 'ls', '--all', '--json'))).not.toHaveProperty('problems')
    await npm(ours, 'ci', '--dry-run')
    await npm(ours, 'install', '--package-lock-only')
    expect(await text(ours, 'package-lock.json')).toBe(lock)
    await npm(theirs, 'install', 'is-odd', 'is-number@7', 'semver')
    const { report, asked } = await install(theirs)
    expect({ report, asked }).toMatchObject({ report: { added: [], updated: [], removed: [], unchanged: 4 }, asked: [] })
  })

  it('mark packages equally as dev, optional and peer', async () => {
    await serve([
      {
        name: 'a',
        version: '1.0.0',
        dependencies: { shared: '1' },
        peerDependencies: { d: '1', o: '1' },
        peerDependenciesMeta: { d: { optional: true } },
      },
      { name: 'd', version: '1.0.0', dependencies: { shared: '1', e: '1' } },
      { name: 'e', version: '1.0.0' },
      { name: 'f', version: '1.0.0', dependencies: { g: '1' } },
      { name: 'g', version: '1.0.0' },
      { name: 'o', version: '1.0.0', dependencies: { g: '1' } },
      { name: 'shared', version: '1.0.0' },
    ])
    const { ours, theirs } = await projects({
      dependencies: { a: '1' },
      devDependencies: { d: '1', f: '1' },
      optionalDependencies: { o: '1' },
    })
    await install(ours)
    await npm(theirs, 'install', '--package-lock-only')
    expect(await text(ours, 'package-lock.json')).toBe(await text(theirs, 'package-lock.json'))
    expect(await text(ours, 'package-lock.json')).toContain('"devOptional": true')
  })
})
