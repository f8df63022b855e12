// @module-tag cli
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { type Ended, ended, runs, sharedCli, startCli } from './cli-support.js'

const shared = sharedCli()
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-cli-'))
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'src/a.ts'), 'export const a = 1\n')
  await writeFile(join(root, 'README.md'), '# Hello\n')
})

afterEach(() => rm(root, { recursive: true }))

const start = (args: readonly string[]): ChildProcessWithoutNullStreams => startCli(root, args)

const toolport = (args: readonly string[], stdin?: string): Promise<Ended> => shared(root, args, stdin)

/** Runs the CLI in its own process. */
function alone(args: readonly string[], stdin = ''): Promise<Ended> {
  const child = start(args)
  child.stdin.end(stdin)
  return ended(child)
}

/** The printed results, one per line. */
const printed = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('toolport call', () => {
  it('works in the current directory and prints the model text', async () => {
    expect(await alone(['call', 'read_file', '{"path":"src/a.ts"}'])).toEqual({
      code: 0,
      stdout: '     1\texport const a = 1\n',
      stderr: '',
    })
  })

  it('escapes control characters of files and names', async () => {
    await writeFile(join(root, 'evil\n\u001b[2J.txt'), 'a\tb \u001b]0;title\u0007 \u009b2J \u202e\r\n')
    const text = await toolport(['call', 'grep', '{"pattern":"title"}'])
    expect(text.stdout).toBe(
      'ROOT/evil⟨U+000A⟩⟨U+001B⟩[2J.txt\n1:a\tb ⟨U+001B⟩]0;title⟨U+0007⟩ ⟨U+009B⟩2J ⟨U+202E⟩\n'.replace('ROOT', root),
    )
    const json = await toolport(['call', 'grep', '--json', '{"pattern":"title"}'])
    expect(json.stdout).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(JSON.parse(json.stdout).output.matches[0].text).toBe('a\tb \u001b]0;title\u0007 \u009b2J \u202e')
    const failed = await toolport(['call', 'read_file', '{"path":"no\\u001b[2J"}'])
    expect(failed.stderr).toContain('no⟨U+001B⟩[2J')
    const unknown = await toolport(['ca\u001b[2J'])
    expect(unknown.stderr).not.toContain('\u001b')
  })

  it('works in the directory of --root', async () => {
    const { code, stdout } = await toolport(['call', 'list_files', '--root', 'src', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, output: { total: 1 } })
  })

  it('changes files', async () => {
    const input = { path: 'src/a.ts', edits: [{ old_string: '1', new_string: '2' }] }
    expect((await toolport(['call', 'edit_file', JSON.stringify(input)])).code).toBe(0)
    expect(await readFile(join(root, 'src/a.ts'), 'utf8')).toBe('export const a = 2\n')
  })

  it('reads its input from stdin', async () => {
    expect((await toolport(['call', 'glob', '-'], '{"pattern":"*.md"}')).stdout).toContain('README.md')
  })

  it('rejects input that is not UTF-8', async () => {
    const child = startCli(root, ['call', 'write_file', 'path=f', 'content=@-'])
    child.stdin.end(Uint8Array.of(97, 0xff, 98))
    expect(await ended(child)).toMatchObject({ code: 2, stderr: expect.stringContaining('it is not UTF-8 text') })
  })

  it('reads the whole call from stdin', async () => {
    expect((await toolport(['call', '-'], '{"name":"glob","input":{"pattern":"*.md"}}')).stdout).toContain('README.md')
    const { code, stderr } = await toolport(['call', '-'], '{"input":{}}')
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'toolport: Cannot read the call on stdin: it must be an object with a "name"'])
  })

  it.each([
    ['{"name":"list_files","arguments":{"path":"src"}}', 'it has an unknown key "arguments": did you mean "input"?'],
    ['{"name":"list_files","input":{},"inputt":1}', 'it has an unknown key "inputt": did you mean "input"?'],
    ['{"name":"list_files","input":{},"arguments":{}}', 'it has an unknown key "arguments": use name, input, id'],
  ])('rejects a call with an unknown key: %s', async (text, problem) => {
    const { code, stdout, stderr } = await toolport(['call', '-'], text)
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', `toolport: Cannot read the call on stdin: ${problem}`])
    const end = await toolport(['run', '-'], `{"name":"list_files"}\n${text}`)
    expect(printed(end)).toMatchObject([{ ok: true }, { ok: false, error: `Cannot read the call in line 2: ${problem}` }])
  })

  it('reports the position of a mistake in JSON input', async () => {
    const { code, stderr } = await toolport(['call', 'glob', '-'], '{"pattern": "*.md",\n}')
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'toolport: The input is not JSON: line 1, column 19: remove the comma before "}"'])
  })

  it('ends a call at --timeout', async () => {
    const args = ['call', 'bash', '{"command":"echo begun; while :; do :; done"}', '--memory', '--json']
    const { code, stdout } = await withGrowingTime(
      (ms) => toolport([...args, '--timeout', String(ms)]),
      ({ code }) => code === 0,
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ output: { timed_out: true } })
  })

  it('prints failures on stderr and exits with 1', async () => {
    const { code, stdout, stderr } = await toolport(['call', 'read_file', '{"path":"nope"}'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Error: ENOENT: Cannot read ".*nope"/)
  })

  it('prints a failure as JSON with --json', async () => {
    const { code, stdout } = await toolport(['call', 'read_file', '{"path":"nope"}', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, output: { code: 'ENOENT' } })
  })

  it('changes nothing with --read-only', async () => {
    const { code, stderr } = await toolport(['call', 'write_file', '{"path":"n","content":"x"}', '--read-only'])
    expect(code).toBe(1)
    expect(stderr).toContain('EROFS')
  })

  it('works on a copy with --memory and --seed', async () => {
    const { stdout } = await toolport(
      ['run', '-', '--memory', '--seed', '.'],
      ['{"name":"write_file","input":{"path":"src/a.ts","content":"changed"}}', '{"name":"read_file","input":{"path":"src/a.ts"}}'].join(
        '\n',
      ),
    )
    expect(stdout).toContain('/workspace/src/a.ts')
    expect(stdout).toContain('changed')
    expect(await readFile(join(root, 'src/a.ts'), 'utf8')).toBe('export const a = 1\n')
  })
})

