// @module-tag install
import { createMemoryFs } from 'toolport/adapters/memory'
import { writeTar } from 'toolport/archive'
import { type FaultOperation, type Faults, forEachFault, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import type { FsAdapter } from '../../src/index.js'
import {
  type Answer,
  failure,
  integrityOf,
  type MadePackage,
  madeAnswers,
  madeRegistry,
  type Network,
  network,
  project,
  REGISTRY,
  tarballOf,
  zipped,
} from './install-support.js'

/** A registry with a package whose tarball has these bytes. */
async function serving(bytes: Uint8Array<ArrayBuffer>, dist: object = {}, manifest: object = {}): Promise<Network> {
  const version = {
    name: 'bad',
    version: '1.0.0',
    dist: { tarball: `${REGISTRY}bad/-/bad-1.0.0.tgz`, integrity: await integrityOf(bytes), ...dist },
    ...manifest,
  }
  return network({
    bad: () => Response.json({ name: 'bad', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
    'bad/-/bad-1.0.0.tgz': () => new Response(bytes),
  })
}

const good = (): Promise<Uint8Array<ArrayBuffer>> => tarballOf({ name: 'bad', version: '1.0.0', files: { 'index.js': 'x'.repeat(5000) } })

interface RawEntry {
  readonly path: string
  readonly type?: string
  readonly content?: string
  readonly target?: string
  readonly mode?: string
}

/** A tar archive with any names and kinds of entries. */
function rawTar(entries: readonly RawEntry[]): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = []
  for (const { path, type = '0', content = '', target = '', mode = '0000644' } of entries) {
    const block = new Uint8Array(512)
    const put = (at: number, text: string): void => block.set(new TextEncoder().encode(text), at)
    put(0, path)
    put(100, `${mode}\0`)
    put(124, `${content.length.toString(8).padStart(11, '0')}\0`)
    put(148, '        ')
    put(156, type)
    put(157, target)
    put(257, 'ustar\x0000')
    put(
      148,
      `${block
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
    )
    const body = new Uint8Array(Math.ceil(content.length / 512) * 512)
    body.set(new TextEncoder().encode(content))
    blocks.push(block, body)
  }
  blocks.push(new Uint8Array(1024))
  return new Uint8Array(blocks.flatMap((block) => [...block]))
}

const MANIFEST: RawEntry = { path: 'package/package.json', content: '{"name":"bad","version":"1.0.0"}' }

/** Expects the install to fail and to change nothing. */
async function refused(net: Network, packages: readonly string[] = ['bad'], options = {}) {
  const { install, tree } = project(net, { 'package.json': '{"name":"case"}' })
  const before = await tree()
  const error = await failure(install(packages, options))
  expect(await tree()).toEqual(before)
  return error
}

describe('hostile tarballs', () => {
  it('tarballs that differ from the published digest are rejected', async () => {
    const bytes = await good()
    const wrong = await integrityOf(new Uint8Array([1]))
    const error = await refused(await serving(bytes, { integrity: wrong }))
    expect(error).toMatchObject({ name: 'NetworkError', code: 'network' })
    expect(error.message).toContain(`Expected ${wrong}, got ${await integrityOf(bytes)}`)
    const cut = await serving(bytes.slice(0, 100), { integrity: await integrityOf(bytes) })
    expect((await refused(cut)).message).toContain('(100 bytes)')
  })

  it('are checked against their strongest digest', async () => {
    const bytes = await good()
    const other = new Uint8Array([1])
    const [sha1, sha384, sha512] = await Promise.all(['SHA-1', 'SHA-384', 'SHA-512'].map((name) => integrityOf(bytes, name)))
    const [wrong1, wrong512] = await Promise.all(['SHA-1', 'SHA-512'].map((name) => integrityOf(other, name)))
    const hex = Array.from(atob((sha1 as string).slice(5)), (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('')
    for (const dist of [
      { integrity: sha384 },
      { integrity: sha1 },
      { integrity: `${wrong1} ${sha512}` },
      { integrity: `${wrong512} ${sha512}?option` },
      { integrity: undefined, shasum: hex },
    ]) {
      const { install, json } = project(await serving(bytes, dist))
      await install(['bad'])
      expect((await json('package-lock.json')).packages['node_modules/bad'].integrity).toBe(dist.integrity ?? sha1)
    }
    for (const integrity of [`${sha1} ${wrong512}`, 'sha512-', 'md5-abc', undefined]) {
      expect(await refused(await serving(bytes, { integrity }))).toMatchObject({ name: 'NetworkError' })
    }
  })

  it.each<[string, () => Promise<Uint8Array<ArrayBuffer>>, string]>([
    ['a truncated tarball', async () => (await good()).slice(0, -20), 'cut off'],
    ['a body that is not gzip', async () => new TextEncoder().encode('<html>no</html>'), 'gzip data is damaged'],
    ['a body that is not a tar archive', () => zipped(new TextEncoder().encode('x'.repeat(2000))), 'tar'],
    ['an empty tarball', () => zipped(new Uint8Array()), 'empty'],
    ['no package.json', () => zipped(rawTar([{ path: 'package/x', content: 'x' }])), 'no package.json'],
    ['an invalid package.json', () => zipped(rawTar([{ path: 'package/package.json', content: '[]' }])), 'not a JSON object'],
    [
      'a path outside the package',
      () => zipped(rawTar([MANIFEST, { path: 'package/../../../evil.js', content: 'x' }])),
      'leaves the archive with',
    ],
    ['an absolute path', () => zipped(rawTar([MANIFEST, { path: '/etc/evil', content: 'x' }])), 'absolute path'],
    ['a backslash', () => zipped(rawTar([MANIFEST, { path: 'package\\..\\evil', content: 'x' }])), 'backslash'],
    ['a link', () => zipped(rawTar([MANIFEST, { path: 'package/l', type: '2', target: '/etc/passwd' }])), 'is a link'],
    ['a hard link', () => zipped(rawTar([MANIFEST, { path: 'package/l', type: '1', target: 'package/package.json' }])), 'hard link'],
    ['a device', () => zipped(rawTar([MANIFEST, { path: 'package/d', type: '3' }])), 'character device'],
    ['a repeated file', () => zipped(rawTar([MANIFEST, { path: 'a/x', content: '1' }, { path: 'b/x', content: '2' }])), 'appears twice'],
    [
      'a file and a directory of the same name',
      () => zipped(rawTar([MANIFEST, { path: 'a/x', content: '1' }, { path: 'b/x/y', content: '2' }])),
      'is below a file',
    ],
    ['another name', () => tarballOf({ name: 'worse', version: '1.0.0' }), 'says that it is "worse@1.0.0"'],
    ['another version', () => tarballOf({ name: 'bad', version: '1.0.1' }), 'says that it is "bad@1.0.1"'],
  ])('%s', async (_, make, message) => {
    const error = await refused(await serving(await make()))
    expect(error.message).toContain('Cannot unpack bad@1.0.0: ')
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ name: 'InputError', details: { reason: 'tarball', package: 'bad@1.0.0' } })
  })

  it('above the size or file limit are rejected', async () => {
    const bomb = await zipped(
      writeTar([
        { path: 'package/package.json', kind: 'file', size: 32, content: new TextEncoder().encode('{"name":"bad","version":"1.0.0"}') },
        { path: 'package/zeros', kind: 'file', size: 40_000_000, content: new Uint8Array(40_000_000) },
      ]),
    )
    expect(await refused(await serving(bomb))).toMatchObject({ code: 'EFBIG', message: expect.stringContaining('bad@1.0.0') })
    const many = await tarballOf({
      name: 'bad',
      version: '1.0.0',
      files: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, 'x'])),
    })
    expect(await refused(await serving(many), ['bad'], { limits: { files: 50 } })).toMatchObject({ code: 'EFBIG' })
    expect(await refused(await serving(many), ['bad'], { limits: { unpackedBytes: 60 } })).toMatchObject({ code: 'EFBIG' })
    expect(await refused(await serving(many), ['bad'], { limits: { packageBytes: 60 } })).toMatchObject({
      name: 'NetworkError',
      code: 'too_large',
    })
    const { install } = project(await serving(many))
    await install(['bad'], { limits: { files: 51, unpackedBytes: 500 } })
  })
})

it('a tarball that contains a file twice, with the same content, is installed', async () => {
  const entries = ['package/a.js', 'package/./a.js', 'package/a.js'].map((path) => ({ path, content: '1' }))
  const { install, tree } = project(await serving(await zipped(rawTar([MANIFEST, ...entries]))))
  await install(['bad'])
  expect(await tree()).toMatchObject({ 'node_modules/bad/a.js': '1' })
})

it('a repeated file is executable if one of its entries is', async () => {
  for (const modes of [
    ['0000644', '0000755'],
    ['0000755', '0000644'],
  ]) {
    const entries = modes.map((mode) => ({ path: 'package/a.js', content: '1', mode }))
    const { install, workspace } = project(await serving(await zipped(rawTar([MANIFEST, ...entries]))))
    await install(['bad'])
    expect((await workspace.stat('node_modules/bad/a.js')).mode).toBe(0o755)
  }
})

it.each([
  ['files', { path: 'package/a.js' }, 'the packages exceed the file limit of the install'],
  ['directories', { path: 'package/a/', type: '5' }, 'more entries than the limit'],
  ['files of a package that is not bundled', { path: 'package/node_modules/a/a.js' }, 'more entries than the limit'],
])('repeated %s count against the file limit', async (_, entry, message) => {
  const bytes = await zipped(rawTar([MANIFEST, ...Array(150).fill(entry)]))
  const error = await refused(await serving(bytes), ['bad'], { limits: { files: 20 } })
  expect(error).toMatchObject({ code: 'EFBIG', message: expect.stringContaining(message) })
})

describe('hostile metadata', () => {
  const answering = (body: unknown): Network =>
    network({ bad: () => (typeof body === 'string' ? new Response(body) : Response.json(body)) })

  it.each<[string, unknown, string]>([
    ['not JSON', '<html>', 'not JSON'],
    ['a list', [], 'describes no package'],
    ['null', 'null', 'describes no package'],
    ['no versions', { name: 'bad' }, 'describes no package'],
    ['metadata of another package', { name: 'other', versions: {} }, 'describes another package'],
    [
      'invalid versions',
      { name: 'bad', 'dist-tags': { latest: '../../x' }, versions: { '../../x': { name: 'bad', version: '../../x' } } },
      'it has no versions',
    ],
    [
      'a version of another package',
      { name: 'bad', versions: { '1.0.0': { name: 'other', version: '1.0.0', dist: {} } } },
      'no version fits',
    ],
    ['no tarball address', { name: 'bad', versions: { '1.0.0': { name: 'bad', version: '1.0.0' } } }, 'does not say where'],
  ])('%s', async (_, body, message) => {
    expect((await refused(answering(body))).message).toContain(message)
  })

  it('metadata with prototype names stays data', async () => {
    const bytes = await good()
    const text = JSON.stringify({
      name: 'bad',
      version: '1.0.0',
      dist: { tarball: `${REGISTRY}bad/-/bad-1.0.0.tgz`, integrity: await integrityOf(bytes) },
    })
    const polluted = `{"__proto__":{"evil":1},"name":"bad","dist-tags":{"__proto__":"1.0.0","latest":"1.0.0"},"versions":{"__proto__":${text},"1.0.0":${text.slice(0, -1)},"__proto__":{"evil":2},"bin":{"__proto__":"x","ok":"index.js"},"engines":{"__proto__":"x"}}}}`
    const { install, workspace } = project(network({ bad: () => new Response(polluted), 'bad/-/bad-1.0.0.tgz': () => new Response(bytes) }))
    await install(['bad'])
    expect(({} as { evil?: number }).evil).toBeUndefined()
    expect((await workspace.list('node_modules/.bin')).map(({ name }) => name)).toEqual(['ok'])
    const named = await refused(await madeRegistry([{ name: 'a', version: '1.0.0', dependencies: JSON.parse('{"__proto__":"1"}') }]), ['a'])
    expect(named).toMatchObject({ details: { reason: 'name' } })
  })

  it.each([
    '..',
    '.',
    '.bin',
    'node_modules',
    '_x',
    '@s/node_modules',
    '@s/..',
    '@../x',
    'x%2fy',
    'a b',
    'é',
    'x'.repeat(215),
    '@s',
    '@/x',
    '',
  ])('cannot name a package %j', async (name) => {
    expect(await refused(network(), [name])).toMatchObject({ name: 'InputError' })
    const net = await madeRegistry([{ name: 'a', version: '1.0.0', dependencies: { [name]: '1' } }])
    expect(await refused(net, ['a'])).toMatchObject({ name: 'InputError', details: { reason: 'name' } })
    expect(net.asked.filter((path) => !path.startsWith('a'))).toEqual([])
  })

  it('can only name commands with files inside the package', async () => {
    const bin = { '../up': 'x.js', ok: './a/../x.js', out: '../../x.js', 'a/b': 'x.js', '.hidden': 'x.js', fine: '/bin//x.js' }
    const { install, workspace } = project(await madeRegistry([{ name: 'a', version: '1.0.0', bin }]))
    await install(['a'])
    const links = await workspace.list('node_modules/.bin')
    expect(await Promise.all(links.map(async ({ name }) => [name, await workspace.readlink(`node_modules/.bin/${name}`)]))).toEqual([
      ['b', '../a/x.js'],
      ['fine', '../a/bin/x.js'],
      ['up', '../a/x.js'],
    ])
  })

  it.each([
    ['another host', 'https://elsewhere.example/files/bad.tgz'],
    ['another protocol', 'file:///etc/passwd'],
    ['a password', 'https://user:word@registry.example/bad/-/bad-1.0.0.tgz'],
    ['a relative path', '../bad.tgz'],
  ])('cannot refer to tarballs at %s', async (_, tarball) => {
    const net = await serving(await good(), { tarball })
    expect(await refused(net)).toMatchObject({ name: 'NetworkError', code: 'blocked_origin' })
    expect(net.asked).toEqual(['bad'])
  })

  it('above the size limit is rejected', async () => {
    const huge = { name: 'bad', versions: {}, readme: 'x'.repeat(5000) }
    expect(await refused(answering(huge), ['bad'], { limits: { metadataBytes: 4000 } })).toMatchObject({ code: 'too_large' })
    const lying: Answer = () => new Response('{}', { headers: { 'content-length': '999999999' } })
    expect(await refused(network({ bad: lying }))).toMatchObject({ code: 'too_large' })
  })
})

describe('the registry', () => {
  it('gets a retry after a temporary failure', async () => {
    const answers = await madeAnswers([{ name: 'a', version: '1.0.0' }])
    let count = 0
    const net = network({ ...answers, a: (request) => (++count < 3 ? new Response('', { status: 503 }) : (answers.a as Answer)(request)) })
    await project(net).install(['a'])
    expect(count).toBe(3)
  })

  it.each([500, 403, 418])('a registry that answers with status %i is reported', async (status) => {
    const error = await refused(network({ bad: () => new Response('secret', { status }) }))
    expect(error).toMatchObject({ name: 'NetworkError', code: 'http_status', httpStatus: status })
    expect(error.message).toContain(`answered ${status} for the description of "bad"`)
    expect(error.message).not.toContain('secret')
  })

  it('a registry that never answers: an abort ends the installation and nothing is written', async () => {
    const never: Answer = () => new Response(new ReadableStream())
    const stop = new AbortController()
    const net = network({ bad: never })
    const { install, tree, workspace } = project(net)
    const work = failure(install(['bad', 'nanoid'], { signal: stop.signal }))
    await expect.poll(() => net.asked.length).toBeGreaterThan(1)
    const waiting = failure(install(['nanoid'], { signal: AbortSignal.any([stop.signal]) }))
    const reason = new Error('enough')
    stop.abort(reason)
    expect(await work).toBe(reason)
    expect(await waiting).toBe(reason)
    expect(await tree()).toEqual({})
    // The aborted installs have released their lock: this write succeeds.
    await workspace.writeText('package.json', '{}')
    expect(await failure(install(['nanoid'], { signal: AbortSignal.abort(reason) }))).toBe(reason)
  })

  it('an abort has effect until packages are put in place', async () => {
    for (const phase of ['resolve', 'fetch', 'unpack', 'write']) {
      const stop = new AbortController()
      const { install, tree } = project(network())
      const onProgress = (progress: { readonly phase: string }): void => {
        if (progress.phase === phase) stop.abort(new Error(phase))
      }
      expect((await failure(install(['nanoid', 'is-odd'], { signal: stop.signal, onProgress }))).message).toBe(phase)
      expect(await tree()).toEqual({})
    }
  })
})

describe('dependency graph limits', () => {
  it('10,000 dependencies are rejected before they are fetched', async () => {
    const dependencies = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`d${i}`, '1']))
    const net = await madeRegistry([{ name: 'a', version: '1.0.0', dependencies }])
    expect(await refused(net, ['a'])).toMatchObject({ details: { reason: 'limit' } })
    expect(net.asked.length).toBeLessThan(10)
    const own = project(net, { 'package.json': JSON.stringify({ dependencies }) })
    expect(await failure(own.install())).toMatchObject({ details: { reason: 'limit' } })
  })

  it('an endless chain of dependencies ends at the limit', async () => {
    const answer = (name: string): Response =>
      Response.json({
        name,
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { name, version: '1.0.0', dependencies: { [`c${Number(name.slice(1)) + 1}`]: '1' }, dist: {} } },
      })
    const answers = new Proxy(
      {},
      { get: (_, path) => () => (String(path).includes('/') ? new Response('', { status: 404 }) : answer(String(path))) },
    )
    expect(await refused(network(answers), ['c0'], { limits: { packages: 50 } })).toMatchObject({
      message: expect.stringContaining('more than 50 packages'),
      details: { reason: 'limit' },
    })
  })

  it('deeply nested packages end at the limit', async () => {
    // Each package needs another version of the same name, so none can be deduplicated.
    const chain: MadePackage[] = Array.from({ length: 40 }, (_, i) => ({
      name: i % 2 ? 'a' : 'b',
      version: `1.0.${i}`,
      dependencies: { [i % 2 ? 'b' : 'a']: `1.0.${i + 1}` },
    }))
    const net = await madeRegistry([...chain, { name: 'b', version: '1.0.40' }])
    expect(await refused(net, ['b@1.0.0'], { limits: { depth: 5 } })).toMatchObject({ message: expect.stringContaining('packages deep') })
    expect((await project(net).install(['b@1.0.0'], { limits: { depth: 100 } })).added).toHaveLength(41)
  })
})

const changing = ({ changes }: FaultOperation): boolean => changes

describe('an installation is atomic', () => {
  const made = (): Promise<Network> =>
    madeRegistry([
      { name: 'a', version: '1.0.0', dependencies: { c: '1' }, bin: { tool: 'one.js' }, files: { 'one.js': '1' } },
      {
        name: 'a',
        version: '2.0.0',
        dependencies: { c: '1', '@s/d': '1' },
        bin: { tool: 'two.js', more: 'two.js' },
        files: { 'lib/two.js': '2' },
      },
      { name: 'b', version: '1.0.0' },
      { name: 'c', version: '1.0.0' },
      { name: 'c', version: '2.0.0' },
      { name: '@s/d', version: '1.0.0' },
    ])
  const start = async (net: Network): Promise<FsAdapter> => {
    const fs = createMemoryFs({ files: { 'package.json': '{ "name": "case" }' } })
    await project(net, {}, fs).install(['a@1', 'b', 'c@2'])
    return fs
  }
  /** An install that updates, adds and removes packages. */
  const change = (net: Network, fs: FsAdapter) => project(net, {}, fs).install(['a@2', '@s/d'])

  it('after any failed change, everything is as before', async () => {
    const net = await made()
    let failures = 0
    const body = async (faults: Faults): Promise<void> => {
      const fs = await start(net)
      const { tree } = project(net, {}, fs)
      const [before, links] = [await tree(), await fs.readlink?.('/node_modules/.bin/tool')]
      const failed = await change(net, withFaults(fs, faults)).then(
        () => false,
        () => true,
      )
      // An install succeeds even if it cannot remove its temporary files.
      if (!failed) return
      failures++
      expect(await tree()).toEqual(before)
      expect(await fs.readlink?.('/node_modules/.bin/tool')).toBe(links)
      expect((await fs.readdir('/node_modules')).filter(({ name }) => name.startsWith('.toolport-'))).toEqual([])
    }
    const { runs } = await forEachFault(body, { faults: [{ fault: 'ENOSPC', when: changing }] })
    expect(runs).toBeGreaterThan(20)
    expect(failures).toBeGreaterThan(runs - 8)
  })

  // `isSame`: the next install repeats the interrupted one. Otherwise it requests nothing new, and completes the old or the new packages.
  it.each([true, false])('after a crash at any moment, the next installation completes it: %s', async (isSame) => {
    const net = await made()
    let after: Record<string, unknown> | undefined
    const body = async (faults: Faults): Promise<void> => {
      const fs = await start(net)
      const { install, tree, json } = project(net, {}, fs)
      const before = await tree()
      await change(net, withFaults(fs, faults)).catch(() => undefined)
      after ??= await tree()
      const { dependencies } = await json('package.json')
      await (isSame ? change(net, fs) : install())
      expect(await tree()).toEqual(isSame || '@s/d' in dependencies ? after : before)
      expect((await fs.readdir('/node_modules')).filter(({ name }) => name.startsWith('.toolport-'))).toEqual([])
    }
    await forEachFault(body, { faults: [{ fault: 'disconnect', when: changing }] })
  })

  it('an installation is atomic on a case-insensitive storage', async () => {
    const net = await madeRegistry([
      { name: 'thing', version: '1.0.0' },
      { name: 'Thing', version: '1.0.0' },
      { name: 'twice', version: '1.0.0', files: { 'a.js': '1', 'A.js': '2' } },
    ])
    const fs = createMemoryFs()
    const folding: FsAdapter = { ...fs, can: { ...fs.can, caseSensitive: false } }
    const { install, tree } = project(net, {}, folding)
    expect(await failure(install(['thing', 'Thing']))).toMatchObject({ message: expect.stringContaining('ignores upper and lower case') })
    expect((await failure(install(['twice']))).message).toContain('appears twice')
    expect(await tree()).toEqual({})
  })

  it('an installation is atomic at a quota', async () => {
    const fs = createMemoryFs({ maxFiles: 10 })
    const { install, tree } = project(network(), {}, fs)
    expect(await failure(install(['nanoid']))).toMatchObject({ code: 'ENOSPC' })
    expect(await tree()).toEqual({})
    expect(await fs.usage()).toEqual({ bytes: 0, files: 0 })
  })
})
