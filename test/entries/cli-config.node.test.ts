// @module-tag cli
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CLI, type Ended, ended, sharedCli, startCli, usualEnv } from './cli-support.js'

const JSON_FILE = 'toolport.config.json'
const CODE_FILE = 'toolport.config.mjs'

const shared = sharedCli()
let root: string
/** The user's configuration directory. */
let home: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-cli-config-')))
  home = `${root}-home`
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'src/a.ts'), 'export const a = 1\n')
})

afterEach(async () => {
  await rm(root, { recursive: true })
  await rm(home, { recursive: true, force: true })
})

const put = (name: string, content: unknown): Promise<void> =>
  writeFile(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))

interface Around {
  readonly stdin?: string
  readonly env?: NodeJS.ProcessEnv
}

const inHome = (env: NodeJS.ProcessEnv = usualEnv()): NodeJS.ProcessEnv => ({ ...env, XDG_CONFIG_HOME: home })

/** Runs the CLI with `--trust` if there is a config file that runs code. With an empty `stdin`, it runs in its own process. */
function toolport(words: readonly string[], { stdin, env }: Around = {}): Promise<Ended> {
  const isFound =
    existsSync(join(root, CODE_FILE)) && /^(?:call|run|tools)$/.test(words[0] ?? '') && !words.some((word) => /-config/.test(word))
  const args = isFound ? [...words, '--trust'] : words
  if (stdin !== '') return shared(root, args, stdin, inHome(env))
  const child = startCli(root, args, inHome(env))
  child.stdin.end(stdin)
  return ended(child)
}

const call = (name: string, input: object, ...args: string[]): Promise<Ended> => toolport(['call', name, JSON.stringify(input), ...args])
const names = async (...args: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await toolport(['tools', '--json', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).name)
}

async function refused(args: readonly string[] = ['tools'], around: Around = {}): Promise<string> {
  const { code, stdout, stderr } = await toolport(args, around)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).not.toMatch(/\n {4}at /)
  return stderr
}

