// @module-tag install
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { type Answer, failure, madeRegistry, network, project, REGISTRY, recordedAnswer } from './install-support.js'

const pkg = (dependencies: Record<string, string>, more: object = {}): string => JSON.stringify({ name: 'case', dependencies, ...more })

describe('real packages', () => {
  it('are fetched, checked and placed like by npm', async () => {
    const { install, json, workspace } = project(network())
    const report = await install(['is-odd@3', 'is-number', 'nanoid@^5', 'semver@latest', 'uuid@11', 'yaml@2'])
    expect(report.added.map(({ name, version, path }) => `${name} ${version} ${workspace.relative(path)}`)).toEqual([
      'is-number 7.0.0 node_modules/is-number',
      'is-odd 3.0.1 node_modules/is-odd',
      'is-number 6.0.0 node_modules/is-odd/node_modules/is-number',
      'nanoid 5.1.16 node_modules/nanoid',
      'semver 7.8.6 node_modules/semver',
      'uuid 11.1.1 node_modules/uuid',
      'yaml 2.9.1 node_modules/yaml',
    ])
    expect(report).toMatchObject({ updated: [], removed: [], unchanged: 0, lockfile: '/workspace/package-lock.json', warnings: [] })
    expect(report.requested.map(({ name }) => name)).toEqual(['is-odd', 'is-number', 'nanoid', 'semver', 'uuid', 'yaml'])
    expect(await json('package.json')).toEqual({
      dependencies: { 'is-number': '^7.0.0', 'is-odd': '^3.0.1', nanoid: '^5.1.16', semver: '^7.8.6', uuid: '^11.1.1', yaml: '^2.9.1' },
    })
    expect((await json('node_modules/is-odd/node_modules/is-number/package.json')).version).toBe('6.0.0')
    expect(await workspace.readlink('node_modules/.bin/semver')).toBe('../semver/bin/semver.js')
    expect((await workspace.list('node_modules')).map(({ name }) => name).filter((name) => name.startsWith('.'))).toEqual([
      '.bin',
      '.package-lock.json',
    ])
  })

  it('packages with hundreds of files are installed', async () => {
    const seen: string[] = []
    const { install, workspace } = project(network())
    const report = await install(['lodash-es', 'zod'], { onProgress: ({ phase }) => void (seen.at(-1) === phase || seen.push(phase)) })
    expect(report.files).toBeGreaterThan(1400)
    expect((await workspace.readText('node_modules/lodash-es/chunk.js')).text).toContain('export default chunk')
    expect(await workspace.exists('node_modules/zod/v4/mini/index.js')).toBe(true)
    expect(seen[0]).toBe('resolve')
    expect(seen.at(-1)).toBe('write')
  })
})

