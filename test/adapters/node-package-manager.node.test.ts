// @module-tag node-js
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRuntime, createWorkspace, type JsAdapter, jsTools, type ShellOutput, type ToolRuntime, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs, createNodePackageManager, type NodePackageManagerOptions } from 'toolport/adapters/node'
import { createLoaf } from 'toolport/presets/loaf'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasNpm, type LoopbackRegistry, serveRegistry } from '../packages/install-server.js'
import { type Answer, madeAnswers, recordedAnswer } from '../packages/install-support.js'
import { benchOver } from '../tools/harness.js'

let registry: LoopbackRegistry
let folder: string
let root: string
/** Answers that take precedence over the recorded ones. */
let made: Readonly<Record<string, Answer>> = {}
const closing: (Workspace | ToolRuntime)[] = []

beforeAll(async () => {
  registry = await serveRegistry((path) => made[path] ?? (() => recordedAnswer(path)))
  folder = await realpath(await mkdtemp(join(tmpdir(), 'toolport-manager-')))
})

afterAll(async () => {
  registry.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  root = await mkdtemp(join(folder, 'case-'))
})

afterEach(async () => {
  made = {}
  for (const each of closing.splice(0)) await ('dispose' in each ? each.dispose() : each.close())
})

const put = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
const json = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))

function workspaceOf(given: { readonly readOnly?: boolean } = {}): Workspace {
  const workspace = createWorkspace({
    fs: createNodeFs({ root }),
    root: '/workspace',
    ...(given.readOnly && { policy: { readOnly: true } }),
  })
  closing.push(workspace)
  return workspace
}

