import type { JsToolsOptions } from 'toolport'
import type { Loaf, LoafToolResult } from 'toolport/presets/loaf'
import { afterEach, describe, expect, it } from 'vitest'

/** Opens an instance with a JavaScript adapter and these files. */
export type OpenLoafJs = (files?: Readonly<Record<string, string>>, jsTools?: JsToolsOptions) => Promise<Loaf>

/** Tests read fields of the result. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has fields of its own.
type Answered = LoafToolResult<any>

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const SCRIPT = /\/\.loaf-script-\d+-[0-9a-f]{8}\.mjs$/
const COMMON = 'status mode cwd command args exit_code signal timed_out aborted duration_ms stdout stderr truncated_stdout truncated_stderr'
const ECHO = `
process.stdin.setEncoding('utf8')
console.log('ready')
let rest = ''
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  for (const line of lines) line === 'end' ? process.exit(3) : console.log('<' + line + '>')
})
`

/** Cases for the documented tool family, for any adapter. */
export function loafJsCases(name: string, open: OpenLoafJs): void {
  const opened: Loaf[] = []
  afterEach(async () => {
    for (const loaf of opened.splice(0)) await loaf.dispose()
  })
  const make = async (...given: Parameters<OpenLoafJs>) => {
    const loaf = await open(...given)
    opened.push(loaf)
    const runtime = new loaf.ToolRuntime(loaf.defaultToolRegistry)
    const call = (tool: string, input: unknown, context?: { readonly signal?: AbortSignal }): Promise<Answered> =>
      runtime.execute({ id: 'c', name: tool, input }, context)
    const until = async (id: string, text: string): Promise<string> => {
      let all = ''
      await expect
        .poll(async () => {
          all += (await call('read_background_js', { session_id: id })).output.stdout
          return all
        })
        .toContain(text)
      return all
    }
    const ended = async (id: string): Promise<Answered['output']> => {
      const peek = async () => (await call('read_background_js', { session_id: id, peek: true })).output.running
      await expect.poll(peek).toBe(false)
      return (await call('read_background_js', { session_id: id })).output
    }
    return { loaf, call, until, ended, root: loaf.workspace.root }
  }

  describe(`loaf runs JavaScript, ${name}`, () => {
    it('run_js returns the documented fields cap:78', async () => {
      const { call, loaf, root } = await make()
      const { ok, output, error } = await call('run_js', {
        code: 'console.log("out", ...process.argv.slice(2)); console.error("err")',
        args: ['a', 5, ' b '],
      })
      expect([ok, error]).toEqual([true, undefined])
      expect(output).toEqual({
        status: 'ok',
        mode: 'run_js',
        cwd: root,
        command: expect.any(String),
        args: [output.scriptPath, 'a', 'b'],
        exit_code: 0,
        signal: null,
        timed_out: false,
        aborted: false,
        duration_ms: expect.any(Number),
        stdout: 'out a b\n',
        stderr: 'err\n',
        truncated_stdout: false,
        truncated_stderr: false,
        scriptPath: expect.stringMatching(SCRIPT),
        runtime: output.command,
        format: 'module',
      })
      expect(Object.keys(output).join(' ')).toBe(`${COMMON} scriptPath runtime format`)
      expect(await loaf.workspace.files()).toEqual({})
    })

    it.each([
      ['["x y", 1, "z"]', ['x y', 'z']],
      [' x  y ', ['x', 'y']],
      ['[x', ['[x']],
      [5, []],
    ])('arguments can be one text: %j cap:78', async (args, expected) => {
      const { call } = await make()
      const { output } = await call('run_js', { code: 'console.log(JSON.stringify(process.argv.slice(2)))', args })
      expect(JSON.parse(output.stdout)).toEqual(expected)
    })

    it('accepts commonjs, and treats other formats and runtimes as the default cap:78', async () => {
      const { call } = await make()
      const common = await call('run_js', { code: 'console.log(typeof require)', format: 'commonjs', runtime: 'node' })
      expect(common.output).toMatchObject({ stdout: 'function\n', format: 'commonjs', scriptPath: expect.stringMatching(/\.cjs$/) })
      expect((await call('run_js', { code: 'await 1', format: 'esm', runtime: 'deno' })).output).toMatchObject({
        status: 'ok',
        format: 'module',
      })
    })

    it('keeps the program file on request cap:78', async () => {
      const { call, loaf, root } = await make({ 'sub/f.txt': '' })
      const { output } = await call('run_js', { code: 'console.log(1)', keep_script: true, cwd: 'sub' })
      expect(output).toMatchObject({ stdout: '1\n', cwd: `${root}/sub` })
      expect((await loaf.workspace.readText(output.scriptPath)).text).toBe('console.log(1)')
      expect(output.scriptPath.startsWith(`${root}/sub/`)).toBe(true)
    })

    it('reports how a program failed cap:78', async () => {
      const { call } = await make()
      expect(await call('run_js', { code: 'console.log("a"); process.exit(7)' })).toMatchObject({
        ok: false,
        output: { status: 'error', exit_code: 7, stdout: 'a\n' },
        error: 'process failed (exit code 7)',
      })
      const thrown = await call('run_js', { code: 'throw new Error("boom")' })
      expect(thrown).toMatchObject({ ok: false, output: { exit_code: 1, stderr: expect.stringContaining('boom') } })
    })

    it('ends a program at its timeout cap:79', async () => {
      const { call } = await make()
      expect(await call('run_js', { code: 'setInterval(() => {}, 1000)', timeout_seconds: 1.9 })).toMatchObject({
        ok: false,
        output: { status: 'error', exit_code: null, timed_out: true, aborted: false },
        error: 'process timed out (no exit code)',
      })
    })

    it('ends a program on abort', async () => {
      const { call } = await make()
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 300)
      const result = await call('run_js', { code: 'setInterval(() => {}, 1000)' }, { signal: controller.signal })
      expect(result).toMatchObject({ ok: false, output: { status: 'error', aborted: true }, error: 'process aborted (no exit code)' })
    })

    it('keeps the first 300,000 characters of a stream cap:78', async () => {
      const { call } = await make()
      const { output } = await call('run_js', { code: 'console.log("é".repeat(400000)); console.error("e")' })
      expect(output).toMatchObject({ truncated_stdout: true, truncated_stderr: false, stderr: 'e\n' })
      expect(output.stdout).toBe('é'.repeat(300_000))
    })

    it('run_js_module runs a file or the binary of an installed package cap:80', async () => {
      const { call, root } = await make({
        'sub/a.mjs': 'console.log("a", process.argv[2])',
        'node_modules/tool/package.json': JSON.stringify({ name: 'tool', version: '1.0.0', type: 'module', bin: './cli.js' }),
        'node_modules/tool/cli.js': 'console.log("tool", ...process.argv.slice(2))',
      })
      const { ok, output } = await call('run_js_module', { module: ' a.mjs ', args: 'x', cwd: 'sub' })
      expect(ok).toBe(true)
      expect(output).toMatchObject({
        mode: 'run_js_module',
        module: 'a.mjs',
        args: [`${root}/sub/a.mjs`, 'x'],
        stdout: 'a x\n',
        cwd: `${root}/sub`,
      })
      expect(Object.keys(output).join(' ')).toBe(`${COMMON} module`)
      expect((await call('run_js_module', { module: 'tool', args: ['1'], package_manager: 'pnpm' })).output.stdout).toBe('tool 1\n')
      const message = `Cannot run "nope": it is not a file in "${root}", and no installed package has a program of this name`
      expect(await call('run_js_module', { module: 'nope' })).toEqual({
        ok: false,
        output: { status: 'invalid_input', message },
        error: message,
      })
    })
  })

  describe(`loaf runs JavaScript in the background, ${name}`, () => {
    it('starts, reads, writes and lists cap:81 cap:82 cap:83 cap:85', async () => {
      const { call, until, ended, root, loaf } = await make()
      const { ok, output } = await call('start_background_js', { code: ECHO, args: ['x'], session_name: 'echo' })
      expect(ok).toBe(true)
      expect(output).toEqual({
        status: 'started',
        mode: 'start_background_js',
        session_id: expect.stringMatching(/^bg-js-\d{13}-[0-9a-f]{8}$/),
        session_name: 'echo',
        pid: output.pid === null ? null : expect.any(Number),
        command: expect.any(String),
        args: [expect.stringMatching(SCRIPT), 'x'],
        cwd: root,
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
        scriptPath: expect.stringMatching(SCRIPT),
        runtime: output.command,
        format: 'module',
      })
      const id = output.session_id
      await until(id, 'ready\n')
      const wrote = await call('write_background_js', { session_id: id, input: 'héllo' })
      expect(wrote).toEqual({
        ok: true,
        output: { status: 'ok', session_id: id, running: true, exit_code: null, signal: null, bytes_written: 7 },
      })
      expect((await call('write_background_js', { session_id: id, input: '' })).output.bytes_written).toBe(1)
      expect(await until(id, '<>\n')).toContain('<héllo>\n<>\n')
      const { output: listed } = await call('list_background_js', {})
      expect(listed).toMatchObject({
        count: 1,
        sessions: [{ session_id: id, session_name: 'echo', running: true, status: 'running', cwd: root }],
      })
      expect(Object.keys(listed.sessions[0]).join(' ')).toBe(
        'session_id session_name running status runtime command cwd created_at updated_at unread_stdout_chars unread_stderr_chars',
      )
      expect((await call('list_background_bash', {})).output).not.toMatchObject({ count: 1 })
      await call('write_background_js', { session_id: id, input: 'end\n', append_newline: false })
      expect(await ended(id)).toMatchObject({ status: 'ok', running: false, exit_code: 3 })
      expect(await call('write_background_js', { session_id: id, input: 'x' })).toMatchObject({
        ok: false,
        output: { status: 'not_running', bytes_written: null },
        error: 'background js session is not running',
      })
      expect((await call('list_background_js', {})).output.count).toBe(0)
      expect((await call('list_background_js', { include_exited: true })).output.count).toBe(1)
      expect(await loaf.workspace.files()).toEqual({})
    })

    it('returns a session of the same name and directory, and runs nothing cap:81', async () => {
      const { call, until, loaf } = await make({ 'sub/f.txt': '' })
      const input = { code: 'console.log("up"); setInterval(() => {}, 1000)', session_name: 'server' }
      const first = (await call('start_background_js', input)).output
      await until(first.session_id, 'up\n')
      const again = (await call('start_background_js', { ...input, code: 'throw 1', keep_script: true })).output
      expect(again).toMatchObject({ status: 'reused', session_id: first.session_id, args: first.args, command: first.command })
      expect(Object.keys(await loaf.workspace.files())).toEqual(['sub/f.txt'])
      const others = [
        { ...input, cwd: 'sub' },
        { ...input, reuse_session: false },
        { ...input, session_name: undefined },
      ]
      const ids = [first.session_id]
      for (const other of others) ids.push((await call('start_background_js', other)).output.session_id)
      expect(new Set(ids).size).toBe(4)
    })

    it('keeps the program file on request cap:81', async () => {
      const { call, ended, loaf } = await make()
      const { output } = await call('start_background_js', { code: 'console.log(1)', keep_script: true })
      expect(await ended(output.session_id)).toMatchObject({ stdout: '1\n', exit_code: 0 })
      expect((await loaf.workspace.readText(output.scriptPath)).text).toBe('console.log(1)')
    })

    it('stops a session with SIGTERM or SIGKILL cap:84', async () => {
      const { call, until, ended } = await make()
      const start = async (): Promise<string> => {
        const { session_id } = (await call('start_background_js', { code: 'console.log("up"); setInterval(() => {}, 1000)' })).output
        await until(session_id, 'up\n')
        return session_id
      }
      for (const [force, signal] of [
        [undefined, 'SIGTERM'],
        [true, 'SIGKILL'],
      ] as const) {
        const session_id = await start()
        expect(await call('stop_background_js', { session_id, force })).toMatchObject({
          ok: true,
          output: { status: 'stop_requested', session_id, signal },
        })
        expect(await ended(session_id)).toMatchObject({ running: false })
        expect((await call('stop_background_js', { session_id })).output).toMatchObject({ status: 'already_stopped', running: false })
      }
    })

    it('reads one stream, a part of it, or without consuming cap:82', async () => {
      const { call, ended } = await make()
      const { session_id } = (await call('start_background_js', { code: 'console.log("abcdef"); console.error("err")' })).output
      await expect.poll(async () => (await call('list_background_js', { include_exited: true })).output.sessions[0].running).toBe(false)
      const read = async (input: object) => (await call('read_background_js', { session_id, ...input })).output
      expect(await read({ peek: true, max_chars: 3 })).toMatchObject({ stdout: 'abc', stdout_has_more: true })
      expect(await read({ stream: 'stderr' })).toMatchObject({ stdout: '', stdout_has_more: false, stderr: 'err\n' })
      expect(await read({ stream: 'all' })).toMatchObject({ status: 'invalid_input' })
      expect(await ended(session_id)).toMatchObject({ stdout: 'abcdef\n', stderr: '', exit_code: 0 })
    })
  })
}
