// @module-tag install
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createWorkspace } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { hasNpm, type LoopbackRegistry, serveRegistry } from './install-server.js'
import { type Answer, type MadePackage, madeAnswers, recordedAnswer } from './install-support.js'
import recorded from './registry/metadata.json'

const run = promisify(execFile)

let registry: LoopbackRegistry
let folder: string
/** Made for one test, instead of what is recorded. */
let made: Readonly<Record<string, Answer>> | undefined
const NOT_FOUND: Answer = () => new Response('{}', { status: 404 })

beforeAll(async () => {
  registry = await serveRegistry((path) => (made ? (made[path] ?? NOT_FOUND) : () => recordedAnswer(path)))
  folder = await realpath(await mkdtemp(join(tmpdir(), 'toolport-npm-')))
})

afterAll(async () => {
  registry.close()
  await rm(folder, { recursive: true, force: true })
})

/** npm against the loopback registry, without anything of the machine's own settings. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const settings = ['--registry', registry.address, '--replace-registry-host', 'always', '--no-audit', '--no-fund', '--no-update-notifier']
  const own = ['--cache', join(folder, 'cache'), '--userconfig', join(folder, 'none'), '--globalconfig', join(folder, 'neither')]
  const env = { PATH: process.env.PATH, HOME: folder }
  const { stdout } = await run('npm', [...args, ...settings, ...own], { cwd, env })
  return stdout
}

async function projects(json: object): Promise<{ readonly ours: string; readonly theirs: string }> {
  const at = await mkdtemp(join(folder, 'case-'))
  const [ours, theirs] = [join(at, 'ours'), join(at, 'theirs')]
  for (const path of [ours, theirs]) {
    await mkdir(path)
    await writeFile(join(path, 'package.json'), `${JSON.stringify({ name: 'case', version: '1.0.0', ...json }, null, 2)}\n`)
  }
  return { ours, theirs }
}

async function install(root: string, packages: readonly string[] = [], options: { readonly dev?: boolean } = {}) {
  const workspace = createWorkspace({ fs: createNodeFs({ root }) })
  const asked: string[] = []
  const network = createFetch({ origins: [new URL(registry.address).origin] })
  const fetch: typeof network = {
    name: network.name,
    fetch: (request) => {
      asked.push(request.url.slice(registry.address.length))
      return network.fetch(request)
    },
  }
  const report = await installPackages(workspace, { packages, fetch, registry: registry.address, ...options })
  await workspace.close()
  return { report, asked }
}

const text = (...path: string[]): Promise<string> => readFile(join(...path), 'utf8')

async function listing(path: string): Promise<string[]> {
  const all = await readdir(path, { recursive: true })
  return all.filter((name) => !name.endsWith('.package-lock.json')).sort()
}

describe.skipIf(!hasNpm)('beside npm', () => {
  it.each<[string, object, string[], { dev?: boolean }?]>([
    ['one package', {}, ['nanoid']],
    ['versions in conflict', {}, ['is-odd', 'is-number@7']],
    ['a range, an exact version and an alias', {}, ['nanoid@^4', 'semver@7.8.6', 'short@npm:nanoid@5']],
    ['for development', { dependencies: { uuid: '^11.0.0' } }, ['yaml'], { dev: true }],
    ['what package.json asks for', { dependencies: { 'is-odd': '3' }, devDependencies: { 'is-number': '^7.0.0' } }, []],
  ])('%s: the same files, links, lock file and package.json', async (_, json, packages, options = {}) => {
    const { ours, theirs } = await projects(json)
    await install(ours, packages, options)
    await npm(theirs, 'install', ...packages, ...(options.dev ? ['--save-dev'] : []))
    expect(await text(ours, 'package-lock.json')).toBe(await text(theirs, 'package-lock.json'))
    expect(await text(ours, 'package.json')).toBe(await text(theirs, 'package.json'))
    expect(await listing(join(ours, 'node_modules'))).toEqual(await listing(join(theirs, 'node_modules')))
    expect(await text(ours, 'node_modules/.package-lock.json')).toBe(await text(theirs, 'node_modules/.package-lock.json'))
  })

  it('takes the lock file and node_modules of the other, and has nothing to do', async () => {
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

  const GRAPHS: Record<string, readonly MadePackage[]> = {
    'cycles and versions in conflict': [
      { name: 'a', version: '1.0.0', dependencies: { b: '^1.0.0', c: '^2.0.0' } },
      { name: 'b', version: '1.0.0', dependencies: { a: '^1.0.0', c: '^1.0.0' } },
      { name: 'c', version: '1.0.0', dependencies: { d: '1.x' } },
      { name: 'c', version: '2.0.0', dependencies: { d: '>=1.1.0-0' } },
      { name: 'd', version: '1.0.0', dependencies: { c: '1' } },
      { name: 'd', version: '1.1.0-beta.1' },
      { name: '@s/e', version: '0.1.0', dependencies: { c: '*', f: 'npm:b@1' } },
      { name: 'top', version: '1.0.0', dependencies: { a: '1', '@s/e': '~0.1.0', c: '1.0.0' }, bin: { top: './cli.js' } },
    ],
    'everything that the lock file says of a package': [
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

  it('says of each package whom it is there for, as npm', async () => {
    made = await madeAnswers([
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
    try {
      const { ours, theirs } = await projects({
        dependencies: { a: '1' },
        devDependencies: { d: '1', f: '1' },
        optionalDependencies: { o: '1' },
      })
      await install(ours)
      await npm(theirs, 'install', '--package-lock-only')
      expect(await text(ours, 'package-lock.json')).toBe(await text(theirs, 'package-lock.json'))
      expect(await text(ours, 'package-lock.json')).toContain('"devOptional": true')
    } finally {
      made = undefined
    }
  })

  it.each(Object.keys(GRAPHS))('chooses and places as npm: %s', async (name) => {
    made = await madeAnswers(GRAPHS[name] ?? [])
    try {
      const { ours, theirs } = await projects({})
      const wanted = name === 'express' ? 'express' : 'top'
      await install(ours, [wanted])
      await npm(theirs, 'install', wanted, '--package-lock-only')
      expect(await text(ours, 'package-lock.json')).toBe(await text(theirs, 'package-lock.json'))
      expect(JSON.parse(await npm(ours, 'ls', '--all', '--json'))).not.toHaveProperty('problems')
    } finally {
      made = undefined
    }
  })
})

/** What express needs, with nothing in the packages. */
function expressTree(): MadePackage[] {
  return Object.values(recorded).flatMap(({ versions }) => Object.values(versions as unknown as Record<string, MadePackage>))
}
