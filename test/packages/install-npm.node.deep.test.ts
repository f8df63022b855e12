// @module-tag install
import { describe, expect, it } from 'vitest'
import { besideNpm, text } from './install-npm-support.js'
import { hasNpm } from './install-server.js'
import type { MadePackage } from './install-support.js'
import recorded from './registry/metadata.json'

const { npm, projects, install, serve } = besideNpm()

const GRAPHS: Record<string, readonly MadePackage[]> = {
  'cycles and conflicting versions': [
    { name: 'a', version: '1.0.0', dependencies: { b: '^1.0.0', c: '^2.0.0' } },
    { name: 'b', version: '1.0.0', dependencies: { a: '^1.0.0', c: '^1.0.0' } },
    { name: 'c', version: '1.0.0', dependencies: { d: '1.x' } },
    { name: 'c', version: '2.0.0', dependencies: { d: '>=1.1.0-0' } },
    { name: 'd', version: '1.0.0', dependencies: { c: '1' } },
    { name: 'd', version: '1.1.0-beta.1' },
    { name: '@s/e', version: '0.1.0', dependencies: { c: '*', f: 'npm:b@1' } },
    { name: 'top', version: '1.0.0', dependencies: { a: '1', '@s/e': '~0.1.0', c: '1.0.0' }, bin: { top: './cli.js' } },
  ],
  'all lockfile fields of a package': [
    { name: 'x', version: '1.0.0', optionalDependencies: { y: '1', w: '1' }, dependencies: { y: '1' }, engines: { node: '>=4' } },
    { name: 'y', version: '1.0.0', dependencies: { z: '1' }, funding: { url: 'https://f.example' }, license: 'ISC' },
    { name: 'z', version: '1.0.0', bin: 'cli.js', license: { type: 'MIT' } },
    { name: 'w', version: '1.0.0', os: ['plan9'], cpu: ['mips'], dependencies: { v: '1' } },
    { name: 'v', version: '1.0.0' },
    { name: 'p', version: '1.0.0', peerDependencies: { z: '1', none: '2' }, peerDependenciesMeta: { none: { optional: true } } },
    { name: 'top', version: '1.0.0', dependencies: { p: '1', z: '1' }, optionalDependencies: { x: '1' } },
  ],
  express: expressTree(),
}

describe.skipIf(!hasNpm)('the installer and npm', () => {
  it.each(Object.keys(GRAPHS))('choose and place the same packages: %s', async (name) => {
    await serve(GRAPHS[name] ?? [])
    const { ours, theirs } = await projects({})
    const wanted = name === 'express' ? 'express' : 'top'
    await install(ours, [wanted])
    await npm(theirs, 'install', wanted, '--package-lock-only')
    expect(await text(ours, 'package-lock.json')).toBe(await text(theirs, 'package-lock.json'))
    expect(JSON.parse(await npm(ours, 'ls', '--all', '--json'))).not.toHaveProperty('problems')
  })
})

/** All packages that express needs, without their files. */
function expressTree(): MadePackage[] {
  return Object.values(recorded).flatMap(({ versions }) => Object.values(versions as unknown as Record<string, MadePackage>))
}
