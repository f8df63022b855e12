import { type CreateRuntimeOptions, defineTool, type JsToolsOptions, toModelText } from 'toolport'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Bench } from './harness.js'

export interface OpenJsOptions extends Pick<CreateRuntimeOptions, 'policy' | 'limits' | 'fetch'> {
  /** Whether the workspace is read-only. */
  readonly readOnly?: boolean
  readonly jsTools?: JsToolsOptions
}

/** Opens a bench with the JavaScript tools, `shout` and `refuse`, with these files. */
export type OpenJsBench = (files?: Readonly<Record<string, string>>, options?: OpenJsOptions) => Promise<Bench>

/** Tools for programs to call. */
export const CALLED = [
  defineTool({
    name: 'shout',
    description: 'Gives a text in capitals',
    inputSchema: z.strictObject({ text: z.string() }),
    annotations: { readOnlyHint: true },
    run: ({ text }) => ({ text: text.toUpperCase() }),
  }),
]

const ID = /^bg-js-\d+-[0-9a-f]{8}$/
const ECHO = `
process.stdin.setEncoding('utf8')
console.log('ready')
let rest = ''
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  for (const line of lines) line === 'end' ? process.exit(3) : line === 'err' ? console.error('oops') : console.log('<' + line + '>')
})
process.stdin.on('end', () => console.log('eof'))
`

/** Reads until the output contains the text. */
async function readUntil({ ok }: Bench, session_id: string, text: string): Promise<string> {
  let stdout = ''
  while (!stdout.includes(text)) {
    const read = await ok('read_background_js', { session_id, wait_ms: 20_000 })
    stdout += read.stdout
    if (!read.running && !stdout.includes(text)) throw new Error(`ended without ${JSON.stringify(text)}: ${JSON.stringify(read)}`)
  }
  return stdout
}

async function readAll({ ok }: Bench, session_id: string): Promise<{ stdout: string; stderr: string; exit_code: number | null }> {
  let [stdout, stderr] = ['', '']
  for (;;) {
    const read = await ok('read_background_js', { session_id, wait_ms: 20_000 })
    stdout += read.stdout
    stderr += read.stderr
    if (!read.running && !read.stdout_has_more && !read.stderr_has_more) return { stdout, stderr, exit_code: read.exit_code }
  }
}

