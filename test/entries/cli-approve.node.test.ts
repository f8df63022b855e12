// @module-tag cli
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLI, type Ended, sharedCli } from './cli-support.js'

const POLICY = { policy: { tools: [{ tools: 'write_file', action: 'ask', reason: 'it writes' }] } }
const QUESTION = '? [y/N] '
const write = (path: string): string => JSON.stringify({ path, content: 'x' })

const shared = sharedCli()
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolport-cli-approve-'))
  await writeFile(join(root, 'toolport.config.json'), JSON.stringify(POLICY))
})

afterEach(() => rm(root, { recursive: true }))

const toolport = (args: readonly string[], stdin?: string): Promise<Ended> => shared(root, args, stdin)

type Answer = string | (() => Promise<string>)

/** Runs the CLI on a terminal and types `answers` when questions appear. Returns the terminal's content and the exit status. */
function onTerminal(
  args: readonly string[],
  answers: readonly Answer[],
  home = root,
): Promise<{ readonly code: number; readonly shown: string }> {
  const env = { ...process.env, XDG_CONFIG_HOME: home }
  const terminal = spawn(process.execPath, [CLI, ...args], { cwd: root, cols: 400, rows: 50, env })
  let shown = ''
  let asked = 0
  terminal.onData((text) => {
    shown += text
    const questions = shown.split(QUESTION).length - 1
    if (questions === asked) return
    asked = questions
    const answer = answers[asked - 1] ?? '\r'
    if (typeof answer === 'string') terminal.write(answer)
    else void answer().then((typed) => terminal.write(typed))
  })
  return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve({ code: exitCode, shown })))
}

it.each([
  ['y\r', 0],
  ['\r', 2],
])('asks on a terminal to trust toolport.config.mjs: %j exits with %i', async (answer, code) => {
  await rename(join(root, 'toolport.config.json'), join(root, 'other.json'))
  await writeFile(join(root, 'toolport.config.mjs'), 'export default {}')
  const home = join(root, 'home')
  const first = await onTerminal(['tools'], [answer], home)
  expect(first.code).toBe(code)
  expect(first.shown).toContain('toolport.config.mjs runs code with your rights')
  expect((await onTerminal(['tools'], ['\r'], home)).code).toBe(code)
})

