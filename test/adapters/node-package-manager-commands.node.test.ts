// @module-tag node-js
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseManager, lockOf } from '../../adapters/node/packages/choose.js'
import { type CommandOptions, commandOf, type ManagerName } from '../../adapters/node/packages/commands.js'
import { compareTrees, readTree } from '../../adapters/node/packages/installed.js'
import { failureOf } from '../../adapters/node/packages/manager.js'
import { cleaner, wholeLines } from '../../adapters/node/packages/redact.js'
import { HeadTail } from '../../src/ops/truncate.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolport-manager-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, text = ''): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('the choice of the package manager', () => {
  it('follows package.json, then the lockfile, and defaults to npm', () => {
    expect(chooseManager(folder, 'auto')).toEqual({ name: 'npm', modernYarn: false })
    for (const [lock, name] of [
      ['package-lock.json', 'npm'],
      ['bun.lockb', 'bun'],
      ['bun.lock', 'bun'],
      ['yarn.lock', 'yarn'],
      ['pnpm-lock.yaml', 'pnpm'],
    ] as const) {
      put(lock)
      expect(chooseManager(folder, 'auto').name).toBe(name)
      expect(lockOf(folder, name)).toBe(lock)
    }
    put('package.json', '\uFEFF{ "packageManager": "yarn@1.22.22+sha512.0" }')
    expect(chooseManager(folder, 'auto')).toEqual({ name: 'yarn', modernYarn: false })
    put('package.json', '{ "packageManager": "yarn@4.5.0" }')
    expect(chooseManager(folder, 'auto')).toEqual({ name: 'yarn', modernYarn: true })
    put('package.json', '{ broken')
    expect(chooseManager(folder, 'auto').name).toBe('pnpm')
  })

  it('follows the option, and rejects an unknown manager', () => {
    put('package.json', '{ "packageManager": "deno@2" }')
    expect(chooseManager(folder, 'bun').name).toBe('bun')
    expect(() => chooseManager(folder, 'auto')).toThrow(
      'package.json asks for the package manager "deno", and only npm, pnpm, yarn, bun can be used',
    )
    put('.yarnrc.yml')
    expect(chooseManager(folder, 'yarn').modernYarn).toBe(true)
  })
})

it.skipIf(process.platform === 'win32')('ignores FIFOs instead of waiting for them', () => {
  for (const name of ['package.json', '.npmrc']) execFileSync('mkfifo', [join(folder, name)])
  expect(chooseManager(folder, 'auto').name).toBe('npm')
  const clean = cleaner({ folder, hostRoot: folder, root: '/workspace', env: { HOME: folder } })
  expect(clean('x')).toBe('x')
})