describe('toolport run', () => {
  it('answers every line, including invalid ones, and exits with 1 if one failed', async () => {
    const lines = ['{"id":"x","name":"glob","input":{"pattern":"**/*.ts"}}', '', 'nonsense', '{"input":{}}', '{"name":"nope"}']
    const end = await alone(['run', '-'], lines.join('\n'))
    const results = printed(end)
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false, false])
    expect(results[1].error).toBe('Cannot read the call in line 3: it is not JSON: line 1, column 1: expected a value, found "n"')
    expect(results[2].error).toContain('line 4')
    expect(results[3].output).toMatchObject({ status: 'not_found', code: 'unknown_tool' })
    expect(end.code).toBe(1)
  })

  it('reads calls from a file', async () => {
    await writeFile(join(root, 'calls.jsonl'), '\ufeff{"name":"list_files"}\r\n')
    expect((await toolport(['run', 'calls.jsonl'])).code).toBe(0)
  })

  it('prints each result at once, and ends on an interrupt while it waits for input', async () => {
    const child = start(['run', '-'])
    const end = ended(child)
    for (let line = 0; line < 2; line++) {
      child.stdin.write('{"name":"list_files"}\n')
      await new Promise((resolve) => child.stdout.once('data', resolve))
    }
    child.kill('SIGINT')
    const { code, stdout } = await end
    expect([code, stdout.trimEnd().split('\n')]).toMatchObject([130, { length: 2 }])
  })
})