/** A package manager that ignores this machine's settings. */
function managerOf(options: NodePackageManagerOptions = {}): ReturnType<typeof createNodePackageManager> {
  const env = {
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    npm_config_globalconfig: join(folder, 'none'),
    npm_config_replace_registry_host: 'always',
  }
  return createNodePackageManager({ registry: registry.address, ...options, env: { ...env, ...options.env } })
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const IDLE: JsAdapter = {
  name: 'idle',
  can: { hardKill: true, memoryCap: true, nodeApi: false, isolated: true },
  run: () => Promise.reject(new Error('not run')),
}

function bench(options: NodePackageManagerOptions = {}): ReturnType<typeof benchOver> {
  const packageManager = managerOf(options)
  const runtime = createRuntime({ workspace: workspaceOf(), js: IDLE, tools: jsTools({ packageManager }) })
  closing.push(runtime)
  return benchOver(runtime)
}

describe.skipIf(!hasNpm)('install_js_packages by npm', () => {
  it('installs packages with their dependencies and lists the installed ones', async () => {
    const { ok, read, runtime } = bench()
    expect(await ok('install_js_packages', { packages: ['is-odd@^3', 'short@npm:nanoid@5'] })).toEqual({
      installed: [
        { name: 'is-odd', version: '3.0.1', path: '/workspace/node_modules/is-odd' },
        { name: 'short', version: '5.1.16', path: '/workspace/node_modules/short' },
      ],
      added: 3,
      updated: 0,
      removed: 0,
      unchanged: 0,
      warnings: [],
      warnings_total: 0,
      lockfile: '/workspace/package-lock.json',
      package_manager: 'npm',
      cwd: '/workspace',
      duration_ms: expect.any(Number),
    })
    expect(json('package.json')).toEqual({ dependencies: { 'is-odd': '^3.0.1', short: 'npm:nanoid@^5.1.16' } })
    expect(await read('install_js_packages', { packages: ['is-number@7'] })).toMatch(/^is-number@7\.0\.0\n\[.* ms\]$/)
    expect((await runtime.workspace.readText('node_modules/is-odd/package.json')).text).toContain('"3.0.1"')
    expect(runtime.getModelManifest().find(({ name }) => name === 'install_js_packages')?.description).not.toContain('nothing changes')
  })

  it('installs into the cwd of the call, as dev dependencies, and from package.json', async () => {
    put({ 'sub/package.json': '{"name":"sub","dependencies":{"is-number":"^7"}}', 'package.json': '{"name":"above"}' })
    const { ok, read } = bench()
    expect(await ok('install_js_packages', { packages: ['nanoid'], dev: true, cwd: 'sub' })).toMatchObject({
      added: 2,
      cwd: '/workspace/sub',
    })
    expect(json('sub/package.json')).toMatchObject({
      dependencies: { 'is-number': '^7' },
      devDependencies: { nanoid: expect.stringMatching(/^\^/) },
    })
    put({ 'sub/package.json': '{"name":"sub","dependencies":{"is-number":"^7"}}' })
    expect(await ok('install_js_packages', { packages: [], cwd: 'sub' })).toMatchObject({
      installed: [],
      added: 0,
      removed: 1,
      unchanged: 1,
    })
    expect(await read('install_js_packages', { packages: [], cwd: 'sub' })).toMatch(/^All dependencies in package\.json are installed\n/)
    expect(readdirSync(root).sort()).toEqual(['package.json', 'sub'])
  })

  it('stays in the project despite a parent package.json and settings in .npmrc', async () => {
    put({
      'package.json': '{"name":"above"}',
      'sub/.npmrc': 'global=true\nlocation=global\nignore-scripts=false\nsave=false\n',
      'sub/x': '',
    })
    const { ok } = bench()
    await ok('install_js_packages', { packages: ['is-number'], cwd: 'sub' })
    expect(readdirSync(join(root, 'sub')).sort()).toEqual(['.npmrc', 'node_modules', 'package-lock.json', 'package.json', 'x'])
    expect(json('package.json')).toEqual({ name: 'above' })
  })

  it('runs install scripts only with the option', async () => {
    made = await madeAnswers([
      {
        name: 'scripted',
        version: '1.0.0',
        scripts: { postinstall: 'node -e "fs.writeFileSync(\'ran\', process.cwd())"' },
        hasInstallScript: true,
      },
    ])
    const input = { packages: ['scripted'] }
    expect(await bench().ok('install_js_packages', input)).toMatchObject({ warnings: [{ kind: 'install_script', name: 'scripted' }] })
    expect(existsSync(join(root, 'node_modules/scripted/ran'))).toBe(false)
    await rm(join(root, 'node_modules'), { recursive: true })
    const scripts = bench({ scripts: true })
    expect(await scripts.ok('install_js_packages', input)).toMatchObject({ warnings: [] })
    expect(existsSync(join(root, 'node_modules/scripted/ran'))).toBe(true)
    const { description = '' } = scripts.runtime.getModelManifest().find(({ name }) => name === 'install_js_packages') ?? {}
    expect(description).not.toContain('Install scripts do not run')
  })

  it('reports the reason of a failure without host paths', async () => {
    const { fail } = bench()
    const unknown = await fail('install_js_packages', { packages: ['not-there-at-all'] })
    expect(unknown.output).toMatchObject({ code: 'invalid_input', reason: 'unknown_package', package_manager: 'npm', exit_code: 1 })
    expect(unknown.error).toMatch(/^npm could not install \(exit code 1\):\nnpm error code E404\n/)
    expect((await fail('install_js_packages', { packages: ['nanoid@^99'] })).output).toMatchObject({ reason: 'no_version' })
    expect((await fail('install_js_packages', { packages: [] })).output).toMatchObject({ reason: 'project' })
    put({ 'package.json': '{ broken' })
    const broken = await fail('install_js_packages', { packages: ['nanoid'] })
    expect(broken.output).toMatchObject({ reason: 'manager' })
    expect(JSON.stringify([unknown, broken])).not.toContain(folder)
  })

  it('rejects options and URLs in place of package names', async () => {
    const { fail } = bench()
    for (const [spec, reason] of [
      ['--global', 'name'],
      ['-g', 'name'],
      ['--registry=http://127.0.0.1:1/', 'spec'],
      ['./evil', 'spec'],
      ['git+https://example.com/x.git', 'spec'],
      ['nanoid@file:../x', 'spec'],
      ['evil.tgz', 'spec'],
      ['nanoid@evil.tgz', 'spec'],
      ['nanoid@1.0.0-evil.TAR.gz', 'spec'],
      ['nanoid --global', 'name'],
      ['nanoid\n--global', 'name'],
    ] as const) {
      expect((await fail('install_js_packages', { packages: [spec] })).output).toMatchObject({ code: 'invalid_input', reason })
    }
    expect(readdirSync(root)).toEqual([])
  })

  it('reports an unreachable registry as a retryable network error', async () => {
    const manager = managerOf({ registry: 'http://127.0.0.1:1/', env: { npm_config_fetch_retries: '0' } })
    await expect(manager.install(workspaceOf(), { packages: ['nanoid'] })).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'network',
      message: expect.stringMatching(/^npm could not install \(exit code 1\):\nnpm error code ECONNREFUSED\n/),
    })
  })

  it('streams output, and an abort ends npm', async () => {
    const controller = new AbortController()
    const gone = deferred<void>()
    made = {
      nanoid: ({ signal }) => {
        signal.addEventListener('abort', () => gone.resolve())
        // npm is waiting for an answer that never comes.
        controller.abort()
        return new Promise<Response>(() => {})
      },
    }
    const { runtime } = bench()
    const call = { name: 'install_js_packages', input: { packages: ['nanoid'] } }
    const result = await runtime.execute(call, { signal: controller.signal })
    expect(result.output).toMatchObject({ status: 'aborted', code: 'aborted' })
    await gone.promise
    made = {}
    const told: unknown[] = []
    await runtime.execute(call, { onProgress: (update) => told.push(update) })
    expect(told).toContainEqual({ stream: 'stdout', text: expect.stringMatching(/added 1 package/) })
  })

  it('ends at the deadline of the call', async () => {
    const { promise } = deferred<Response>()
    made = { nanoid: () => promise }
    const packageManager = managerOf()
    const runtime = createRuntime({ workspace: workspaceOf(), js: IDLE, tools: jsTools({ packageManager }), limits: { deadlineMs: 700 } })
    closing.push(runtime)
    const result = await runtime.execute({ name: 'install_js_packages', input: { packages: ['nanoid'] } })
    expect(result.output).toMatchObject({ status: 'timeout', code: 'timeout' })
    expect(existsSync(join(root, 'node_modules/nanoid'))).toBe(false)
  })

  it('works with the loaf preset', async () => {
    const loaf = createLoaf({ fs: createNodeFs({ root }), root: '/workspace', js: IDLE, jsTools: { packageManager: managerOf() } })
    const runtime = new loaf.ToolRuntime(loaf.defaultToolRegistry)
    expect(await runtime.execute({ name: 'install_js_packages', input: { packages: ['is-number'], args: ['-D'] } })).toMatchObject({
      ok: true,
      output: { exit_code: 0, package_manager: 'npm', stdout: 'is-number@7.0.0\n1 added, 0 updated, 0 removed\n' },
    })
    expect(json('package.json')).toEqual({ devDependencies: { 'is-number': '^7.0.0' } })
    await loaf.dispose()
  })

  it('runs installations one after the other, and a waiting one can be aborted', async () => {
    const asked = deferred<void>()
    const answer = deferred<Response>()
    made = {
      nanoid: () => {
        asked.resolve()
        return answer.promise
      },
    }
    const workspace = workspaceOf()
    const first = managerOf().install(workspace, { packages: ['nanoid'] })
    await asked.promise
    const controller = new AbortController()
    const second = managerOf().install(workspace, { packages: ['is-number'], signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    answer.resolve(await recordedAnswer('nanoid'))
    expect(await first).toMatchObject({ requested: [{ name: 'nanoid' }], added: [{ name: 'nanoid' }] })
  })
})

describe('createNodePackageManager', () => {
  it('rejects other storages, read-only workspaces and folders outside the workspace', async () => {
    const manager = managerOf()
    const memory = createWorkspace({ fs: createMemoryFs() })
    await expect(manager.install(memory, { packages: ['a'] })).rejects.toMatchObject({
      name: 'UnsupportedError',
      message: expect.stringMatching(/^Cannot use a package manager: .* is no directory of this machine$/),
    })
    await expect(manager.install(workspaceOf({ readOnly: true }), { packages: ['a'] })).rejects.toMatchObject({ code: 'read_only' })
    await expect(manager.install(workspaceOf(), { packages: ['a'], cwd: 'nowhere' })).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(manager.install(workspaceOf(), { packages: ['a'], cwd: '..' })).rejects.toMatchObject({ code: 'path_outside_workspace' })
    put({ file: '' })
    await expect(manager.install(workspaceOf(), { packages: ['a'], cwd: 'file' })).rejects.toMatchObject({ code: 'ENOTDIR' })
    symlinkSync(folder, join(root, 'node_modules'))
    await expect(manager.install(workspaceOf(), { packages: ['a'] })).rejects.toMatchObject({ code: 'symlink_escape' })
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })

  it('names the install command of a missing package manager', async () => {
    put({ 'pnpm-lock.yaml': '' })
    await expect(managerOf({ env: { PATH: '/nonexistent' } }).install(workspaceOf(), { packages: ['a'] })).rejects.toMatchObject({
      name: 'JsError',
      code: 'spawn_failed',
      message: expect.stringMatching(/^Cannot run pnpm: it is not installed here \("corepack enable pnpm" or .*or not in PATH$/),
    })
  })

  it('hides keys and host paths in everything that a manager prints', async () => {
    const [token, key] = ['npmSecretToken0123456789', 'cGFzc3dvcmQxMjM0']
    put({
      '.npmrc': `//one.example/:_authToken=\${NPM_KEY}\n//two.example/:_password=${key}\n`,
      'bin/npm':
        '#!/bin/sh\nprintf "%s" "$NPM_KEY"; cat .npmrc; pwd; echo "$HOME/x"; { echo "an error: $NPM_KEY"; cat .npmrc; pwd; } >&2; exit 3\n',
    })
    chmodSync(join(root, 'bin/npm'), 0o755)
    const output: ShellOutput[] = []
    const manager = managerOf({ env: { NPM_KEY: token, PATH: `${root}/bin:/usr/bin:/bin` } })
    const request = { packages: ['nanoid'], onOutput: (each: ShellOutput) => output.push(each) }
    const failed = await manager.install(workspaceOf(), request).catch((error: Error) => error)
    expect(failed).toMatchObject({
      name: 'InputError',
      details: { reason: 'manager', exit_code: 3 },
      message: expect.stringContaining('exit code 3):\nan error: ***\n'),
    })
    const all = `${(failed as Error).message}${output.map(({ text }) => text).join('')}`
    expect(all).toContain('/workspace\n')
    for (const secret of [token, key, folder]) expect(all).not.toContain(secret)
  })

  it('rejects if a package is missing after a successful installation', async () => {
    put({ 'bin/npm': '#!/bin/sh\nexit 0\n' })
    chmodSync(join(root, 'bin/npm'), 0o755)
    await expect(managerOf({ env: { PATH: `${root}/bin:/usr/bin:/bin` } }).install(workspaceOf(), { packages: ['a'] })).rejects.toThrow(
      'Cannot find "a" in node_modules after npm has installed it',
    )
  })

  it('rejects invalid options', () => {
    expect(() => createNodePackageManager({ use: 'deno' as never })).toThrow(TypeError)
    expect(() => createNodePackageManager({ registry: '--global' })).toThrow(TypeError)
    expect(() => createNodePackageManager({ registry: 'https://user:secret@registry.example/' })).toThrow(/^(?!.*secret)/)
    expect(() => createNodePackageManager({ env: { 'a=b': '1' } })).toThrow('a=b')
    expect(() => jsTools({ packageManager: managerOf(), registry: 'https://registry.example/' })).toThrow(
      '"registry" applies to the built-in installer',
    )
    expect(() => jsTools({ packageManager: {} as never })).toThrow('packageManager is not a package manager')
  })
})