describe('the command line of each package manager', () => {
  const given = (more: Partial<CommandOptions> = {}): CommandOptions => ({
    folder: '/p',
    packages: ['a', 'b@1'],
    dev: false,
    scripts: false,
    ...more,
  })
  const line = (name: ManagerName, more?: Partial<CommandOptions>): string => commandOf(name, given(more)).args.join(' ')

  it('installs in the project, without scripts, prompts or progress output', () => {
    expect(line('npm')).toBe(
      'install --prefix /p --no-global --location=project --save --no-audit --no-fund --no-progress --no-update-notifier --loglevel=warn --logs-max=0 --ignore-scripts a b@1',
    )
    expect(line('pnpm')).toBe('add --dir /p --ignore-workspace --reporter=append-only --ignore-scripts --ignore-pnpmfile a b@1')
    expect(line('yarn')).toBe('add --cwd /p --non-interactive --no-progress --ignore-scripts a b@1')
    expect(commandOf('yarn', given({ modernYarn: true }))).toMatchObject({
      args: ['add', 'a', 'b@1'],
      env: { YARN_ENABLE_SCRIPTS: 'false' },
    })
    expect(line('bun')).toBe('add --cwd /p --no-progress --ignore-scripts a b@1')
    for (const name of ['npm', 'pnpm', 'yarn', 'bun'] as const)
      expect(commandOf(name, given()).env).toMatchObject({ COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' })
  })

  it('supports dev, registry and scripts', () => {
    const more = { dev: true, scripts: true, registry: 'https://r.example/' }
    expect(line('npm', more)).toMatch(/--logs-max=0 --save-dev --registry https:\/\/r\.example\/ a b@1$/)
    expect(line('pnpm', more)).toBe('add --dir /p --ignore-workspace --reporter=append-only --save-dev --registry=https://r.example/ a b@1')
    expect(line('yarn', more)).toBe('add --cwd /p --non-interactive --no-progress --dev --registry https://r.example/ a b@1')
    expect(commandOf('yarn', given({ ...more, modernYarn: true }))).toMatchObject({
      args: ['add', '--dev', 'a', 'b@1'],
      env: { YARN_NPM_REGISTRY_SERVER: 'https://r.example/' },
    })
    expect(commandOf('yarn', given({ ...more, modernYarn: true })).env).not.toHaveProperty('YARN_ENABLE_SCRIPTS')
    expect(line('bun', more)).toBe('add --cwd /p --no-progress --dev --registry=https://r.example/ a b@1')
  })

  it('supports an installation of the dependencies in package.json', () => {
    const none = { packages: [], dev: true }
    expect(line('npm', none)).toMatch(/^install --prefix \/p .*--ignore-scripts --save-dev$/)
    expect(line('pnpm', none)).toBe(
      'install --dir /p --ignore-workspace --reporter=append-only --ignore-scripts --ignore-pnpmfile --no-frozen-lockfile',
    )
    expect(line('yarn', none)).toBe('install --cwd /p --non-interactive --no-progress --ignore-scripts')
    expect(commandOf('yarn', given({ ...none, modernYarn: true })).args).toEqual(['install'])
    expect(line('bun', none)).toBe('install --cwd /p --no-progress --ignore-scripts')
  })
})

describe('the result of an installation', () => {
  it('lists top-level packages if the manager keeps no list', () => {
    put('node_modules/a/package.json', '{"version":"1.0.0"}')
    put('node_modules/@s/b/package.json', '{"version":"2.0.0","scripts":{"postinstall":"x"}}')
    put('node_modules/.bin/c')
    const before = readTree(folder)
    put('node_modules/a/package.json', '{"version":"1.1.0"}')
    put('node_modules/d/package.json', '{"version":"3.0.0","scripts":{"install":"x"}}')
    put('node_modules/broken/package.json', '{')
    rmSync(join(folder, 'node_modules/@s'), { recursive: true })
    expect(compareTrees(before, readTree(folder), '/w', false)).toEqual({
      added: [{ name: 'd', version: '3.0.0', path: '/w/node_modules/d' }],
      updated: [{ name: 'a', version: '1.1.0', from: '1.0.0', path: '/w/node_modules/a' }],
      removed: [{ name: '@s/b', version: '2.0.0', path: '/w/node_modules/@s/b' }],
      unchanged: 0,
      warnings: [expect.objectContaining({ kind: 'install_script', name: 'd' })],
    })
  })

  it('lists all packages from npm’s list', () => {
    const list = {
      packages: { 'node_modules/a/node_modules/@s/b': { version: '1.0.0', deprecated: 'old' }, 'node_modules/l': { link: true } },
    }
    put('node_modules/.package-lock.json', JSON.stringify(list))
    expect(compareTrees(new Map(), readTree(folder), '/w', true)).toMatchObject({
      added: [{ name: '@s/b', path: '/w/node_modules/a/node_modules/@s/b' }],
      warnings: [{ kind: 'deprecated', message: '@s/b@1.0.0 is deprecated: old' }],
    })
  })
})

describe('the messages of an installation', () => {
  it('contain no keys and no host paths', () => {
    put('.npmrc', `//r.example/:_authToken=abc\${MISSING}def\n_auth="cXdlcnR5"\nalways-auth=true\n//q.example/:_password = cGFzcw==\n`)
    put('home/.yarnrc.yml', 'npmAuthToken: "yarn-key-1"\n')
    put('bunfig.toml', '[install]\nregistry = { url = "https://r.example/", token = "bun-key-1" }\n')
    const env = { HOME: join(folder, 'home'), NPM_TOKEN: 'env-key-1', 'npm_config_//r.example/:_authToken': 'env-key-2', LANG: 'true' }
    const clean = cleaner({ folder, hostRoot: folder, root: '/workspace', env })
    expect(clean(`abcdef cXdlcnR5 cGFzcw== yarn-key-1 true ${folder}/x`)).toBe('*** *** *** *** true /workspace/x')
    expect(clean('bun-key-1 env-key-1 env-key-2')).toBe('*** *** ***')
    expect(clean('https://me:p@ss:w@rd@r.example/a@b')).toBe('https://***@r.example/a@b')
    expect(clean('https://me:pw@r.example/a //r.example/:_authToken=zzz authorization: Bearer t0k3n')).toBe(
      'https://***@r.example/a //r.example/:_authToken=*** authorization: Bearer ***',
    )
  })

  it('replace the workspace folder and the home directory', () => {
    for (const root of ['/workspace', '/home/me/project']) {
      const clean = cleaner({ folder, hostRoot: '/home/me/project', root, env: { HOME: '/home/me' } })
      expect(clean('/home/me/project/x /home/me/.npm/y')).toBe(`${root}/x ~/.npm/y`)
    }
  })

  it('are split into whole lines', () => {
    const seen: string[] = []
    const lines = wholeLines((text) => seen.push(text))
    for (const piece of ['a', 'b\nc', '\n\nd', 'e', 'x'.repeat(70_000)]) lines.push(piece)
    lines.end()
    expect(seen.map((text) => text.slice(0, 5))).toEqual(['ab\n', 'c\n\n', 'dexxx'])
  })

  it.each([
    ['npm', 'npm error code E404\nnpm error 404 Not Found - GET https://r.example/x', 'unknown_package'],
    ['npm', 'npm error code ETARGET', 'no_version'],
    ['pnpm', ' ERR_PNPM_FETCH_404  GET https://r.example/x: Not Found - 404', 'unknown_package'],
    ['pnpm', ' ERR_PNPM_NO_MATCHING_VERSION  No matching version found for x@9', 'no_version'],
    ['yarn', `error Couldn't find package "x" on the "npm" registry.`, 'unknown_package'],
    ['yarn', `error Couldn't find any versions for "x" that matches "9"`, 'no_version'],
    ['bun', 'error: No version matching "9" found for specifier "x" (but package exists)', 'no_version'],
    ['npm', 'npm error code EWHATEVER', 'manager'],
    ['npm', 'npm error code ECONNREFUSED', undefined],
    ['pnpm', ' ERR_PNPM_META_FETCH_FAIL  GET https://r.example/x: request failed', undefined],
  ] as const)('messages of a failure determine its reason: %s, %s', (manager, words, reason) => {
    const [stdout, stderr] = [new HeadTail(4096), new HeadTail(4096)]
    stderr.push(words)
    const failure = failureOf(manager, 1, { stdout, stderr })
    expect(failure.message).toContain(`${manager} could not install (exit code 1):\n${words}`)
    expect(failure).toMatchObject(reason === undefined ? { name: 'NetworkError' } : { name: 'InputError', details: { reason } })
  })
})