describe('the lockfile', () => {
  it('makes a second installation send no request and change nothing', async () => {
    const net = network()
    const { install, tree } = project(net)
    await install(['is-odd', 'nanoid@^5'])
    const before = await tree()
    net.asked.length = 0
    expect(await install()).toMatchObject({ added: [], updated: [], removed: [], unchanged: 3, files: 0 })
    expect(await install(['nanoid', 'is-odd@3'])).toMatchObject({
      added: [],
      unchanged: 3,
      requested: [{ name: 'nanoid' }, { name: 'is-odd' }],
    })
    expect(net.asked).toEqual([])
    expect(await tree()).toEqual(before)
  })

  it('makes an installation elsewhere fetch the same versions without metadata', async () => {
    const first = project(network())
    await first.install(['nanoid@4.0.2', 'is-odd'])
    const [json, lock] = [await first.workspace.readText('package.json'), await first.workspace.readText('package-lock.json')]
    const net = network()
    const second = project(net, { 'package.json': json.text, 'package-lock.json': lock.text })
    await second.install()
    expect(net.asked.toSorted()).toEqual(['is-number/-/is-number-6.0.0.tgz', 'is-odd/-/is-odd-3.0.1.tgz', 'nanoid/-/nanoid-4.0.2.tgz'])
    expect(await second.tree()).toEqual(await first.tree())
  })

  it('restores a package that was removed by hand', async () => {
    const net = network()
    const { install, workspace, tree } = project(net)
    await install(['is-odd', 'nanoid'])
    const before = await tree()
    await workspace.remove('node_modules/nanoid', { recursive: true })
    net.asked.length = 0
    expect(await install()).toMatchObject({ updated: [{ name: 'nanoid' }], unchanged: 2 })
    expect(net.asked).toEqual(['nanoid/-/nanoid-5.1.16.tgz'])
    expect(await tree()).toEqual(before)
  })

  it.each([
    ['not JSON', '{', /package-lock.json" is not JSON/],
    ['without packages', '{"lockfileVersion":3}', /it has no "packages"/],
    ['with a path outside node_modules', '{"packages":{"node_modules/../../x":{"version":"1.0.0"}}}', /is not a package/],
    ['with a link', '{"packages":{"node_modules/x":{"link":true,"resolved":"packages/x"}}}', /link or a workspace/],
    ['with an invalid name', '{"packages":{"node_modules/x":{"name":"../../../x","version":"1.0.0"}}}', /is not a package/],
    ['with an invalid version', '{"packages":{"node_modules/x":{"version":"../x"}}}', /is not a package/],
  ])('%s: rejected', async (_, lock, message) => {
    const { install, tree } = project(network(), { 'package.json': pkg({}), 'package-lock.json': lock })
    const before = await tree()
    expect(await failure(install(['nanoid']))).toMatchObject({ message: expect.stringMatching(message), details: { reason: 'project' } })
    expect(await tree()).toEqual(before)
  })

  it('a lockfile of npm 6 is ignored', async () => {
    const { install, json } = project(network(), { 'package.json': pkg({ nanoid: '5' }), 'package-lock.json': '{"lockfileVersion":1}' })
    await install()
    expect(await json('package-lock.json')).toMatchObject({ lockfileVersion: 3 })
  })
})

describe('package specs', () => {
  const made = () =>
    madeRegistry([
      { name: 'a', version: '1.0.0' },
      { name: 'a', version: '1.1.0' },
      { name: 'a', version: '1.2.0', deprecated: 'broken' },
      { name: 'a', version: '2.0.0-rc.1' },
      { name: '@s/b', version: '1.0.0' },
      { name: 'JSONThing', version: '1.0.0' },
      { name: 'latest-low', version: '2.0.0' },
      { name: 'latest-low', version: '1.5.0' },
    ])

  it.each([
    ['a@^1', 'a', '1.1.0', '^1.1.0'],
    ['a@1.0', 'a', '1.0.0', '1.0'],
    ['a@1.2.0', 'a', '1.2.0', '^1.2.0'],
    ['a@>=1 <1.1', 'a', '1.0.0', '>=1 <1.1'],
    ['a@latest', 'a', '2.0.0-rc.1', '^2.0.0-rc.1'],
    ['a', 'a', '2.0.0-rc.1', '^2.0.0-rc.1'],
    ['@s/b', '@s/b', '1.0.0', '^1.0.0'],
    ['@s/b@1', '@s/b', '1.0.0', '^1.0.0'],
    ['other@npm:@s/b@1', 'other', '1.0.0', 'npm:@s/b@^1.0.0'],
    ['JSONThing', 'JSONThing', '1.0.0', '^1.0.0'],
    ['latest-low', 'latest-low', '1.5.0', '^1.5.0'],
    ['latest-low@>=1', 'latest-low', '1.5.0', '^1.5.0'],
    ['latest-low@>=1.6', 'latest-low', '2.0.0', '^2.0.0'],
  ])('%s', async (text, name, version, saved) => {
    const { install, json, workspace } = project(await made())
    expect((await install([text])).requested).toEqual([{ name, version, path: `/workspace/node_modules/${name}` }])
    expect((await json('package.json')).dependencies).toEqual({ [name]: saved })
    expect(await workspace.exists(`node_modules/${name}/package.json`)).toBe(true)
  })

  it.each([
    'git+https://host.example/x.git',
    'github:user/repo',
    'user/repo',
    'file:../x',
    './x',
    '../x',
    '/etc',
    'x@file:../x',
    'x@workspace:*',
    'x@https://host.example/x.tgz',
    'https://host.example/x.tgz',
    'x@user/repo',
    'x@link:y',
    '@s/x/y',
  ])('%s: rejected', async (text) => {
    const net = await made()
    const error = await failure(project(net).install([text]))
    expect(error).toMatchObject({
      name: 'InputError',
      message: expect.stringContaining('only registry packages'),
      details: { reason: 'spec' },
    })
    expect(net.asked).toEqual([])
  })

  it('package specs without a matching version get an error with the newest version', async () => {
    const { install } = project(await made())
    const error = await failure(install(['a@^9']))
    expect(error.message).toBe('Cannot install "a@^9": no version fits (the newest is 2.0.0-rc.1; tags: latest 2.0.0-rc.1)')
    expect((await failure(install(['a@next']))).message).toContain('there is no such tag')
    expect((await failure(install(['a@9.9.9']))).message).toContain('there is no such version')
    const unknown = await failure(install(['nowhere']))
    expect(unknown.message).toBe('Cannot install "nowhere": the registry has no package of this name (404). Check the spelling')
  })

  it('package specs that cannot be installed get an error with the dependent package', async () => {
    const net = await madeRegistry([{ name: 'a', version: '1.0.0', dependencies: { b: 'git://host.example/b' } }])
    expect((await failure(project(net).install(['a']))).message).toContain('"b@git://host.example/b" (needed by a@1.0.0)')
    const other = await madeRegistry([{ name: 'a', version: '1.0.0', dependencies: { b: '1' } }])
    expect((await failure(project(other).install(['a']))).message).toContain('"b" (needed by a@1.0.0): the registry has no package')
  })
})

describe('changing dependencies', () => {
  const made = () =>
    madeRegistry([
      { name: 'a', version: '1.0.0', dependencies: { c: '1' }, bin: { tool: 'one.js' }, files: { 'one.js': '1' } },
      { name: 'a', version: '2.0.0', dependencies: { c: '2', '@s/d': '1' }, bin: { tool: 'two.js' }, files: { 'two.js': '2' } },
      { name: 'b', version: '1.0.0', dependencies: { c: '1' } },
      { name: 'c', version: '1.0.0' },
      { name: 'c', version: '2.0.0' },
      { name: '@s/d', version: '1.0.0' },
    ])

  it('replaces a version, and back', async () => {
    const { install, tree, workspace } = project(await made())
    await install(['a@1', 'b'])
    const before = await tree()
    const report = await install(['a@2'])
    expect(report).toMatchObject({
      updated: [{ name: 'a', from: '1.0.0', version: '2.0.0' }],
      added: [{ name: '@s/d' }, { path: '/workspace/node_modules/a/node_modules/c', version: '2.0.0' }],
      removed: [],
      unchanged: 2,
    })
    expect(await workspace.readlink('node_modules/.bin/tool')).toBe('../a/two.js')
    expect(await workspace.exists('node_modules/a/one.js')).toBe(false)
    const back = await install(['a@1'])
    expect(back.removed.map(({ name, path }) => `${name} ${path}`)).toEqual([
      '@s/d /workspace/node_modules/@s/d',
      'c /workspace/node_modules/a/node_modules/c',
    ])
    expect(await tree()).toEqual(before)
    expect(await workspace.exists('node_modules/@s')).toBe(false)
  })

  it('keeps nested packages of a replaced package', async () => {
    const net = await madeRegistry([
      { name: 'a', version: '1.0.0', dependencies: { c: '1' } },
      { name: 'a', version: '1.0.1', dependencies: { c: '1' } },
      { name: 'c', version: '1.0.0' },
      { name: 'c', version: '2.0.0' },
    ])
    const { install, workspace } = project(net)
    await install(['a@1.0.0', 'c@2'])
    net.asked.length = 0
    expect(await install(['a@1.0.1'])).toMatchObject({ updated: [{ name: 'a' }], added: [], unchanged: 2 })
    expect(net.asked).toEqual(['a', 'a/-/a-1.0.1.tgz'])
    expect(await workspace.exists('node_modules/a/node_modules/c/package.json')).toBe(true)
  })

  it('removes packages that package.json no longer lists', async () => {
    const { install, json, workspace } = project(await made())
    await install(['a@2', 'b'])
    await workspace.writeText('package.json', pkg({ b: '1' }))
    expect((await install()).removed.map(({ name }) => name).toSorted()).toEqual(['@s/d', 'a', 'c'])
    expect(Object.keys((await json('package-lock.json')).packages)).toEqual(['', 'node_modules/b', 'node_modules/b/node_modules/c'])
    expect(await workspace.exists('node_modules/.bin/tool')).toBe(false)
  })

  it('moves a package to devDependencies and back', async () => {
    const { install, json } = project(await made(), { 'package.json': pkg({ c: '1' }) })
    await install(['c'], { dev: true })
    expect(await json('package.json')).toEqual({ name: 'case', devDependencies: { c: '1' } })
    expect((await json('package-lock.json')).packages['node_modules/c']).toMatchObject({ dev: true })
    await install(['c@2'])
    expect(await json('package.json')).toEqual({ name: 'case', devDependencies: { c: '^2.0.0' } })
    await install(['c'], { dev: false })
    expect(await json('package.json')).toEqual({ name: 'case', dependencies: { c: '^2.0.0' } })
  })

  it.each([
    ['tabs', '{\n\t"name": "x"\n}\n', '{\n\t"name": "x",\n\t"dependencies": {\n\t\t"c": "^1.0.0"\n\t}\n}\n'],
    ['carriage returns', '{\r\n  "name": "x"\r\n}', '{\r\n  "name": "x",\r\n  "dependencies": {\r\n    "c": "^1.0.0"\r\n  }\r\n}'],
    [
      'a byte order mark',
      '\uFEFF{\n  "private": true\n}\n',
      '\uFEFF{\n  "private": true,\n  "dependencies": {\n    "c": "^1.0.0"\n  }\n}\n',
    ],
  ])('keeps the style of package.json: %s', async (_, before, after) => {
    const { install, workspace } = project(await made(), { 'package.json': before })
    await install(['c@1'])
    const { bytes } = await workspace.readBytes('package.json')
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(after)
  })

  it('works in a project below the root', async () => {
    const fs = createMemoryFs({ files: { 'apps/one/package.json': pkg({ c: '1' }) } })
    const { install, workspace } = project(await made(), {}, fs)
    expect((await install([], { cwd: 'apps/one' })).lockfile).toBe('/workspace/apps/one/package-lock.json')
    expect(await workspace.exists('node_modules')).toBe(false)
    expect(await workspace.exists('apps/one/node_modules/c/package.json')).toBe(true)
  })
})

describe('warnings of an installation', () => {
  it('name missing and unsuitable peer dependencies', async () => {
    const net = await madeRegistry([
      {
        name: 'plugin',
        version: '1.0.0',
        peerDependencies: { host: '^2.0.0', extra: '1', maybe: '1' },
        peerDependenciesMeta: { maybe: { optional: true } },
      },
      { name: 'host', version: '1.0.0' },
      { name: 'host', version: '2.0.0' },
    ])
    const { install } = project(net)
    const messages = async (packages: string[]): Promise<string[]> =>
      (await install(packages)).warnings.map(({ kind, message }) => `${kind}: ${message}`)
    expect(await messages(['plugin', 'host@1'])).toEqual([
      'peer: plugin@1.0.0 needs the peer dependency extra@1, and it is not installed: install it too',
      'peer: plugin@1.0.0 needs the peer dependency host@^2.0.0, and 1.0.0 is installed: install it too',
    ])
    expect(await messages(['host@2'])).toEqual([
      'peer: plugin@1.0.0 needs the peer dependency extra@1, and it is not installed: install it too',
    ])
    expect(net.asked).not.toContain('extra')
  })

  it('are not needed where a package is placed next to its peer dependencies', async () => {
    const net = await madeRegistry([
      { name: 'app', version: '1.0.0', dependencies: { plugin: '1', host: '1' } },
      { name: 'plugin', version: '1.0.0', peerDependencies: { host: '1' } },
      { name: 'host', version: '1.0.0' },
      { name: 'host', version: '2.0.0' },
    ])
    const { install, workspace } = project(net)
    expect((await install(['app', 'host@2'])).warnings).toEqual([])
    expect(await workspace.exists('node_modules/app/node_modules/plugin/package.json')).toBe(true)
  })

  it('name optional packages that are missing or for other platforms', async () => {
    const net = await madeRegistry([
      { name: 'a', version: '1.0.0', optionalDependencies: { gone: '1', linux: '1', deep: '1', any: '1' } },
      { name: 'linux', version: '1.0.0', os: ['linux'], cpu: ['x64'], dependencies: { helper: '1' } },
      { name: 'helper', version: '1.0.0' },
      { name: 'deep', version: '1.0.0', dependencies: { gone: '1' } },
      { name: 'any', version: '1.0.0', os: ['!win32'] },
    ])
    const { install, workspace, json } = project(net)
    const { warnings, added } = await install(['a'])
    expect(added.map(({ name }) => name)).toEqual(['a', 'any'])
    expect(
      warnings
        .filter(({ kind }) => kind === 'optional')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['deep', 'gone', 'helper', 'linux'])
    expect(await workspace.exists('node_modules/linux')).toBe(false)
    expect(Object.keys((await json('package-lock.json')).packages)).toContain('node_modules/linux')
    net.asked.length = 0
    expect(await install()).toMatchObject({ added: [], unchanged: 2 })
  })

  it('name native parts, install scripts, deprecation and engines', async () => {
    const net = await madeRegistry([
      { name: 'native', version: '1.0.0', files: { 'binding.gyp': '{}' } },
      { name: 'prebuilt', version: '1.0.0', files: { 'lib/x.node': 'ELF' } },
      { name: 'scripted', version: '1.0.0', scripts: { postinstall: 'node x.js' }, deprecated: 'use another' },
      { name: 'modern', version: '1.0.0', engines: { node: '>=99' } },
    ])
    const { install, json } = project(net)
    const { warnings } = await install(['native', 'prebuilt', 'scripted', 'modern'], { nodeVersion: '20.0.0' })
    expect(warnings.map(({ kind, name, version }) => `${kind} ${name}@${version}`)).toEqual([
      'engine modern@1.0.0',
      'native native@1.0.0',
      'native prebuilt@1.0.0',
      'deprecated scripted@1.0.0',
      'install_script scripted@1.0.0',
    ])
    expect(warnings.map(({ message }) => message)).toContain('scripted@1.0.0 is deprecated: use another')
    expect((await json('package-lock.json')).packages['node_modules/native'].hasInstallScript).toBe(true)
    expect((await install()).warnings).toEqual([])
  })

  it('are not needed for bundled packages, which are kept', async () => {
    const inner = { 'node_modules/inner/package.json': '{"name":"inner","version":"3.0.0"}', 'node_modules/stray/index.js': '' }
    const net = await madeRegistry([
      { name: 'a', version: '1.0.0', dependencies: { inner: '3' }, bundleDependencies: ['inner'], files: inner },
    ])
    const { install, workspace, json } = project(net)
    await install(['a'])
    expect(await workspace.exists('node_modules/a/node_modules/inner/package.json')).toBe(true)
    expect(await workspace.exists('node_modules/a/node_modules/stray')).toBe(false)
    expect((await json('package-lock.json')).packages['node_modules/a/node_modules/inner']).toMatchObject({
      version: '3.0.0',
      inBundle: true,
    })
    net.asked.length = 0
    expect(await install()).toMatchObject({ unchanged: 1 })
    expect(net.asked).toEqual([])
  })
})

describe('overrides', () => {
  const made = () =>
    madeRegistry([
      { name: 'a', version: '1.0.0', dependencies: { c: '1' } },
      { name: 'c', version: '1.0.0' },
      { name: 'c', version: '2.0.0' },
    ])

  it.each([[{ c: '2.0.0' }], [{ c: '$c' }]])('%j', async (overrides) => {
    const own: Record<string, string> = overrides.c === '$c' ? { a: '1', c: '2' } : { a: '1' }
    const { install, json } = project(await made(), { 'package.json': pkg(own, { overrides }) })
    await install()
    expect((await json('package-lock.json')).packages['node_modules/c'].version).toBe('2.0.0')
    expect((await json('package-lock.json')).packages['node_modules/a/node_modules/c']).toBeUndefined()
  })

  it.each([[{ a: { c: '2' } }], [{ 'c@1': '2' }], [{ c: '$none' }], [{ a: '9' }], ['x']])('%j: rejected', async (overrides) => {
    const { install } = project(await made(), { 'package.json': pkg({ a: '1' }, { overrides }) })
    expect(await failure(install())).toMatchObject({ message: expect.stringContaining('"overrides"'), details: { reason: 'project' } })
  })
})

describe('the registry', () => {
  it('may be a proxy with a path, which also serves tarballs', async () => {
    const base = 'https://proxy.example/npm/'
    const headers: (string | null)[] = []
    const answer: Answer = (request) => {
      headers.push(request.headers.get('authorization'), request.headers.get('accept')?.split(';')[0] ?? null)
      return recordedAnswer('is-number')
    }
    const net = network({ 'is-number': answer }, base)
    const { install, json } = project(net)
    await install(['is-number'], { registry: base.slice(0, -1), headers: { authorization: 'Bearer key' } })
    expect(net.asked).toEqual(['is-number', 'is-number/-/is-number-7.0.0.tgz'])
    // The second request asks for abbreviated metadata, which some registries support.
    expect(headers).toEqual(['Bearer key', 'application/vnd.npm.install-v1+json'])
    expect((await json('package-lock.json')).packages['node_modules/is-number'].resolved).toBe(`${REGISTRY}is-number/-/is-number-7.0.0.tgz`)
  })

  it('receives at most six concurrent requests', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `p${i}`)
    let [now, most] = [0, 0]
    const made = await madeRegistry(names.map((name) => ({ name, version: '1.0.0' })))
    const fetch: typeof made.fetch = {
      name: 'counting',
      fetch: async (request) => {
        most = Math.max(most, ++now)
        await new Promise((resolve) => setTimeout(resolve, 1))
        try {
          return await made.fetch.fetch(request)
        } finally {
          now--
        }
      },
    }
    const { install } = project({ fetch, asked: [] })
    await install(names)
    expect(most).toBe(6)
    expect(made.asked).toHaveLength(60)
  })

  it.each(['', 'registry.example', 'ftp://registry.example', 'https://user:word@registry.example/', 'https://registry.example/?x'])(
    'must be a valid URL: %j',
    async (registry) => {
      expect(await failure(project(network()).install(['nanoid'], { registry }))).toBeInstanceOf(TypeError)
    },
  )
})