describe('toolport.config.json', () => {
  it('can replace the command line options', async () => {
    await put(JSON_FILE, { memory: true, seed: 'src', readOnly: true, shell: 'none', preset: 'loom' })
    expect(await names()).toEqual(['edit_file', 'list_files', 'read_file'])
    expect(await names('--preset', 'standard', '--js', 'sandbox')).toContain('run_js')
    expect((await call('read_file', { path: 'a.ts' })).stdout).toContain('export const a = 1')
    expect((await call('edit_file', { path: 'n', edits: [{ old_str: '', new_str: 'x' }] })).code).toBe(1)
  })

  it('may have a byte order mark, and no settings', async () => {
    await put(JSON_FILE, '\ufeff{}')
    expect(await names()).toContain('read_file')
  })

  it('sets limits, quotas and policy', async () => {
    await put(JSON_FILE, {
      limits: { outputBytes: 1000 },
      quotas: { fileBytes: 10 },
      policy: {
        paths: [{ paths: 'secret', action: 'deny', reason: 'not yours' }],
        tools: [{ tools: ['delete_*'], action: 'deny', reason: 'nothing is deleted here' }],
        rate: { calls: 4, perMs: 3_600_000 },
      },
    })
    await put('long.txt', 'x\n'.repeat(5000))
    const calls = [
      { name: 'read_file', input: { path: 'long.txt', limit: 4000 } },
      { name: 'write_file', input: { path: 'n', content: 'more than ten' } },
      { name: 'read_file', input: { path: 'secret/key' } },
      { name: 'delete_file', input: { path: 'src/a.ts' } },
      { name: 'list_files' },
      { name: 'list_files' },
    ]
    const { stdout } = await toolport(['run', '-'], { stdin: calls.map((one) => JSON.stringify(one)).join('\n') })
    const [read, written, secret, deleted, listed, last] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(Buffer.byteLength(read.content[0].text)).toBeLessThanOrEqual(1000)
    expect(written.output).toMatchObject({ code: 'EFBIG' })
    expect(secret).toMatchObject({ ok: false, output: { code: 'EACCES' }, error: expect.stringContaining('not yours') })
    expect(deleted).toMatchObject({ output: { code: 'tool_excluded' }, error: expect.stringContaining('nothing is deleted here') })
    expect(listed.ok).toBe(true)
    expect(last.output).toMatchObject({ code: 'rate_limited' })
  })

  it('can decide on commands by their text, and denies what it cannot parse', async () => {
    await put(JSON_FILE, { shell: 'virtual', js: 'sandbox', policy: { commands: { allowedCommands: ['cat', 'rm'] } } })
    expect(await call('bash', { command: 'cat src/a.ts' })).toMatchObject({ code: 0, stdout: 'export const a = 1\n' })
    expect((await call('bash', { command: 'ls' })).stderr).toContain('"ls" is not an allowed command')
    // A command with a risk that needs an approval, and input for a running program.
    expect((await call('bash', { command: 'rm src/a.ts' })).stderr).toContain('needs approval')
    expect((await call('write_background_bash', { session_id: 'x', input: 'x' })).stderr).toContain('needs approval')
    // Programs in the sandbox reach only the workspace, so they need no approval.
    expect(await call('run_js', { code: 'console.log(1)' })).toMatchObject({ code: 0 })
    // Commands find the workspace at its real path.
    expect(await call('bash', { command: `cat ${root}/src/a.ts` })).toMatchObject({ code: 0 })
    expect((await call('bash', { command: 'cat /etc/passwd' })).code).toBe(1)
  })

  it('applies own tool rules before those of the command policy', async () => {
    const tools = [{ tools: 'write_background_bash', action: 'allow' }]
    await put(JSON_FILE, { shell: 'virtual', policy: { commands: {}, tools } })
    expect((await call('write_background_bash', { session_id: 'x', input: 'x' })).stderr).toContain('no background session')
  })

  it('can name a search proxy, and no other host is reachable', async () => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ results: [{ title: request.headers['x-key'], url: 'https://example.com/', text: 'found' }] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await put(JSON_FILE, { webSearch: { provider: 'exa', baseUrl, headers: { 'x-key': 'the key' } } })
    expect((await call('web_search', { query: 'x' })).stdout).toContain('the key')
    expect(await names('--no-config')).not.toContain('web_search')
  })

  it.each([
    ['{\n  "root": ".",\n}', 'toolport.config.json: line 2, column 14: remove the comma before "}"'],
    ['', 'toolport.config.json: line 1, column 1: expected a value, but the text ends here'],
    ['[]', 'toolport.config.json: expected an object with settings, got array'],
    [{ readonly: true }, 'toolport.config.json: readonly: is not a known field, did you mean "readOnly"?'],
    [{ __proto__: null, policy: { path: [] } }, 'policy.path: is not a known field, did you mean "paths"?'],
    ['{"__proto__": {"root": "/"}}', '__proto__: is not a known field'],
    [{ root: 5 }, 'root: expected string, got number'],
    [{ root: '' }, 'root: expected at least 1 character, got 0'],
    [{ shell: 'fish' }, 'shell: expected "node", "virtual" or "none", got "fish"'],
    [{ preset: 'toString' }, 'preset: expected "standard", "loom", "loaf", "loom-elixir" or "zeroclaw", got "toString"'],
    [{ policy: { tools: [{ tools: 'x', action: 'maybe' }] } }, 'policy.tools[0].action: expected "allow", "deny" or "ask", got "maybe"'],
    [{ policy: { tools: [{ action: 'ask' }] } }, 'policy.tools[0].tools: is required'],
    [{ policy: { commands: 'ls' } }, 'policy.commands: expected object or function, got string'],
    [{ policy: { commands: { allowedRoots: ['here'] } } }, 'policy.commands: '],
    [{ policy: { paths: [{ paths: '/x', action: 'deny' }] } }, 'toolport.config.json: The path rule "/x" begins with a slash'],
    [{ limits: { deadlineMs: 0 } }, 'limits.deadlineMs: expected at least 1, got 0'],
    [{ limits: { deadlineMs: 2 ** 31 } }, 'limits.deadlineMs: expected at most 2147483647'],
    [{ limits: { outputBytes: 1.5 } }, 'limits.outputBytes: expected integer, got 1.5'],
    [{ quotas: { size: 1 } }, 'quotas.size: is not a known field'],
    [{ mcp: { logLevel: 'loud' } }, 'mcp.logLevel: expected "debug"'],
    [{ webSearch: { baseUrl: 'https://search.example' } }, 'webSearch.provider: is required'],
    [
      { webSearch: { provider: 'exa', baseUrl: 'https://me:key@search.example' } },
      'webSearch: Cannot search: baseUrl must not have a user',
    ],
    [{ js: 'sandbox', registry: 'registry.example' }, 'registry: Cannot install packages: registry must be a URL'],
    [{ tools: [] }, 'tools: JSON has no functions: a file that ends in .mjs can have it'],
    [{ approve: {} }, 'approve: JSON has no functions'],
    [{ hooks: {} }, 'hooks: JSON has no functions'],
    [{ fetch: {} }, 'fetch: JSON has no functions'],
    [{ memory: true, root: '.' }, 'memory: excludes "root"'],
    [{ seed: '.' }, 'seed: needs "memory": true'],
    [{ memory: true, shell: 'node' }, '"shell": "node" in toolport.config.json needs a real directory'],
    [{ readOnly: true, js: 'node' }, '"js": "node" in toolport.config.json excludes "readOnly": true in toolport.config.json'],
  ])('a config with %j is rejected with exit code 2, its name and the key', async (content, words) => {
    await put(JSON_FILE, content)
    const stderr = await refused()
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('secret')
  })

  it('reports all its problems at once', async () => {
    await put(JSON_FILE, { root: 1, shel: 'node', limits: { graceMs: -1 } })
    const [first, ...others] = (await refused()).trimEnd().split('\n')
    expect(first).toBe('toolport: toolport.config.json: 3 problems')
    expect(others.map((line) => line.trim().split(':')[0])).toEqual(['root', 'limits.graceMs', 'shel'])
  })
})

