// @module-tag cli
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { madeAnswers } from '../packages/install-support.js'
import { type Ended, ended, sharedCli, startCli, usualEnv } from './cli-support.js'

const shared = sharedCli()
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-cli-js-'))
})

afterEach(() => rm(root, { recursive: true }))

const toolport = (args: readonly string[], stdin?: string, env?: NodeJS.ProcessEnv): Promise<Ended> => shared(root, args, stdin, env)

const call = (name: string, input: object, ...args: string[]): Promise<Ended> => toolport(['call', name, JSON.stringify(input), ...args])
const output = ({ stdout }: Ended): unknown => JSON.parse(stdout).output
/** A program that needs Node's own `node:net`. */
const REACH = `import { createServer } from 'node:net'
const server = createServer()
export default await new Promise((resolve) => server.listen(0, () => resolve(typeof server.address().port)))
server.close()`

describe('toolport --js', () => {
  it('is off by default', async () => {
    const lists = await Promise.all([['tools'], ['tools', '--js', 'none']].map((args) => toolport(args)))
    for (const { stdout } of lists) expect(stdout).not.toMatch(/_js |persistent/)
    const { code, stderr } = await call('run_js', { code: '1' })
    expect(code).toBe(1)
    expect(stderr).toContain('no js adapter')
  })

  it('runs programs in a sandbox, at any position on the command line', async () => {
    const program = '{"code":"console.log(6 * 7)"}'
    const lines = [
      ['call', 'run_js', program, '--js'],
      ['--js', 'call', 'run_js', program],
      ['call', 'run_js', '--js', 'sandbox', program],
      ['call', 'run_js', '--memory', '--js', '--shell', 'none', program],
    ]
    for (const end of await Promise.all(lines.map((args) => toolport(args)))) expect(end).toEqual({ code: 0, stdout: '42\n', stderr: '' })
  })

  it('limits a sandboxed program to the workspace, and a Node program not', async () => {
    const sandboxed = await call('run_js', { code: REACH }, '--js', '--json')
    expect(output(sandboxed)).toMatchObject({ exit_code: 1, stderr: expect.stringContaining('createServer') })
    expect(output(await call('run_js', { code: REACH }, '--js', 'node', '--json'))).toMatchObject({ exit_code: 0, result: 'number' })
  })

  it('writes nothing with --read-only', async () => {
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync('n', 'x')`
    const result = await call('run_js', { code }, '--js', '--read-only', '--json')
    expect(output(result)).toMatchObject({ exit_code: 1, stderr: expect.stringContaining('EROFS') })
    expect(existsSync(join(root, 'n'))).toBe(false)
  })

  it('adds node and js to the virtual shell, with the same files', async () => {
    const command = `echo 'export default 7' > n.mjs; js n.mjs; node -e 'console.log(1)'`
    expect(await call('bash', { command }, '--js', '--shell', 'virtual')).toEqual({ code: 0, stdout: '7\n1\n', stderr: '' })
    expect((await call('bash', { command: 'node -e 1' }, '--shell', 'virtual')).stdout).toContain('not found')
  })

  it('ends a program on an interrupt and returns its output', async () => {
    const code = `console.log('printed'); const text = 'a'.repeat(1e6); for (;;) text.indexOf('b')`
    const interrupted = async (waitMs: number): Promise<Ended> => {
      const child = startCli(root, ['run', '-', '--js'])
      const end = ended(child)
      child.stdin.write('{"name":"list_files"}\n')
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.stdin.write(`${JSON.stringify({ name: 'run_js', input: { code } })}\n`)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      child.kill('SIGINT')
      return end
    }
    // The program never ends by itself. On a busy machine it may start late, so the time before the interrupt grows.
    const { code: status, stdout } = await withGrowingTime(interrupted, ({ stdout }) => stdout.includes('printed'))
    expect(status).toBe(130)
    expect(JSON.parse(stdout.trimEnd().split('\n')[1] ?? '')).toMatchObject({
      ok: true,
      output: { aborted: true, exit_code: null, stdout: 'printed\n' },
    })
  })
})

describe('persistent tools on the command line', () => {
  const add = { name: 'add', description: 'Adds two numbers.', handler_code: 'return input.a + input.b' }
  const ADD_TOLD = expect.stringMatching(/^toolport: the workspace contains the tools add \(\/.*\/\.toolport\/tools\/add\.mjs\)\n$/)

  it('exist in the next call, with their parameters', async () => {
    expect(await call('create_persistent_tool', add, '--js')).toMatchObject({ code: 0, stderr: '' })
    expect(await call('add', { a: 1, b: 2 }, '--js')).toEqual({ code: 0, stdout: '3\n', stderr: ADD_TOLD })
    const [described, lines, without] = await Promise.all([
      toolport(['tools', 'add', '--js']),
      toolport(['run', '-', '--js'], '{"name":"add","input":{"a":2,"b":2}}'),
      call('add', { a: 1, b: 2 }),
    ])
    expect(described).toMatchObject({ stdout: expect.stringMatching(/^Adds two numbers\.\n/), stderr: ADD_TOLD })
    expect(lines).toMatchObject({ stdout: expect.stringContaining('"output":4'), stderr: ADD_TOLD })
    expect(without).toMatchObject({ code: 1, stdout: '' })
  })

  it('exist in every preset', async () => {
    await call('create_persistent_tool', add, '--js')
    const presets = ['loom', 'loaf', 'loom-elixir', 'zeroclaw']
    const ends = await Promise.all(presets.map((preset) => call('add', { a: 1, b: 2 }, '--js', '--preset', preset)))
    for (const end of ends) expect(end).toEqual({ code: 0, stdout: '3\n', stderr: ADD_TOLD })
  })

  it('are not named on stderr for calls of other tools', async () => {
    await call('create_persistent_tool', add, '--js')
    expect(await call('read_file', { path: '.toolport/tools/add.mjs' }, '--js')).toMatchObject({ code: 0, stderr: '' })
  })

  it('load with --js node only if the user trusts the content of the folder', async () => {
    const env = { ...usualEnv(), XDG_CONFIG_HOME: join(root, 'home') }
    const sum = (...args: string[]): Promise<Ended> =>
      toolport(['call', 'add', '{"a": 1, "b": 2}', '--js', 'node', ...args], undefined, env)
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining('Cannot load the tools in .toolport/tools') }
    const works = { code: 0, stdout: '3\n', stderr: ADD_TOLD }
    expect(await toolport(['call', 'read_file', 'path=x', '--js', 'node'], undefined, env)).toMatchObject({
      stderr: expect.not.stringContaining('Cannot load'),
    })
    await call('create_persistent_tool', add, '--js')
    expect(await sum()).toMatchObject(refused)
    expect(await sum('--trust', '--no-config')).toEqual(works)
    expect(await sum()).toEqual(works)
    await writeFile(join(root, '.toolport/tools/helper.json'), '{}')
    expect(await sum()).toMatchObject(refused)
    expect(existsSync(join(root, 'ran'))).toBe(false)
    await writeFile(
      join(root, '.toolport/tools/evil.mjs'),
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(root, 'ran'))}, '')`,
    )
    expect(await sum()).toMatchObject(refused)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  it('do not load with --js node if a part of the folder is unreadable', async () => {
    await call('create_persistent_tool', add, '--js')
    // Node can create each half, but cannot list a path that contains both halves. Git can create such a path.
    const half = Array.from({ length: 12 }, () => 'x'.repeat(200)).join('/')
    const [outer, inner] = [join(root, '.toolport/tools', half), join(root, half)]
    await Promise.all([outer, inner].map((path) => mkdir(path, { recursive: true })))
    await rename(join(root, 'x'.repeat(200)), join(outer, 'y'))
    const env = { ...usualEnv(), XDG_CONFIG_HOME: join(root, 'home') }
    const end = await toolport(['call', 'add', '{"a": 1, "b": 2}', '--js', 'node'], undefined, env)
    await rename(join(outer, 'y'), join(root, 'y'))
    expect(end).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Cannot load the tools of the workspace') })
  })

  it.each([
    ['without a home directory', { HOME: '' }],
    ['with relative paths in the environment', { HOME: 'home', XDG_CONFIG_HOME: '.config' }],
  ])('%s, are not trusted because of a list in the workspace', async (_, environment) => {
    const env = { ...usualEnv(), XDG_CONFIG_HOME: join(root, '.config') }
    // Node reads HOME only from the environment with which the process started.
    const sum = (given: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> =>
      ended(startCli(root, ['call', 'add', '{"a": 1, "b": 2}', '--js', 'node', ...args], given))
    await call('create_persistent_tool', add, '--js')
    expect(await sum(env, '--trust')).toMatchObject({ code: 0 })
    const poor = { ...env, XDG_CONFIG_HOME: '', ...environment }
    expect(await sum(poor)).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot load the tools') })
    const stderr = expect.stringContaining('Cannot remember that .toolport/tools is trusted: there is no home directory')
    expect(await sum(poor, '--trust')).toMatchObject({ code: 0, stdout: '3\n', stderr })
  })

  it('are listed without characters that control a terminal', async () => {
    await mkdir(join(root, '.toolport/tools'), { recursive: true })
    const text = `export const name = 'c'; export const description = 'x\u202ey'; export const run = () => 'fine'`
    await writeFile(join(root, '.toolport/tools/c\u001b[8m.mjs'), text)
    const ends = await Promise.all([['tools'], ['tools', 'c']].map((args) => toolport([...args, '--js'])))
    for (const { stdout } of ends) {
      expect(stdout).toContain('x⟨U+202E⟩y')
      expect(stdout).not.toContain('\u001b')
    }
  })

  it('persistent tools that fail to load are reported on stderr, one line each, and the command continues', async () => {
    await mkdir(join(root, '.toolport/tools'), { recursive: true })
    await writeFile(join(root, '.toolport/tools/a.mjs'), 'export const = 1')
    await writeFile(join(root, '.toolport/tools/b.mjs'), `throw new Error('not\\n\\u001b[8mtoday')`)
    await writeFile(join(root, '.toolport/tools/c.mjs'), `export const name = 'c'; export const run = () => 'fine'`)
    const { code, stdout, stderr } = await call('c', {}, '--js')
    expect([code, stdout]).toEqual([0, 'fine\n'])
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^toolport: the workspace contains the tools c \(/),
      expect.stringMatching(/^toolport: failed loading .*a\.mjs: /),
      expect.stringMatching(/^toolport: failed loading .*b\.mjs: not \[8mtoday/),
    ])
  })
})

describe('toolport --registry', () => {
  /** Starts a registry with one package, and returns its address. */
  async function registry(): Promise<string> {
    const answers = await madeAnswers([{ name: 'one', version: '1.0.0', main: 'i.js', files: { 'i.js': 'module.exports = 1\n' } }])
    const server = createServer(async ({ url = '' }, response) => {
      const answer = await answers[url.slice(1)]?.({ url, headers: new Headers(), signal: new AbortController().signal })
      response.writeHead(answer?.status ?? 404).end(answer && new Uint8Array(await answer.arrayBuffer()))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  it('installs packages from that registry', async () => {
    const install = ['call', 'install_js_packages', '{"packages":["one"]}', '--js', '--registry', await registry()]
    expect(await toolport(install)).toMatchObject({ code: 0, stderr: '' })
    expect(await call('run_js', { code: `import one from 'one'; console.log(one)` }, '--js')).toMatchObject({ code: 0, stdout: '1\n' })
  })

  it('can be set in the environment, and without it no package tool is offered', async () => {
    const offered = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> =>
      /^install_js_packages /m.test((await toolport(['tools', ...args], '', env)).stdout)
    const address = 'http://127.0.0.1:9/'
    const lists = [
      offered(['--js'], {}),
      offered(['--js', '--registry', address], {}),
      offered(['--js'], { TOOLPORT_REGISTRY: address }),
      offered([], { TOOLPORT_REGISTRY: address }),
    ]
    expect(await Promise.all(lists)).toEqual([false, true, true, false])
  })

  it('a registry in the environment is ignored without --js', async () => {
    expect(await toolport(['tools'], '', { TOOLPORT_REGISTRY: 'none' })).toMatchObject({ code: 0, stderr: '' })
    expect(await toolport(['tools', '--js'], '', { TOOLPORT_REGISTRY: 'none' })).toMatchObject({ code: 2 })
  })
})