describe('the workspace of an installation', () => {
  it('a workspace without links gets no .bin', async () => {
    const fs = createMemoryFs()
    const without = new Proxy(fs, { get: (target, key) => (key === 'symlink' ? undefined : Reflect.get(target, key)) })
    const { install, workspace } = project(network(), {}, without)
    await install(['nanoid'])
    expect(await workspace.exists('node_modules/.bin')).toBe(false)
    expect(await workspace.exists('node_modules/nanoid/bin/nanoid.js')).toBe(true)
  })

  it('a workspace that is read-only, without a project, or with a linked node_modules is rejected before any request', async () => {
    const net = network()
    const readOnly = createWorkspace({ fs: createMemoryFs(), policy: { readOnly: true } })
    const options = { packages: ['nanoid'], fetch: net.fetch, registry: REGISTRY }
    expect(await failure(installPackages(readOnly, options))).toMatchObject({ name: 'FsError', code: 'EROFS' })
    expect((await failure(project(net).install())).message).toContain('there is no package.json in "/workspace"')
    expect(await failure(project(net).install(['nanoid'], { cwd: 'none' }))).toMatchObject({ code: 'ENOENT' })
    const { workspace, install } = project(net)
    await workspace.mkdir('elsewhere')
    await workspace.symlink('elsewhere', 'node_modules')
    expect(await failure(install(['nanoid']))).toMatchObject({ code: 'ELOOP' })
    expect(net.asked).toEqual([])
  })

  it('applies its path rules', async () => {
    const net = network()
    const fs = createMemoryFs({ files: { 'package.json': pkg({}) } })
    const workspace = createWorkspace({ fs, policy: { paths: [{ paths: 'node_modules', access: 'write', action: 'deny' }] } })
    const options = { packages: ['nanoid'], fetch: net.fetch, registry: REGISTRY }
    expect(await failure(installPackages(workspace, options))).toMatchObject({ code: 'EACCES' })
    expect(await workspace.files()).toEqual({ 'package.json': pkg({}) })
  })

  it.each([
    ['not JSON', '{', 'is not JSON'],
    ['a list', '[]', 'does not hold a JSON object'],
    ['invalid dependencies', '{"dependencies":["a"]}', '"dependencies" of'],
    ['an invalid version', '{"devDependencies":{"a":1}}', '"devDependencies" of'],
    ['an unsupported dependency', '{"dependencies":{"a":"file:../a"}}', '(of package.json)'],
    ['workspaces', '{"workspaces":["packages/*"]}', '"workspaces"'],
  ])('a workspace with a package.json with %s: rejected', async (_, text, message) => {
    const net = network()
    const { install, tree } = project(net, { 'package.json': text })
    expect(await failure(install(['nanoid']))).toMatchObject({ name: 'InputError', message: expect.stringContaining(message) })
    expect(await tree()).toEqual({ 'package.json': text })
  })

  it('runs two installations one after the other', async () => {
    const { install, json, workspace } = project(network())
    await Promise.all([install(['nanoid']), install(['is-odd']), install(['uuid'])])
    expect(Object.keys((await json('package.json')).dependencies)).toEqual(['is-odd', 'nanoid', 'uuid'])
    for (const name of ['is-odd', 'nanoid', 'uuid']) expect(await workspace.exists(`node_modules/${name}/package.json`)).toBe(true)
  })
})