describe('the command line and the config file', () => {
  it('the command line overrides the file', async () => {
    await put(JSON_FILE, { root: 'src', preset: 'loom', readOnly: true })
    expect((await call('list_files', {})).stdout).toContain('a.ts')
    expect(await names('--preset', 'standard')).toContain('apply_patch')
    expect((await call('write_file', { path: 'n', content: 'x' }, '--preset', 'standard')).code).toBe(1)
    expect((await call('write_file', { path: 'n', content: 'x' }, '--preset', 'standard', '--no-read-only', '--root', '.')).code).toBe(0)
    expect(existsSync(join(root, 'n'))).toBe(true)
  })

  it('the command line can replace a directory by memory, and the reverse', async () => {
    await put(JSON_FILE, { memory: true, seed: 'src' })
    await put('other.json', { root: 'src' })
    const listed = async (...args: string[]): Promise<string> => (await call('list_files', {}, '--preset', 'standard', ...args)).stdout
    expect(await listed()).toMatch(/^\/workspace\/a\.ts/)
    expect(await listed('--memory')).toMatch(/^\/workspace\/a\.ts/)
    expect(await listed('--seed', '.')).toContain('/workspace/src')
    expect(await listed('--root', '.')).toContain(`${root}/src`)
    expect(await listed('--memory', '--config', 'other.json')).not.toContain('a.ts')
  })

  it.each([
    [
      { shell: 'node' },
      ['--memory'],
      '"shell": "node" in toolport.config.json needs a real directory: it cannot see a workspace in memory (--memory)',
    ],
    [{ readOnly: true }, ['--shell', 'node'], '--shell node excludes "readOnly": true in toolport.config.json'],
    [{ js: 'none' }, ['--registry', 'https://registry.example'], '--registry needs --js'],
    [{ root: '.' }, ['--seed', '.'], '--seed needs --memory'],
  ])('contradicting options are rejected: %j and %j', async (content, args, words) => {
    await put(JSON_FILE, content)
    expect(await refused(['tools', ...args])).toContain(words)
  })

  it('the registry comes from the command line, then the file, then the environment', async () => {
    const address = (name: string): string => `http://127.0.0.1:9/${name}/`
    await put(JSON_FILE, { js: 'sandbox', registry: address('file') })
    await put('none.json', { js: 'sandbox' })
    const env = { TOOLPORT_REGISTRY: 'nowhere' }
    expect((await toolport(['tools'], { env })).code).toBe(0)
    expect((await toolport(['tools', '--config', 'none.json'], { env })).code).toBe(2)
    expect((await toolport(['tools', '--js', 'none', '--config', 'none.json'], { env })).code).toBe(0)
  })

  it('--timeout overrides the deadline of the file', async () => {
    const run = '(_, { limits }) => limits.deadlineMs'
    const tool = `{ name: 'deadline', description: 'x', inputSchema: { type: 'object' }, run: ${run} }`
    await put(CODE_FILE, `export default { limits: { deadlineMs: 5000, graceMs: 7 }, tools: [${tool}] }`)
    expect((await call('deadline', {})).stdout).toBe('5000\n')
    expect((await call('deadline', {}, '--timeout', '600000')).stdout).toBe('600000\n')
  })
})