describe('toolport run --parallel', () => {
  /** Tools that report how many calls run at once. `both` ends when two calls of it run; `reads` and `writes` end after some turns. */
  const TOOLS = `
    let running = 0
    let waiting
    const tool = (name, readOnlyHint, run) => ({
      name, description: 'x', inputSchema: { type: 'object' }, annotations: { readOnlyHint },
      async run(input) { running++; try { return await run(input) } finally { running-- } },
    })
    const turns = async () => { for (let i = 0; i < 20; i++) await new Promise(setImmediate); return running }
    const both = () => new Promise((resolve) => { if (waiting) { waiting('first'); resolve('second') } else waiting = resolve })
    export default { tools: [tool('both', true, both), tool('reads', true, turns), tool('writes', false, turns),
      tool('fails', true, async () => { await turns(); throw new Error('it failed') })] }`

  async function runAll(calls: readonly string[], ...args: readonly string[]): Promise<unknown[]> {
    await writeFile(join(root, 'tools.mjs'), TOOLS)
    const lines = calls.map((name) => (name.startsWith('{') ? name : JSON.stringify({ name })))
    return printed(await toolport(['run', '-', '--config', 'tools.mjs', ...args], lines.join('\n'))).map(
      ({ output, error }) => error ?? output,
    )
  }

  it('runs read-only calls in parallel and prints their results in order', async () => {
    expect(await runAll(['both', 'both', 'reads'], '--parallel', '2')).toEqual(['first', 'second', 1])
  })

  it('runs at most N calls at a time, and one without the option', async () => {
    const reads = Array.from({ length: 8 }, () => 'reads')
    expect(Math.max(...((await runAll(reads, '--parallel', '3')) as number[]))).toBe(3)
    expect(await runAll(reads)).toEqual(reads.map(() => 1))
  })

  it('runs calls that may write alone, and answers invalid lines in order', async () => {
    const calls = ['reads', '{"bad"', 'writes', 'writes', 'reads', 'nope']
    const [, bad, ...others] = await runAll(calls, '--parallel', '8')
    expect(bad).toContain('Cannot read the call in line 2')
    expect(others).toEqual([1, 1, 1, expect.stringContaining('nope')])
  })

  it('stops at the first failure with --bail', async () => {
    const calls = ['reads', 'nope', 'writes', 'writes']
    expect(await runAll(calls, '--bail')).toEqual([1, expect.stringContaining('nope')])
    expect(await runAll(calls)).toHaveLength(4)
  })

  it('starts no waiting call after a failure with --bail', async () => {
    const failed = [expect.stringContaining('it failed')]
    expect(await runAll(['fails', 'writes', 'reads'], '--bail', '--parallel', '2')).toEqual(failed)
    expect(await runAll(['fails', 'writes', 'reads'], '--parallel', '2')).toEqual([...failed, 1, 1])
  })

  it('returns running calls as aborted on an interrupt', async () => {
    await writeFile(
      join(root, 'tools.mjs'),
      TOOLS.replace("tool('both', true, both)", "tool('stuck', true, () => (console.error('stuck'), new Promise(() => {})))"),
    )
    const child = start(['run', '-', '--parallel', '4', '--config', 'tools.mjs'])
    const end = ended(child)
    child.stdin.write('{"name":"stuck"}\n{"name":"stuck"}\n')
    let seen = ''
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (text) => {
        seen += text
        if (seen.split('stuck').length === 3) resolve()
      }),
    )
    child.kill('SIGINT')
    const interrupted = await end
    expect(interrupted.code).toBe(130)
    expect(printed(interrupted).map(({ output }) => output.status)).toEqual(['aborted', 'aborted'])
  })
})

describe('toolport tools', () => {
  it('lists the tools, describes one, and prints the manifest', async () => {
    expect((await toolport(['tools'])).stdout).toMatch(/^apply_patch {2,}Change .+ envelope:\ndelete_file +Remove/)
    expect((await toolport(['tools', 'grep'])).stdout).toContain('"pattern"')
    const manifest = printed(await toolport(['tools', '--json']))
    expect(manifest.map(({ name }) => name).join(' ')).toBe(
      'apply_patch delete_file diff_checkpoint edit_file glob grep list_checkpoints list_files move_file read_file restore_checkpoint write_file',
    )
    expect(manifest[0].inputSchema).toMatchObject({ type: 'object', additionalProperties: false, required: ['patch'] })
  })
})

/** Results of `toolport run` with one call per command. */
async function runBash(commands: readonly string[], args: readonly string[], run = toolport) {
  const lines = commands.map((command) => JSON.stringify({ name: 'bash', input: { command } }))
  const end = await run(['run', '-', ...args], lines.join('\n'))
  expect([end.code, end.stderr]).toEqual([0, ''])
  return printed(end)
}