describe('toolport --approve', () => {
  it.each([
    ['y\r', 0],
    ['YES\r', 0],
    ['\r', 1],
    ['yo\r', 1],
  ])('asks on a terminal: %j exits with %i', async (answer, code) => {
    const end = await onTerminal(['call', 'write_file', write('n')], [answer])
    expect(end.code).toBe(code)
    expect(end.shown).toContain('"write_file" needs an approval: it writes')
    expect(end.shown).toContain('| {"path":"n","content":"x"}')
    expect(existsSync(join(root, 'n'))).toBe(code === 0)
  })

  it('is interrupted by Ctrl+C while it asks', async () => {
    const { code } = await onTerminal(['call', 'write_file', write('n')], ['\u0003'])
    expect([code, existsSync(join(root, 'n'))]).toEqual([130, false])
  })

  it('treats no answer before the deadline as a denial', async () => {
    const { code, shown } = await onTerminal(['call', 'write_file', write('n'), '--timeout', '3000'], [''])
    expect([code, existsSync(join(root, 'n'))]).toEqual([1, false])
    expect(shown).toMatch(/required approval was not given|timed out|deadline/)
  })

  it('asks one question at a time', async () => {
    const tools = `[1, 2].map((n) => ({
      name: 'read' + n, description: 'Reads.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, run: () => n }))`
    const config = `export default { policy: { tools: [{ tools: 'read1', action: 'ask' }, { tools: 'read2', action: 'ask' }] }, tools: ${tools} }`
    await writeFile(join(root, 'ask.mjs'), config)
    await writeFile(join(root, 'calls.jsonl'), '{"name":"read1"}\n{"name":"read2"}\n')
    const { code, shown } = await onTerminal(['run', 'calls.jsonl', '--parallel', '2', '--config', 'ask.mjs'], ['y\r', 'y\r'])
    expect(code).toBe(0)
    // Each question is followed by its answer.
    expect(shown).toMatch(/"read1" needs[\s\S]*Allow it\? \[y\/N\] y[\s\S]*"read2" needs[\s\S]*Allow it\? \[y\/N\] y/)
  })

  it('prints no result between a question and its answer', async () => {
    // The first call ends when the second asks, and the answer is typed late enough for the first result to be printed before.
    const config = `import { existsSync, writeFileSync } from 'node:fs'
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      const tool = (name, run) => ({ name, description: 'Reads.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, run })
      const first = async () => {
        while (!existsSync('asked')) await wait(5)
        setTimeout(() => writeFileSync('ended', ''), 100)
        return 'of the first'
      }
      const tools = [tool('first', first), tool('second', () => 'of the second'), tool('third', () => 'of the third')]
      export default { policy: { tools: [{ tools: 'second', action: 'ask' }] }, tools }`
    await writeFile(join(root, 'ask.mjs'), config)
    await writeFile(join(root, 'calls.jsonl'), '{"name":"first"}\n{"name":"second"}\n{"name":"third"}\n')
    const answer = async (): Promise<string> => {
      await writeFile(join(root, 'asked'), '')
      await expect.poll(() => existsSync(join(root, 'ended'))).toBe(true)
      return 'y\r'
    }
    const { code, shown } = await onTerminal(['run', 'calls.jsonl', '--parallel', '3', '--config', 'ask.mjs'], [answer])
    expect(code).toBe(0)
    expect(shown).toMatch(
      /"second" needs[^{]*Allow it\? \[y\/N\] y\r\n[^\n]*of the first[^\n]*\n[^\n]*of the second[^\n]*\n[^\n]*of the third/,
    )
  })

  it('escapes control characters in the question', async () => {
    const input = JSON.stringify({ path: 'n', content: 'x' })
    const sneaky = JSON.stringify({ command: 'echo \u001b[8mhidden\u202e\nrm -rf .' })
    const policy = { policy: { tools: [{ tools: 'bash', action: 'ask' }], commands: { allowedCommands: ['echo'] } }, shell: 'virtual' }
    await writeFile(join(root, 'toolport.config.json'), JSON.stringify(policy))
    const { shown } = await onTerminal(['call', 'bash', sneaky], ['\r'])
    expect(shown).toContain('\\u{202e}')
    expect(shown).not.toContain('\u001b[8m')
    expect(shown).not.toContain('\u202e')
    expect((await toolport(['call', 'write_file', input])).code).toBe(0)
  })

  it('shows the other inputs of a command', async () => {
    await writeFile(join(root, 'ask.mjs'), `export default { shell: 'virtual', policy: { commands: () => 'ask' } }`)
    const asked = (input: object) => onTerminal(['call', 'bash', JSON.stringify(input), '--config', 'ask.mjs'], ['\r'])
    const input = { command: 'make', cwd: '.', env: { CC: 'rm -rf .; cc\u202e' }, stdin: 'yes\nAllow it?' }
    const { shown } = await asked(input)
    expect(shown.replaceAll('\r\n', '\n')).toContain(
      '  | make\n  with the input\n  | {"cwd":".","env":{"CC":"rm -rf .; cc\\u{202e}"},"stdin":"yes\\nAllow it?"}\nAllow it?',
    )
    const long = await asked({ ...input, command: `: ${'x'.repeat(5000)}` })
    expect(long.shown).toContain('... and 1002 characters more, which are not shown')
    expect(long.shown).toContain('rm -rf .; cc')
  })

  it('shows the input beside a path', async () => {
    const policy = { policy: { paths: [{ paths: 'n', access: 'write', action: 'ask' }] } }
    await writeFile(join(root, 'toolport.config.json'), JSON.stringify(policy))
    const { shown } = await onTerminal(['call', 'write_file', write('n')], ['\r'])
    expect(shown).toMatch(/ {2}\| write .*\/n\r\n {2}with the input\r\n {2}\| \{"path":"n","content":"x"\}/)
  })

  it('accepts "always" and "never"', async () => {
    const [always, never] = await Promise.all([
      toolport(['call', 'write_file', write('a'), '--approve', 'always']),
      toolport(['call', 'write_file', write('b'), '--approve', 'never']),
    ])
    expect([always.code, existsSync(join(root, 'a'))]).toEqual([0, true])
    expect([never.code, existsSync(join(root, 'b'))]).toEqual([1, false])
  })

  it('denies without a terminal and explains why', async () => {
    const unasked = await toolport(['call', 'write_file', write('n')])
    expect(unasked.code).toBe(1)
    expect(unasked.stderr).toMatch(/^Error: Cannot run "write_file": it needs approval, but no approver is configured: it writes\n/)
    const asked = await toolport(['call', 'write_file', write('n'), '--approve', 'ask'])
    expect(asked.code).toBe(1)
    expect(asked.stderr).toMatch(/^toolport: nobody can be asked, stdin and stderr are no terminal: what needs an approval is denied\n/)
    const taken = await toolport(['call', 'write_file', '-', '--approve', 'ask'], write('n'))
    expect(taken.stderr).toMatch(/^toolport: nobody can be asked, stdin has the input/)
    expect(existsSync(join(root, 'n'))).toBe(false)
  })

  it('overrides the approve function of the config file', async () => {
    const config = `export default { ...${JSON.stringify(POLICY)}, approve: ({ input }) => input.path === 'yes' }`
    await writeFile(join(root, 'own.mjs'), config)
    const codes = [['yes'], ['no'], ['yes', '--approve', 'never'], ['no', '--approve', 'always']].map(async ([path = '', ...more]) => {
      const { code } = await toolport(['call', 'write_file', write(path), '--config', 'own.mjs', ...more])
      return code
    })
    expect(await Promise.all(codes)).toEqual([0, 1, 1, 0])
  })

  it('is rejected for other commands and values', async () => {
    for (const [args, words] of [
      [['tools', '--approve', 'always'], '--approve is for "call", "run", "mcp"'],
      [['call', 'grep', '--approve', 'maybe'], 'use one of ask, always, never'],
    ] as const) {
      const { code, stderr } = await toolport(args)
      expect(code).toBe(2)
      expect(stderr).toContain(words)
    }
  })
})