/** Cases for the JavaScript tools, for every adapter. */
export function jsToolCases(open: OpenJsBench): void {
  describe('run_js', () => {
    it('returns output, exit code and default export of a program', async () => {
      const { ok, runtime } = await open()
      const output = await ok('run_js', { code: 'console.log("out"); console.error("err"); export default { sum: 1 + 1 }' })
      expect(output).toEqual({
        exit_code: 0,
        stdout: 'out\n',
        stderr: 'err\n',
        result: { sum: 2 },
        timed_out: false,
        aborted: false,
        truncated: false,
        cwd: runtime.workspace.root,
        duration_ms: expect.any(Number),
      })
      expect(await ok('run_js', { code: 'process.exitCode = 4' })).toMatchObject({ exit_code: 4, stdout: '' })
      expect(await ok('run_js', { code: 'const x = 1' })).not.toHaveProperty('result')
    })

    it('passes arguments, standard input and cwd', async () => {
      const { ok, runtime } = await open({ 'sub/f.txt': 'x' })
      const code = `
        let text = ''
        for await (const piece of process.stdin) text += piece
        console.log(JSON.stringify([process.argv.slice(2), String(text), process.cwd().endsWith('/sub')]))`
      const output = await ok('run_js', { code, args: ['a b', '--x=1', ''], stdin: 'héllo\n', cwd: 'sub' })
      expect(output).toMatchObject({ exit_code: 0, cwd: `${runtime.workspace.root}/sub` })
      expect(JSON.parse(output.stdout)).toEqual([['a b', '--x=1', ''], 'héllo\n', true])
    })

    it('runs CommonJS', async () => {
      const { ok } = await open()
      expect(await ok('run_js', { code: "console.log(typeof require('path').join)", format: 'commonjs' })).toMatchObject({
        stdout: 'function\n',
      })
    })

    it('shows a model the output, the result and anything unusual', async () => {
      const { read } = await open({ 'sub/f.txt': '' })
      expect(await read('run_js', { code: 'console.log("out"); console.error("err"); process.exitCode = 3', cwd: 'sub' })).toBe(
        'out\n[stderr]\nerr\n[exit code 3]',
      )
      expect(await read('run_js', { code: 'const x = 1' })).toBe('(no output)')
      expect(await read('run_js', { code: 'export default "text"' })).toBe('[result]\ntext')
      expect(await read('run_js', { code: 'console.log(1); export default [1, { a: null }]' })).toBe(
        '1\n[result]\n[\n  1,\n  {\n    "a": null\n  }\n]',
      )
    })

    it('truncates each stream and the result separately for a model', async () => {
      const { run } = await open({}, { limits: { outputBytes: 2000 } })
      const result = await run('run_js', {
        code: 'console.log("o".repeat(5000)); console.error("e".repeat(5000)); export default "r".repeat(5000)',
      })
      const text = result.ok && result.content?.[0]?.type === 'text' ? result.content[0].text : ''
      expect(text.length).toBeLessThanOrEqual(2000)
      for (const part of [/^o+\n/, /\n\[stderr\]\ne+\n/, /\n\[result\]\nr+\n/, /\n\[output cut\]$/]) expect(text).toMatch(part)
      expect(result).toMatchObject({ ok: true, output: { result: 'r'.repeat(5000), stdout: `${'o'.repeat(5000)}\n` } })
    })

    it('ends a program at its timeout', async () => {
      const { run } = await open()
      const result = await run('run_js', { code: 'setInterval(() => {}, 1000)', timeout_ms: 300 })
      expect(result).toMatchObject({ ok: true, output: { exit_code: null, timed_out: true, aborted: false } })
      expect(toModelText(result)).toMatch(/^\(no output\)\n\[timed out after \d+ ms\]$/)
    })

    it('ends a program before the deadline of the call, with a note', async () => {
      const { ok } = await open({}, { limits: { deadlineMs: 800 } })
      const output = await ok('run_js', { code: 'setInterval(() => {}, 1000)' })
      expect(output).toMatchObject({ timed_out: true, note: 'the deadline of the call (800 ms) passed before timeout_ms' })
    })

    it('ends a program on abort', async () => {
      const { runtime } = await open()
      const controller = new AbortController()
      const onProgress = (): void => controller.abort()
      const call = { name: 'run_js', input: { code: 'console.log("begun"); setInterval(() => {}, 1000)' } }
      const result = await runtime.execute(call, { signal: controller.signal, onProgress })
      expect(result).toMatchObject({ ok: true, output: { exit_code: null, stdout: 'begun\n', aborted: true, timed_out: false } })
    })

    it.each([
      ['blank code', { code: ' ' }, 'code'],
      ['arguments that are not strings', { code: '1', args: [1] }, 'args[0]'],
      ['a timeout that is too long', { code: '1', timeout_ms: 300_001 }, 'timeout_ms'],
      ['an unknown format', { code: '1', format: 'esm' }, 'format'],
      ['an unknown field', { code: '1', runtime: 'node' }, 'runtime'],
    ])('rejects %s', async (_, input, path) => {
      const { fail } = await open()
      expect((await fail('run_js', input)).output).toMatchObject({ code: 'invalid_input', issues: [{ path }] })
    })

    it('rejects a missing cwd and one outside', async () => {
      const { fail } = await open({ f: '' })
      expect((await fail('run_js', { code: '1', cwd: 'nope' })).output).toMatchObject({ code: 'ENOENT' })
      expect((await fail('run_js', { code: '1', cwd: 'f' })).output).toMatchObject({ code: 'ENOTDIR' })
      expect((await fail('run_js', { code: '1', cwd: '..' })).output).toMatchObject({ code: 'path_outside_workspace' })
    })
  })

  describe('run_js_module', () => {
    const PACKAGE = {
      'node_modules/tool/package.json': JSON.stringify({
        name: 'tool',
        version: '1.0.0',
        type: 'module',
        bin: { tool: 'cli.js', other: 'o.mjs' },
      }),
      'node_modules/tool/cli.js': 'console.log("tool", ...process.argv.slice(2))',
      'node_modules/tool/o.mjs': 'console.log("other")',
    }

    it('runs a file, relative to cwd', async () => {
      const { ok, runtime } = await open({
        'sub/a.mjs': 'console.log("a", process.argv[2]); export default 1',
        'b.cjs': 'console.log("b")',
      })
      expect(await ok('run_js_module', { module: 'sub/a.mjs', args: ['x'] })).toMatchObject({ stdout: 'a x\n', result: 1, exit_code: 0 })
      expect(await ok('run_js_module', { module: './a.mjs', cwd: 'sub' })).toMatchObject({ stdout: 'a undefined\n' })
      expect(await ok('run_js_module', { module: `${runtime.workspace.root}/b.cjs` })).toMatchObject({ stdout: 'b\n' })
    })

    it('runs the binary of an installed package from any directory below', async () => {
      const { ok } = await open({ ...PACKAGE, 'sub/f.txt': '' })
      expect(await ok('run_js_module', { module: 'tool', args: ['1', '2'], cwd: 'sub' })).toMatchObject({ stdout: 'tool 1 2\n' })
      expect(await ok('run_js_module', { module: 'tool/other' })).toMatchObject({ stdout: 'other\n' })
    })

    it('prefers a file to a binary of the same name', async () => {
      const { ok } = await open({ ...PACKAGE, 'tool.mjs': 'console.log("mine")', tool2: '' })
      expect(await ok('run_js_module', { module: 'tool.mjs' })).toMatchObject({ stdout: 'mine\n' })
    })

    it('reports what is missing', async () => {
      const { fail, runtime } = await open({ 'dir/f.txt': '' })
      expect(await fail('run_js_module', { module: 'nope' })).toMatchObject({
        output: { code: 'invalid_input', issues: [{ path: 'module' }] },
        error: `Cannot run "nope": it is not a file in "${runtime.workspace.root}", and no installed package has a program of this name`,
      })
      expect((await fail('run_js_module', { module: './nope.mjs' })).output).toMatchObject({ code: 'ENOENT' })
      expect((await fail('run_js_module', { module: './dir' })).output).toMatchObject({ code: 'EISDIR' })
      expect((await fail('run_js_module', { module: '../x.mjs' })).output).toMatchObject({ code: 'path_outside_workspace' })
    })
  })

  describe('tool calls of programs', () => {
    const grants = { tools: ['shout', 'run_js', 'read_file', 'delete_file'] }
    const CALL = `
      const out = []
      for (const [name, input] of JSON.parse(process.argv[2])) {
        try { out.push(await invokeTool(name, input)) } catch (error) { out.push([error.name, error.code, error.message]) }
      }
      export default out`
    const calls = (...those: (readonly [string, unknown])[]) => ({ code: CALL, args: [JSON.stringify(those)] })

    it('are possible only with a grant', async () => {
      const code = 'export default typeof invokeTool'
      expect((await (await open()).ok('run_js', { code })).result).toBe('undefined')
      expect((await (await open({}, { jsTools: { grants } })).ok('run_js', { code })).result).toBe('function')
    })

    it('return the output or throw the error of the tool', async () => {
      const { ok } = await open({ 'f.txt': 'hello\n' }, { jsTools: { grants } })
      const { result } = await ok(
        'run_js',
        calls(['shout', { text: 'a' }], ['shout', {}], ['read_file', { path: 'nope' }], ['list_files', {}]),
      )
      expect(result).toEqual([
        { text: 'A' },
        ['ToolError', 'invalid_input', expect.stringContaining('Cannot call "shout"')],
        ['ToolError', 'ENOENT', expect.stringContaining('nope')],
        ['Error', null, 'invokeTool: this program may not call "list_files", only shout, run_js, read_file, delete_file'],
      ])
    })

    it('follow the policy of the runtime', async () => {
      const policy = { tools: [{ tools: 'delete_file', action: 'ask' as const }], approve: () => false }
      const { ok, files } = await open({ 'f.txt': 'x' }, { policy, jsTools: { grants } })
      const { result } = await ok('run_js', calls(['delete_file', { path: 'f.txt' }]))
      expect(result).toEqual([['ToolError', 'approval_required', expect.stringContaining('Cannot run "delete_file"')]])
      expect(await files()).toHaveProperty('f.txt')
    })

    it('can be many at once and run within the limits', async () => {
      const { ok } = await open({}, { jsTools: { grants: { tools: true } } })
      const code = `
        const all = await Promise.all(Array.from({ length: 100 }, (_, i) => invokeTool('shout', { text: 'a' + i })))
        export default all.map(({ text }) => text).join(' ')`
      expect((await ok('run_js', { code })).result).toBe(Array.from({ length: 100 }, (_, i) => `A${i}`).join(' '))
    })

    it('are not possible in background programs', async () => {
      const bench = await open({}, { jsTools: { grants: { tools: true } } })
      const { session_id } = await bench.ok('start_background_js', { code: 'console.log(typeof invokeTool)' })
      expect(await readAll(bench, session_id)).toMatchObject({ stdout: 'undefined\n' })
    })
  })

  describe('background programs', () => {
    it('run beside other calls, read input and end by themselves', async () => {
      const bench = await open()
      const { ok, runtime } = bench
      const started = await ok('start_background_js', { code: ECHO, session_name: 'echo' })
      expect(started).toMatchObject({
        status: 'started',
        session_id: expect.stringMatching(ID),
        session_name: 'echo',
        cwd: runtime.workspace.root,
        transport: 'pipe',
      })
      const { session_id } = started
      await readUntil(bench, session_id, 'ready\n')
      expect(await ok('write_background_js', { session_id, input: 'héllo' })).toMatchObject({ bytes_written: 7, running: true })
      await readUntil(bench, session_id, '<héllo>\n')
      expect(await ok('list_background_js')).toMatchObject({ count: 1, sessions: [{ session_id, session_name: 'echo', running: true }] })
      await ok('write_background_js', { session_id, input: 'err\nend' })
      expect(await readAll(bench, session_id)).toEqual({ stdout: '', stderr: 'oops\n', exit_code: 3 })
      expect(await ok('list_background_js')).toMatchObject({ count: 0 })
      expect(await ok('list_background_js', { include_exited: true })).toMatchObject({
        count: 1,
        sessions: [{ state: 'exited', exit_code: 3 }],
      })
    })

    it('get the end of input by ctrl+d', async () => {
      const bench = await open()
      const { session_id } = await bench.ok('start_background_js', { code: ECHO })
      await readUntil(bench, session_id, 'ready\n')
      await bench.ok('write_background_js', { session_id, key: 'ctrl+d' })
      expect(await readAll(bench, session_id)).toMatchObject({ stdout: 'eof\n', exit_code: 0 })
    })

    it('run a file with arguments in a directory', async () => {
      const bench = await open({ 'sub/a.mjs': 'console.log(process.argv.slice(2).join())' })
      const started = await bench.ok('start_background_js', { module: './a.mjs', args: ['x', 'y'], cwd: 'sub' })
      expect(started).toMatchObject({ session_name: 'background-js', command: './a.mjs x y', cwd: `${bench.runtime.workspace.root}/sub` })
      expect(await readAll(bench, started.session_id)).toMatchObject({ stdout: 'x,y\n', exit_code: 0 })
    })

    it('are stopped, and found by their name', async () => {
      const bench = await open({ 'sub/f.txt': '' })
      const { ok, read } = bench
      const input = { code: 'console.log("up"); setInterval(() => {}, 1000)', session_name: 'server' }
      const { session_id } = await ok('start_background_js', input)
      await readUntil(bench, session_id, 'up\n')
      expect(await ok('start_background_js', { ...input, code: 'throw 1' })).toMatchObject({
        status: 'reused',
        session_id,
        note: expect.stringContaining('NOT run'),
      })
      expect(await read('start_background_js', input)).toContain(`Goes on running as ${session_id} ("server")`)
      const other = await ok('start_background_js', { ...input, cwd: 'sub' })
      const third = await ok('start_background_js', { ...input, reuse_session: false })
      expect(new Set([session_id, other.session_id, third.session_id]).size).toBe(3)
      for (const started of [session_id, other.session_id, third.session_id])
        expect(await ok('stop_background_js', { session_id: started })).toMatchObject({
          status: 'stopped',
          state: 'stopped',
          running: false,
        })
      expect(await ok('stop_background_js', { session_id })).toMatchObject({ status: 'already_stopped' })
    })

    it('reject invalid input and unknown sessions', async () => {
      const { fail } = await open({ 'a.mjs': '' })
      const place = async (input: object) => (await fail('start_background_js', input)).output.issues?.[0]?.path
      expect(await place({})).toBe('code')
      expect(await place({ code: '1', module: 'a.mjs' })).toBe('code')
      expect(await place({ module: 'a.mjs', format: 'module' })).toBe('format')
      expect(await place({ code: '1', session_name: 'a\nb' })).toBe('session_name')
      for (const tool of ['read_background_js', 'stop_background_js'])
        expect(await fail(tool, { session_id: 'nope' })).toMatchObject({
          output: { code: 'unknown_session' },
          error: 'There is no background session "nope": there are none',
        })
      expect((await fail('write_background_js', { session_id: 'nope' })).error).toBe(
        'Cannot call "write_background_js": input: pass either input or key',
      )
    })
  })
}