/** Waits until a running command has written this file. */
const written = (name: string): Promise<string> =>
  vi.waitFor(() => readFileSync(join(root, name), 'utf8').match(/^.+\n/)?.[0].trim() ?? expect.fail('not yet'), { timeout: 120_000 })

const gone = (pid: string): Promise<void> => vi.waitFor(() => expect(runs(Number(pid))).toBe(false), { timeout: 120_000 })

describe('toolport --shell', () => {
  it('is "none" by default on a directory', async () => {
    expect((await toolport(['tools'])).stdout).not.toMatch(/^bash /m)
    const { code, stderr } = await toolport(['call', 'bash', '{"command":"echo hi"}'])
    expect(code).toBe(1)
    expect(stderr).toContain('no shell adapter')
  })

  it('is "virtual" by default in memory', async () => {
    expect((await toolport(['tools', '--memory'])).stdout).toMatch(/^bash /m)
    const args = ['call', 'bash', '{"command":"echo hi | tr a-z A-Z; cat src/a.ts"}', '--memory', '--seed', '.']
    expect(await toolport(args)).toEqual({ code: 0, stdout: 'HI\nexport const a = 1\n', stderr: '' })
  })

  it('can be "none" in memory', async () => {
    expect((await toolport(['tools', '--memory', '--shell', 'none'])).stdout).not.toMatch(/^bash /m)
  })

  it('can be "virtual" on a directory', async () => {
    const command = 'sed s/1/2/ src/a.ts > src/b.ts; pwd; uname -n'
    const [result] = await runBash([command], ['--shell', 'virtual'])
    expect(result?.output.stdout).toMatch(/^\/.*\nlocalhost\n$/)
    expect(await readFile(join(root, 'src/b.ts'), 'utf8')).toBe('export const a = 2\n')
  })

  it('can be "node" on a directory', async () => {
    const [result] = await runBash(['kill -0 $$ && echo real; cp src/a.ts c.ts'], ['--shell', 'node'])
    expect(result?.output).toMatchObject({ exit_code: 0, stdout: 'real\n' })
    expect(await readFile(join(root, 'c.ts'), 'utf8')).toBe('export const a = 1\n')
  })

  it.each([
    ['node', ['--shell', 'node']],
    ['virtual', ['--memory', '--seed', '.']],
  ])('keeps the directory and variables between lines (%s)', async (_, args) => {
    const results = await runBash(['cd src; export WHO=me', 'echo $WHO; cat a.ts', 'cd ..; ls'], args)
    expect(results.map(({ output }) => output.stdout)).toEqual(['', 'me\nexport const a = 1\n', 'README.md\nsrc\n'])
    expect(results[0]?.output.cwd).toMatch(/\/src$/)
  })

  it('writes nothing with --read-only', async () => {
    const [result] = await runBash(['echo x > n; cat src/a.ts'], ['--shell', 'virtual', '--read-only'])
    expect(result?.output.stdout).toBe('export const a = 1\n')
    expect(existsSync(join(root, 'n'))).toBe(false)
  })

  it('reports that the host has no shell', async () => {
    const child = startCli(root, ['tools', '--shell', 'node'], { PATH: root })
    const { code, stdout, stderr } = await ended(child)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^toolport: Cannot use a shell of this machine: none of bash, zsh, sh is on the PATH\n/)
  })

  it('returns a failing command as a result', async () => {
    expect(await toolport(['call', 'bash', '{"command":"echo out; exit 3"}', '--shell', 'node'])).toEqual({
      code: 0,
      stdout: 'out\n[exit code 3]\n',
      stderr: '',
    })
  })

  it('ends processes that the command left running', async () => {
    const [result] = await runBash(['sleep 1000 & echo $!'], ['--shell', 'node'], alone)
    await gone(String(result?.output.stdout).trim())
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends a running command on %s, with all its processes, and exits with %i', async (signal, status) => {
    const command = 'echo begun; sleep 1000 & echo $! > child; echo $$ > shell; wait'
    const child = start(['call', 'bash', JSON.stringify({ command }), '--shell', 'node', '--json'])
    const end = ended(child)
    const pids = [await written('child'), await written('shell')]
    expect(pids.map((pid) => runs(Number(pid)))).toEqual([true, true])
    child.kill(signal)
    const { code, stdout } = await end
    expect(code).toBe(status)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, output: { stdout: 'begun\n', aborted: true, exit_code: null } })
    await Promise.all(pids.map(gone))
  })

  it('leaves no process behind after a second signal', async () => {
    const command = "trap '' TERM INT; (trap '' TERM INT; sleep 1000) & echo $! > child; echo $$ > shell; wait"
    const child = start(['call', 'bash', JSON.stringify({ command }), '--shell', 'node'])
    const end = ended(child)
    const pids = [await written('child'), await written('shell')]
    // Different signals, because two equal ones may be merged.
    child.kill('SIGINT')
    child.kill('SIGTERM')
    expect([130, 143]).toContain((await end).code)
    await Promise.all(pids.map(gone))
  })

  it('ends a loop of the virtual shell on an interrupt and returns its output', async () => {
    const child = start(['run', '-', '--shell', 'virtual'])
    const end = ended(child)
    const command = 'echo before; echo begun > begun; while :; do :; done'
    child.stdin.write(`{"name":"list_files"}\n${JSON.stringify({ name: 'bash', input: { command } })}\n`)
    await written('begun')
    child.kill('SIGINT')
    const interrupted = await end
    expect(interrupted.code).toBe(130)
    expect(printed(interrupted)[1]).toMatchObject({ ok: true, output: { exit_code: null, aborted: true, stdout: 'before\n' } })
  })

  it('ends one long command of the virtual shell on an interrupt and keeps its output', async () => {
    await writeFile(join(root, 'big.txt'), 'one line with a user in it, and another user\n'.repeat(200_000))
    const replaced = Array.from({ length: 12 }, (_, i) => `-e s/user/USER${i}/g -e s/USER${i}/user/g`).join(' ')
    const command = `echo printed; echo begun > begun; sed ${replaced} big.txt > out.txt`
    const child = start(['call', 'bash', JSON.stringify({ command }), '--shell', 'virtual', '--json'])
    const end = ended(child)
    await written('begun')
    child.kill('SIGINT')
    const { code, stdout } = await end
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ output: { aborted: true, stdout: 'printed\n' } })
    expect(existsSync(join(root, 'out.txt')) && (await readFile(join(root, 'out.txt'))).length).toBeFalsy()
  })
})