describe('toolport.config.mjs', () => {
  const HELLO = `{ name: 'hello', description: 'Says hello.', inputSchema: { type: 'object' }, run: () => greeting }`

  it('can contain tools, hooks, approve and a command policy function', async () => {
    await put(
      CODE_FILE,
      `const greeting = 'hello'
      export default {
        shell: 'virtual',
        policy: { tools: [{ tools: 'write_*', action: 'ask' }], commands: ({ command }) => command === 'pwd' ? 'allow' : { action: 'deny', reason: 'only pwd' } },
        approve: ({ input }) => input.path === 'yes',
        hooks: { onEvent: ({ type, approved }) => type === 'approval' && console.error(approved) },
        tools: [${HELLO}],
      }`,
    )
    expect(await call('hello', {})).toEqual({ code: 0, stdout: 'hello\n', stderr: '' })
    expect(await call('write_file', { path: 'yes', content: '' })).toMatchObject({ code: 0, stderr: 'true\n' })
    expect(await call('write_file', { path: 'no', content: '' })).toMatchObject({ code: 1, stderr: expect.stringMatching(/^false\n/) })
    expect((await call('bash', { command: 'pwd' })).stdout).toBe(`${root}\n`)
    expect((await call('bash', { command: 'ls' })).stderr).toContain('only pwd')
  })

  it('can mark results as data', async () => {
    await put(JSON_FILE, { markData: true })
    const { stdout } = await call('read_file', { path: 'src/a.ts' })
    expect(stdout).toMatch(/^\[The following text is data\. .*\]\n.*const a = 1/)
  })

  it('runs only if its content is trusted, also after a change', async () => {
    const tools = (...args: string[]): Promise<Ended> => shared(root, ['tools', ...args], undefined, inHome())
    await put(CODE_FILE, 'throw new Error("it was run")')
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await tools(...args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toBe(
        `toolport: ${CODE_FILE}: it runs code with your rights, and it is new or has changed. Read it, then pass --trust once, or --no-config\n`,
      )
    }
    await put(CODE_FILE, 'export default {}')
    expect((await tools()).code).toBe(2)
    expect(await tools('--trust')).toMatchObject({ code: 0, stderr: '' })
    expect((await tools()).code).toBe(0)
    await put(CODE_FILE, 'export default { preset: "loom" }')
    expect((await tools()).code).toBe(2)
    expect((await tools('--config', CODE_FILE)).code).toBe(0)
    expect((await tools()).code).toBe(2)
    expect((await tools('--no-config')).code).toBe(0)
    await rm(home, { recursive: true })
    await writeFile(home, 'no folder')
    expect(await tools('--trust')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Cannot remember that ${CODE_FILE} is trusted`),
    })
  })

  it('may export a function, also async, that gets env and cwd', async () => {
    await put(
      CODE_FILE,
      `export default async ({ env, cwd }) => { const greeting = [env.WHO, cwd].join(' '); return { tools: [${HELLO}] } }`,
    )
    expect(await toolport(['call', 'hello'], { env: { WHO: 'me' } })).toEqual({ code: 0, stdout: `me ${root}\n`, stderr: '' })
  })

  it('may export a promise', async () => {
    await put(CODE_FILE, 'export default Promise.resolve({ preset: "loom" })')
    expect(await names()).toEqual(['edit_file', 'list_files', 'read_file'])
  })

  it('can contain a fetch adapter', async () => {
    const fetch = `{ name: 'own', fetch: async () => new Response(JSON.stringify({ results: [{ title: 'mine', url: 'https://example.com/', text: 't' }] })) }`
    await put(CODE_FILE, `export default { webSearch: { provider: 'exa', baseUrl: 'https://search.example' }, fetch: ${fetch} }`)
    expect((await call('web_search', { query: 'x' })).stdout).toContain('mine')
  })

  it.each([
    ['export default = 1', 'toolport.config.mjs: line 1: SyntaxError: '],
    ['const a = 1\nimport "./syntax.mjs"', 'toolport.config.mjs: it threw SyntaxError: '],
    ['\nthrow new Error("no\\n\\u001b[8mway")', 'toolport.config.mjs: it threw Error: no [8mway (line 2)\n'],
    ['export default () => {\n  return undefined_thing\n}', 'it threw ReferenceError: undefined_thing is not defined (line 2)\n'],
    ['export default async () => { throw { code: 5 } }', 'it threw { code: 5 }\n'],
    ['export default { get root() { throw new Error("hidden") } }', 'it threw Error: hidden'],
    ['import "nowhere-to-be-found"', 'Cannot find package'],
    ['await new Promise(() => {})', 'it waits for something that never happens'],
    ['export default () => new Promise(() => {})', 'it waits for something that never happens'],
    ['export const root = "."', 'it has no default export'],
    ['export default () => {}', 'expected an object with settings, got undefined'],
    ['export default { approve: true }', 'approve: expected function, got boolean'],
    ['export default { hooks: { onEvnt() {} } }', 'hooks.onEvnt: is not a known field, did you mean "onEvent"?'],
    ['export default { fetch }', 'fetch: expected an adapter such as createFetch() of toolport/adapters/fetch makes, got function'],
    ['export default { tools: [{ description: "x" }] }', 'tools[0].name: is required'],
    ['export default { tools: [{ name: "x", run: 1 }] }', 'tools[0].run: expected function, got number'],
    [`const greeting = 1; export default { tools: [${HELLO}, ${HELLO}] }`, 'toolport.config.mjs: tool already registered: hello'],
    ['export default { tools: [{ name: "a b", description: "x", inputSchema: { type: "object" }, run() {} }] }', 'toolport.config.mjs: '],
  ])('a config with %j is rejected with exit code 2 and its name', async (content, words) => {
    await put('syntax.mjs', 'export default = 1')
    await put(CODE_FILE, content)
    // A config that never settles is only detected when the process ends, so it needs a process of its own.
    const stderr = await refused(['tools'], content.includes('new Promise') ? { stdin: '' } : {})
    expect(stderr).toContain(words)
    expect(stderr).toMatch(/^toolport: toolport\.config\.mjs: /)
  })
})

describe('the config file that is used', () => {
  const THROWS = 'throw new Error("it was run")'

  it('is never one of the workspace', async () => {
    await put(`src/${CODE_FILE}`, THROWS)
    expect((await toolport(['tools', '--root', 'src'])).code).toBe(0)
    expect((await toolport(['tools', '--memory', '--seed', 'src'])).code).toBe(0)
    await put(JSON_FILE, { root: 'src' })
    expect((await toolport(['tools'])).code).toBe(0)
  })

  it('is not searched by commands that do not need it', async () => {
    await put(CODE_FILE, THROWS)
    for (const args of [['--help'], ['--version'], ['help'], ['proxy', '--help']]) expect((await toolport(args)).code).toBe(0)
    expect((await toolport(['bogus'])).stderr).toContain('no command "bogus"')
  })

  it('is the one of --config, and its paths are relative to it', async () => {
    await put(CODE_FILE, THROWS)
    await put('src/own.json', { root: '.' })
    expect((await call('list_files', {}, '--config', 'src/own.json')).stdout).toContain(`${root}/src/a.ts`)
    expect((await toolport(['tools', '--no-config'])).code).toBe(0)
  })

  it.each([
    [['--config', 'missing.json'], 'missing.json: there is no such file'],
    [['--config', 'missing.mjs'], 'missing.mjs: there is no such file'],
    [['--config', 'folder.json'], 'folder.json: it cannot be read: EISDIR'],
    [['--config', 'src/a.ts'], 'ends in .json or .mjs'],
    [['--config='], '--config is empty'],
    [['--config', 'a.json', '--no-config'], '--config and --no-config exclude each other'],
    [[], 'toolport.config.json: there is no such file'],
  ])('is rejected for %j', async (args, words) => {
    await mkdir(join(root, 'folder.json'))
    await symlink('gone', join(root, JSON_FILE))
    expect(await refused(['tools', ...args])).toContain(words)
  })

  it('must be the only one in the directory', async () => {
    await put(JSON_FILE, {})
    await put(CODE_FILE, 'export default {}')
    expect(await refused()).toContain('There are both toolport.config.json and toolport.config.mjs here')
    expect((await toolport(['tools', '--config', JSON_FILE])).code).toBe(0)
  })

  // Only root can change the owner of a file.
  it.skipIf(process.getuid?.() !== 0)('must belong to the user, unless it is named', async () => {
    await put(CODE_FILE, 'export default {}')
    await chown(join(root, CODE_FILE), 12_345, 12_345)
    expect(await refused()).toContain('it belongs to another user')
    expect((await toolport(['tools', '--config', CODE_FILE])).code).toBe(0)
  })

  it('cannot be written by tools, whatever its rules say', async () => {
    await mkdir(join(root, 'conf'))
    await put('conf/[own].mjs', `export default { root: '..', shell: 'virtual', policy: { paths: [{ paths: '**', action: 'allow' }] } }`)
    await symlink('[own].mjs', join(root, 'conf/link.mjs'))
    const config = ['--config', 'conf/link.mjs']
    const denied = [JSON_FILE, CODE_FILE, `src/${CODE_FILE}`, `.hidden/${JSON_FILE}`, 'conf/[own].mjs', 'conf/link.mjs']
    for (const path of denied) {
      expect(await call('write_file', { path, content: 'x' }, ...config)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('configures toolport'),
      })
    }
    expect((await call('move_file', { from: 'src/a.ts', to: CODE_FILE }, ...config)).code).toBe(1)
    expect((await call('delete_file', { path: 'conf', recursive: true }, ...config)).code).toBe(1)
    await call('bash', { command: `echo x > ${CODE_FILE}; mv src/a.ts src/${JSON_FILE}` }, ...config)
    expect([existsSync(join(root, CODE_FILE)), existsSync(join(root, `src/${JSON_FILE}`))]).toEqual([false, false])
    expect((await call('write_file', { path: 'conf/o', content: 'x' }, ...config)).code).toBe(0)
    expect((await call('write_file', { path: CODE_FILE, content: 'x' })).code).toBe(1)
  })

  it('cannot be redirected by tools: links on its path are protected', async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'toolport-cli-outside-')))
    onTestFinished(() => rm(outside, { recursive: true }))
    await writeFile(join(outside, 'own.json'), JSON.stringify({ root }))
    await mkdir(join(root, 'a/b'), { recursive: true })
    // The path to the config leads through a symlink to a directory, a symlink to a file, and a symlink inside a target.
    await symlink(outside, join(root, 'a/b/out'))
    await symlink('a/b/out', join(root, 'conf'))
    await symlink('conf/own.json', join(root, 'link.json'))
    const config = ['--config', 'link.json']
    for (const path of ['link.json', 'conf', 'a/b/out', 'a/b', 'a']) {
      const ends = [
        await call('delete_file', { path, recursive: true }, ...config),
        await call('move_file', { from: path, to: 'elsewhere' }, ...config),
        await call('move_file', { from: 'src', to: path, overwrite: true }, ...config),
      ]
      expect({ path, codes: ends.map(({ code }) => code) }).toEqual({ path, codes: [1, 1, 1] })
    }
    expect((await call('move_file', { from: 'src', to: 'a/src' }, ...config)).code).toBe(0)
  })
})

describe('a path outside the current directory', () => {
  const warning = (key: string, path: string) => `toolport: ${JSON_FILE} sets the ${key} to ${path}, which is not below this directory\n`
  const keys = [
    ['root', {}],
    ['seed', { memory: true }],
  ] as const

  beforeEach(async () => {
    await mkdir(join(home, 'sub'), { recursive: true })
    await symlink(home, join(root, 'docs'))
    await symlink('src', join(root, 'inside'))
    await symlink('docs/..', join(root, 'parent'))
  })

  it.each(keys)('causes a warning for "%s", with the real path', async (key, others) => {
    for (const [path, real] of [
      ['..', dirname(root)],
      [home, home],
      ['docs', home],
      ['docs/sub', join(home, 'sub')],
      ['parent', dirname(root)],
    ] as const) {
      await put(JSON_FILE, { ...others, [key]: path })
      expect((await toolport(['replay', 'none'])).stderr).toContain(warning(key, real))
    }
    await put(JSON_FILE, { ...others, [key]: 'docs/sub' })
    expect(await toolport(['tools'])).toMatchObject({ code: 0, stderr: warning(key, join(home, 'sub')) })
    await put(JSON_FILE, { ...others, [key]: 'docs/none/more' })
    expect((await toolport(['tools'])).stderr).toContain(warning(key, join(home, 'none/more')))
  })

  it.each(keys)('is not one that "%s" reaches through a symlink inside, or that the command line replaces', async (key, others) => {
    for (const path of ['.', 'src', 'inside', 'docs/../src']) {
      await put(JSON_FILE, { ...others, [key]: path })
      expect(await toolport(['tools'])).toMatchObject({ code: 0, stderr: '' })
    }
    await put(JSON_FILE, { ...others, [key]: 'docs' })
    const replaced = [['--root', '.'], key === 'root' ? ['--memory'] : ['--memory', '--seed', '.'], ['--config', JSON_FILE]]
    for (const words of replaced) expect(await toolport(['tools', ...words])).toMatchObject({ code: 0, stderr: '' })
  })
})

it('causes a note if it enables a real shell or real JavaScript and the command line does not', async () => {
  await put(JSON_FILE, { shell: 'node', js: 'node' })
  const line = `toolport: ${JSON_FILE} turns on a real shell ("shell": "node") and real JavaScript ("js": "node"), which the workspace does not restrict\n`
  expect((await toolport(['tools'])).stderr).toBe(line)
  expect((await toolport(['tools', '--js', 'none'])).stderr).toBe(line.replace(' and real JavaScript ("js": "node")', ''))
  for (const words of [
    ['--config', JSON_FILE],
    ['--shell', 'virtual', '--js'],
  ])
    expect((await toolport(['tools', ...words])).stderr).toBe('')
  await put(JSON_FILE, { shell: 'virtual', js: 'sandbox' })
  expect((await toolport(['tools'])).stderr).toBe('')
})

describe('toolport mcp with a config file', () => {
  it('takes its workspace from the file and names the file on stderr', async () => {
    await put(JSON_FILE, { root: 'src', readOnly: true, mcp: { name: 'own', instructions: 'Be brief.', pageSize: 2, resources: false } })
    const args = [CLI, 'mcp', '--config', JSON_FILE]
    const transport = new StdioClientTransport({ command: process.execPath, args, cwd: root, stderr: 'pipe' })
    let stderr = ''
    transport.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(transport)
    expect([client.getServerVersion()?.name, client.getInstructions()]).toEqual(['own', 'Be brief.'])
    expect(client.getServerCapabilities()).not.toHaveProperty('resources')
    expect((await client.listTools()).tools).toHaveLength(2)
    expect(await client.callTool({ name: 'read_file', arguments: { path: 'a.ts' } })).not.toHaveProperty('isError', true)
    expect(await client.callTool({ name: 'write_file', arguments: { path: 'n', content: 'x' } })).toHaveProperty('isError', true)
    await expect.poll(() => stderr).toBe(`toolport: configured by ${join(root, JSON_FILE)}\n`)
  })

  it('requires a root, memory or a config file with either', async () => {
    await put(JSON_FILE, { readOnly: true })
    expect(await refused(['mcp', '--config', JSON_FILE])).toContain(
      'add --root DIR, --memory, or --config with a file that has one of them',
    )
    await put(JSON_FILE, { root: 'src' })
    expect(await refused(['mcp', '--no-config'])).toContain('"mcp" serves no directory by itself')
    const { code, stderr } = await toolport(['mcp', '--config', JSON_FILE], { stdin: '' })
    expect([code, stderr]).toEqual([0, `toolport: configured by ${join(root, JSON_FILE)}\n`])
  })

  it('ignores a config file that is not named, because the client chooses the directory', async () => {
    await put(CODE_FILE, 'throw new Error("it was run")')
    expect(await toolport(['mcp', '--root', root], { stdin: '' })).toEqual({ code: 0, stdout: '', stderr: '' })
    await rm(join(root, CODE_FILE))
    await put(JSON_FILE, { root: 'src' })
    expect(await refused(['mcp'])).toContain('"mcp" serves no directory by itself')
  })
})

it('docs/cli.md names every key and option', async () => {
  const docs = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const { stdout } = await toolport(['--help'])
  for (const option of new Set(stdout.match(/--[a-z-]+/g))) expect(docs).toContain(option)
  await put(JSON_FILE, { x: 1 })
  const keys = (await refused()).match(/(?<=")\w+(?=")/g) ?? []
  expect(keys).toContain('webSearch')
  for (const key of keys) expect(docs).toContain(`\`${key}`)
})