describe('the toolport command line', () => {
  it.each([
    [[], 'No command'],
    [['bogus'], 'no command "bogus"'],
    [['tool'], 'did you mean "tools"?'],
    [['tools', '--rot', '.'], 'no option --rot: did you mean --root?'],
    [['tools', '--read-only', '--no-read-only'], 'exclude each other'],
    [['call', 'grep', '--parallel', '2'], '--parallel is for "run", "eval", not for "call"'],
    [['tools', '--bail'], '--bail is for "run"'],
    [['tools', '--timeout', '5'], '--timeout is for "call", "run", "mcp"'],
    [['run', '-', '--parallel', '0'], '--parallel must be a whole number from 1 to 64'],
    [['run', '-', '--parallel', '1e1'], '--parallel must be a whole number'],
    [['call', 'grep', '--timeout', '2147483648'], '--timeout must be a whole number from 1 to 2147483647'],
    [['call'], 'name of a tool'],
    [['call', 'grep', '{bad'], 'not JSON'],
    [['call', 'grep', '{}', 'more'], 'quote the JSON'],
    [['run'], 'needs a .jsonl file'],
    [['run', 'missing.jsonl'], 'ENOENT'],
    [['run', 'src'], 'directory'],
    [['tools', '--root='], '--root is empty'],
    [['tools', 'grep', 'glob'], 'one name'],
    [['tools', 'nope'], 'no tool "nope"'],
    [['tools', '--root', 'missing'], 'no such directory'],
    [['tools', '--root', 'README.md'], 'README.md'],
    [['tools', '--preset', 'toString'], 'no preset'],
    [['tools', '--memory', '--root', '.'], 'exclude'],
    [['tools', '--seed', '.'], '--memory'],
    [['tools', '--bogus'], '--bogus'],
    [['tools', '--shell='], '--shell is empty'],
    [['tools', '--shell', 'fish'], 'use one of node, virtual, none'],
    [['tools', '--shell', 'node', '--memory'], 'needs a real directory'],
    [['tools', '--shell', 'node', '--read-only'], 'excludes --read-only'],
    [['mcp', 'more', '--memory'], '"mcp" takes only options'],
    [['mcp', '--root-from-client', '--root', '.'], '--root-from-client'],
    [['mcp', '--root-from-client', '--memory'], '--root-from-client'],
    [['tools', '--root-from-client'], '--root-from-client'],
    [['tools', '--js='], '--js is empty'],
    [['tools', '--js=deno'], 'use one of sandbox, node, none'],
    [['tools', '--js', 'node', '--memory'], 'needs a real directory'],
    [['tools', '--js', 'node', '--read-only'], 'excludes --read-only'],
    [['tools', '--registry', 'https://registry.example/'], '--registry needs --js'],
    [['tools', '--js', '--registry='], '--registry is empty'],
    [['tools', '--js', '--registry', 'registry.example'], 'http:// or https://'],
    [['tools', '--js', '--registry', 'https://me:secret@registry.example/'], 'must not have a user'],
  ])('rejects %j with exit code 2', async (args, words) => {
    const { code, stdout, stderr } = await toolport(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
  })

  it('prints help and version', async () => {
    const help = await toolport(['--help'])
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage'), stderr: '' })
    for (const word of ['toolport call -', 'For mcp: ', '--config FILE', '--no-config', '--format NAME', '--approve NAME', '--parallel N'])
      expect(help.stdout).toContain(word)
    expect(await toolport(['help'])).toEqual(help)
    expect((await toolport(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('ends quietly if nobody reads the output', async () => {
    const child = start(['run', '-'])
    const end = ended(child)
    child.stdout.destroy()
    child.stdin.on('error', () => undefined)
    child.stdin.end('{"name":"list_files"}\n'.repeat(2000))
    expect(await end).toMatchObject({ code: 0, stderr: '' })
  })

  it('ends at once on an interrupt while it reads its input', async () => {
    const child = start(['call', 'glob', '-'])
    const end = ended(child)
    // Larger than a pipe's buffer: once it is written, the program is reading.
    await new Promise((resolve) => child.stdin.write('x'.repeat(1_000_000), resolve))
    child.kill('SIGINT')
    expect((await end).code).toBe(130)
  })
})

describe('toolport --preset', () => {
  it('has the tools and result format of another system', async () => {
    const calls = [
      { id: 'call_1', name: 'read_file', input: { path: 'src/a.ts' } },
      { id: 'call_2', name: 'read_file', input: { path: 'missing.txt' } },
    ]
    const end = await toolport(
      ['run', '-', '--memory', '--seed', '.', '--preset', 'loom'],
      calls.map((call) => JSON.stringify(call)).join('\n'),
    )
    expect(end.code).toBe(1)
    expect(printed(end)).toEqual([
      { Success: { call_id: 'call_1', output: { path: '/workspace/src/a.ts', contents: 'export const a = 1\n', truncated: false } } },
      { Error: { call_id: 'call_2', error: { FileNotFound: '/workspace/missing.txt' } } },
    ])
  })

  it.each([
    ['loaf', ['apply_patch', 'bash', 'grep_files', 'list_dir', 'read_file']],
    ['loom', ['bash', 'edit_file', 'list_files', 'read_file']],
    ['loom-elixir', ['file_edit', 'file_read', 'file_write']],
    ['zeroclaw', ['file_read', 'memory_recall', 'shell']],
  ])('%s has its tools', async (preset, names) => {
    const end = await toolport(['tools', '--memory', '--preset', preset, '--json'])
    expect(end.code).toBe(0)
    expect(printed(end).map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  })

  it('prints one result in the format of the preset with --json, and the model text otherwise', async () => {
    const args = ['call', 'file_read', '{"file_path":"src/a.ts"}', '--preset', 'loom-elixir']
    const text = 'src/a.ts (1 lines total, showing 1)\n     1\texport const a = 1'
    expect(await toolport(args)).toMatchObject({ code: 0, stdout: `${text}\n` })
    expect(JSON.parse((await toolport([...args, '--json'])).stdout)).toEqual({ ok: text })
  })
})
