import { type ShellAdapter, ShellError, type ShellExit } from 'toolport'
import type { CreateLoafOptions, Loaf, LoafToolDefinition } from 'toolport/presets/loaf'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answered, type Background, backgroundOf } from './loaf-background-support.js'

export type OpenLoaf = (options: Pick<CreateLoafOptions, 'sessions'>, change: (shell: ShellAdapter) => ShellAdapter) => Loaf | Promise<Loaf>

const ID = /^bg-bash-\d{13}-[0-9a-f]{8}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const FAMILY = ['read', 'write', 'stop', 'list', 'resize'].map((verb) => `${verb}_background_bash`)
const READER = 'while IFS= read -r line; do echo "<$line>"; done'

const invalid = (message: string): Answered => ({ ok: false, output: { status: 'invalid_input', message }, error: message })

/** Cases for the documented tool family, for any shell with `spawn`. Sessions use pipes unless a test says otherwise. */
export function backgroundTests(name: string, open: OpenLoaf): void {
  const opened: Loaf[] = []
  const make = async (options: Pick<CreateLoafOptions, 'sessions'> = {}, change = (shell: ShellAdapter) => shell): Promise<Background> => {
    const loaf = await open(options, change)
    opened.push(loaf)
    return backgroundOf(loaf)
  }
  afterEach(async () => {
    for (const loaf of opened.splice(0)) await loaf.dispose()
  })

  describe(`loaf in the background, ${name}`, () => {
    it('bash returns at once and describes the session cap:55 cap:56', async () => {
      const { call, ended, loaf } = await make()
      const { root } = loaf.workspace
      const input = { command: 'echo out; read x', run_in_background: true, full_terminal: false }
      const { ok, output, error } = await call('bash', input)
      expect([ok, error]).toEqual([true, undefined])
      expect(output).toEqual({
        status: 'started',
        mode: 'bash',
        session_id: expect.stringMatching(ID),
        session_name: 'background-bash',
        shell: 'bash',
        shell_command: expect.any(String),
        shell_args: [],
        command: 'echo out; read x',
        pid: output.pid === null ? null : expect.any(Number),
        cwd: root,
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
        session_updated: true,
        cwd_before: root,
        cwd_after: root,
        transport: 'pipe',
        full_terminal: false,
        terminal_cols: 120,
        terminal_rows: 36,
      })
      expect(Object.keys(output).join(' ')).toBe(
        'status mode session_id session_name shell shell_command shell_args command pid cwd created_at updated_at session_updated cwd_before cwd_after transport full_terminal terminal_cols terminal_rows',
      )
      expect(await call('write_background_bash', { session_id: output.session_id, input: 'x' })).toMatchObject({ ok: true })
      expect(await ended(output.session_id)).toMatchObject({ stdout: 'out\n', exit_code: 0, signal: null, running: false })
    })

    it('bash starts with the state of the session and does not change it cap:55 cap:51', async () => {
      const { call, start, ended, loaf } = await make()
      await loaf.workspace.writeText('sub/f.txt', 'f\n')
      await loaf.workspace.writeText('other/g.txt', 'g\n')
      await call('bash', { command: 'export A=1', cwd: 'sub' })
      const id = await start('cat f.txt; echo $A$B; cd ..; export A=2', { env: { B: 'b' } })
      expect(await ended(id)).toMatchObject({ stdout: 'f\n1b\n' })
      expect((await call('bash', { command: 'cat f.txt; echo $A$B' })).output).toMatchObject({ stdout: 'f\n1b' })
      // The call's own options persist for later calls, as in the foreground.
      expect(await ended(await start('cat g.txt', { cwd: '../other' }))).toMatchObject({ stdout: 'g\n' })
      expect((await call('bash', { command: 'cat g.txt' })).output).toMatchObject({ stdout: 'g' })
      expect(await ended(await start('echo "[$A$B]"', { reset_session: true }))).toMatchObject({ stdout: '[]\n' })
    })

    it('bash rejects a missing cwd, but replaces a removed directory of the session by the root cap:55', async () => {
      const { call, start, ended, loaf } = await make()
      await loaf.workspace.writeText('gone/f', '')
      const input = { command: 'pwd', run_in_background: true, full_terminal: false }
      expect(await call('bash', { ...input, cwd: 'none' })).toMatchObject({
        ok: false,
        output: { callId: 'c', tool: 'bash', status: 'error' },
      })
      await call('bash', { command: 'cd gone' })
      await loaf.workspace.remove('gone', { recursive: true })
      expect(await ended(await start('pwd'))).toMatchObject({ stdout: `${loaf.workspace.root}\n` })
    })

    it('bash returns a running session of the same name and does not run the command cap:57', async () => {
      const { call, start, loaf } = await make()
      const input = { command: 'echo ready; read x', run_in_background: true, session_name: 'dev', full_terminal: false }
      const first = (await call('bash', input)).output
      const again = await call('bash', { ...input, command: '> made', session_name: ' dev ' })
      const { session_updated, cwd_before, cwd_after, ...same } = first
      expect(again).toEqual({ ok: true, output: { ...same, status: 'reused', updated_at: again.output.updated_at } })
      expect(await loaf.workspace.exists('made')).toBe(false)

      await loaf.workspace.writeText('sub/f', '')
      const others = [
        await start('read x', { session_name: 'dev', reuse_session: false }),
        await start('read x', { session_name: 'Dev' }),
        await start('read x', { session_name: 'dev', full_terminal: true }),
        await start('read x', { session_name: 'dev', cwd: 'sub' }),
        await start('read x', { cwd: '..' }),
        await start('read x'),
      ]
      expect(new Set([first.session_id, ...others]).size).toBe(7)
    })

    it('bash starts a new session if the named one has ended cap:57', async () => {
      const { call, start, ended } = await make()
      const first = await start('exit 3', { session_name: 'dev' })
      await ended(first)
      const second = await start('read x', { session_name: 'dev' })
      expect(second).not.toBe(first)
      expect(await call('read_background_bash', { session_id: first })).toMatchObject({ ok: true, output: { exit_code: 3 } })
    })

    it('concurrent calls with one name get one session cap:57', async () => {
      const { start, call } = await make()
      const ids = await Promise.all(Array.from({ length: 5 }, () => start('echo begun >> log; read x', { session_name: 'dev' })))
      expect(new Set(ids).size).toBe(1)
      expect((await call('list_background_bash', {})).output.count).toBe(1)
    })

    it('read returns the oldest output first, up to max_chars, and continues from there cap:59', async () => {
      const { call, start, until } = await make()
      const id = await start('echo abcdefghij; echo ERR >&2; read x; echo more; read x')
      await expect.poll(async () => (await call('list_background_bash', {})).output.sessions[0].unread_stdout_chars).toBe(11)
      await expect.poll(async () => (await call('list_background_bash', {})).output.sessions[0].unread_stderr_chars).toBe(4)
      const read = async (input: object): Promise<Answered['output']> =>
        (await call('read_background_bash', { session_id: ` ${id} `, ...input })).output
      const first = {
        status: 'ok',
        session_id: id,
        session_name: 'background-bash',
        running: true,
        exit_code: null,
        signal: null,
        stdout: 'abcd',
        stderr: 'ERR\n',
        stdout_cursor: 4,
        stderr_cursor: 4,
        stdout_has_more: true,
        stderr_has_more: false,
        stdout_dropped: false,
        stderr_dropped: false,
      }
      const peeked = await read({ max_chars: 4.9, peek: true })
      expect(peeked).toEqual(first)
      expect(Object.keys(peeked)).toEqual(Object.keys(first))
      // Only the value `true` leaves the output unread.
      expect(await read({ max_chars: 4, peek: 'true' })).toEqual(first)
      expect(await read({ max_chars: 3, stream: ' STDERR ' })).toMatchObject({
        stdout: '',
        stdout_cursor: 4,
        stdout_has_more: false,
        stderr: '',
        stderr_cursor: 4,
      })
      expect(await read({ stream: 'stdout', max_chars: 3 })).toMatchObject({
        stdout: 'efg',
        stdout_cursor: 7,
        stdout_has_more: true,
        stderr: '',
      })
      expect(await read({ max_chars: -1 })).toMatchObject({ stdout: 'hij\n', stdout_cursor: 11, stdout_has_more: false })
      expect(await read({})).toMatchObject({ stdout: '', stdout_cursor: 11, stderr: '', stderr_cursor: 4 })
      await call('write_background_bash', { session_id: id, input: 'x' })
      expect((await until(id, 'more\n')).stdout).toBe('more\n')
    })

    it('read limits characters and selects streams cap:59', async () => {
      const { call, start, ended } = await make()
      const id = await start('seq 1 60000')
      const { stdout } = await ended(id)
      expect(stdout.length).toBe(120_000)
      const read = async (max_chars: unknown): Promise<number> =>
        (await call('read_background_bash', { session_id: id, max_chars, peek: true })).output.stdout.length
      expect(await Promise.all([undefined, 0, Number.NaN, '9', 0.5, 2.9, 1e9].map(read))).toEqual([8000, 8000, 8000, 8000, 1, 2, 120_000])
      for (const stream of ['', 'all', 5, null]) {
        const message = 'Cannot read this `stream`: it is `both`, `stdout` or `stderr`.'
        expect(await call('read_background_bash', { session_id: id, stream })).toEqual(invalid(message))
      }
    })

    it('read keeps the last 300,000 characters of a flood, and reports the loss once cap:59', async () => {
      const { call, start } = await make()
      const id = await start('seq 1 60000; echo end')
      await expect.poll(async () => (await call('list_background_bash', { include_exited: true })).output.sessions[0].running).toBe(false)
      expect((await call('list_background_bash', { include_exited: true })).output.sessions[0].unread_stdout_chars).toBe(300_000)
      const all = `${Array.from({ length: 60_000 }, (_, i) => `${i + 1}\n`).join('')}end\n`
      let text = ''
      for (const dropped of [true, false, false]) {
        const { output } = await call('read_background_bash', { session_id: id, max_chars: 120_000 })
        expect(output).toMatchObject({ stdout_dropped: dropped, stderr_dropped: false })
        text += output.stdout
        expect([output.stdout_cursor, output.stdout_has_more]).toEqual([all.length - 300_000 + text.length, text.length < 300_000])
      }
      expect(text === all.slice(-300_000)).toBe(true)
    })

    it('read removes control sequences, however the output is split cap:60', async () => {
      const { start, ended, loaf } = await make()
      await loaf.workspace.writeText('raw', 'a\x1b[1;31mred\x1b[0m\r\nb\x1b]0;title\x07c\x1b]8;;http://x\x1b\\d\x07\x08e\tf\x1b(Bg\x1b[')
      await loaf.workspace.writeText('rest', '2Kh\n')
      expect(await ended(await start('cat raw; sleep 0.05; cat rest'))).toMatchObject({ stdout: 'ared\nbcde\tfgh\n' })
    })

    it('write sends text with a line break by default cap:61', async () => {
      const { call, start, until } = await make()
      const id = await start(READER)
      const write = (input: object): Promise<Answered> => call('write_background_bash', { session_id: id, ...input })
      expect(await write({ input: 'grün' })).toEqual({
        ok: true,
        output: { status: 'ok', session_id: id, running: true, exit_code: null, signal: null, bytes_written: 6, transport: 'pipe' },
      })
      expect((await write({ input: 'a', append_newline: false })).output.bytes_written).toBe(1)
      expect((await write({ input: 'b\nc', append_newline: null })).output.bytes_written).toBe(3)
      expect((await write({ input: 'd' })).output.bytes_written).toBe(2)
      expect((await until(id, '<cd>\n')).stdout).toBe('<grün>\n<ab>\n<cd>\n')
    })

    it('write rejects empty input and unknown keys cap:61 cap:62', async () => {
      const { call, start } = await make()
      const id = await start('read x')
      const nothing = 'Nothing to write: give some `input`, or a `key`.'
      for (const input of [{}, { input: '' }, { input: 5 }, { key: ' ' }, { key: 7, input: null }]) {
        expect(await call('write_background_bash', { session_id: id, ...input })).toEqual(invalid(nothing))
      }
      const keys = 'enter, tab, esc, up, down, left, right, home, end, pgup, pgdown, backspace, delete, ctrl+c, ctrl+d, ctrl+z'
      for (const key of ['f1', 'constructor']) {
        const message = `There is no such \`key\`; there are ${keys}.`
        expect(await call('write_background_bash', { session_id: id, key, input: 'x' })).toEqual(invalid(message))
      }
    })

    it('write sends keys repeatedly in place of text, as bytes to a pipe cap:62', async () => {
      const { call, start, ended, loaf } = await make()
      const id = await start('IFS= read -r line; printf "%s" "$line" > keys')
      const keys: Record<string, string> = {
        ...{ tab: '\t', esc: '\x1b', up: '\x1b[A', down: '\x1b[B', right: '\x1b[C', left: '\x1b[D', home: '\x1b[H', end: '\x1b[F' },
        ...{ pgup: '\x1b[5~', pgdown: '\x1b[6~', backspace: '\x7f', delete: '\x1b[3~', enter: '\r' },
        ...{ 'ctrl+c': '\x03', 'ctrl+d': '\x04', 'ctrl+z': '\x1a' },
      }
      for (const [key, bytes] of Object.entries(keys)) {
        const { output } = await call('write_background_bash', { session_id: id, key: ` ${key.toUpperCase()}`, input: 'x', repeat: 2.9 })
        expect([key, output.bytes_written]).toEqual([key, 2 * bytes.length])
      }
      const repeated = async (repeat: unknown): Promise<number> =>
        (await call('write_background_bash', { session_id: id, key: 'tab', repeat })).output.bytes_written
      expect([await repeated(1000), await repeated(0), await repeated('5')]).toEqual([100, 1, 1])
      await call('write_background_bash', { session_id: id, input: 'z' })
      await ended(id)
      const expected = `${Object.values(keys)
        .map((bytes) => bytes + bytes)
        .join('')}${'\t'.repeat(102)}z`
      expect((await loaf.workspace.readText('keys')).text).toBe(expected)
    })

    it('write to an ended session and to one that takes no input fail with different errors cap:61', async () => {
      const { call, start, ended } = await make({}, (shell) => ({
        ...unbound(shell),
        spawn: async (command, options) => {
          const process = await spawn(shell, command, options)
          const write = (): Promise<void> => Promise.reject(new ShellError('not_running', 'its input is closed'))
          return command.includes('# deaf') ? { ...process, write } : process
        },
      }))
      const id = await start('exit 3')
      await ended(id)
      for (const input of [{ input: 'x' }, { key: 'enter' }, { key: 'none' }, {}]) {
        expect(await call('write_background_bash', { session_id: id, ...input })).toEqual({
          ok: false,
          output: {
            status: 'not_running',
            session_id: id,
            running: false,
            exit_code: 3,
            signal: null,
            bytes_written: null,
            transport: 'pipe',
          },
          error: 'background bash session is not running',
        })
      }
      const deaf = await start('sleep 1000 # deaf')
      expect(await call('write_background_bash', { session_id: deaf, input: 'x' })).toEqual({
        ok: false,
        output: {
          status: 'stdin_unavailable',
          session_id: deaf,
          running: true,
          exit_code: null,
          signal: null,
          bytes_written: null,
          transport: 'pipe',
        },
        error: 'background bash session takes no more input',
      })
    })

    it('write does not wait for a program that does not read cap:61', async () => {
      const { call, start } = await make({}, (shell) => ({
        ...unbound(shell),
        spawn: async (command, options) => ({ ...(await spawn(shell, command, options)), write: () => new Promise(() => {}) }),
      }))
      const id = await start('sleep 1000')
      expect(await call('write_background_bash', { session_id: id, input: 'é' })).toMatchObject({
        ok: true,
        output: { status: 'ok', bytes_written: 3, running: true },
      })
    }, 20_000)

    it('an aborted call ends the session that it is starting cap:55', async () => {
      const signals: AbortSignal[] = []
      const { call } = await make({}, (shell) => ({
        ...unbound(shell),
        spawn: async (command, options = {}) => {
          if (options.signal) signals.push(options.signal)
          if (signals.length === 1) await new Promise((resolve) => options.signal?.addEventListener('abort', resolve))
          return spawn(shell, command, options)
        },
      }))
      const controller = new AbortController()
      const input = { command: 'sleep 1000', run_in_background: true, full_terminal: false, session_name: 'one' }
      const first = call('bash', input, { signal: controller.signal })
      await expect.poll(() => signals.length).toBe(1)
      const second = call('bash', input)
      controller.abort()
      expect((await first).output.status).toBe('aborted')
      // Aborting the first call does not affect the session of the second.
      expect(await second).toMatchObject({ ok: true, output: { status: 'started' } })
      expect((await call('list_background_bash', { include_exited: true })).output).toMatchObject({
        count: 1,
        sessions: [{ running: true }],
      })
    })

    it('stop sends SIGTERM or SIGKILL and reports the state cap:63', async () => {
      const { call, start, until, ended } = await make()
      for (const [force, signal, code] of [
        [false, 'SIGTERM', 143],
        [true, 'SIGKILL', 137],
        ['true', 'SIGTERM', 143],
      ] as const) {
        const id = await start('echo ready; sleep 1000; > made')
        await until(id, 'ready')
        const { ok, output } = await call('stop_background_bash', { session_id: id, force })
        expect([ok, Object.keys(output)]).toEqual([true, ['status', 'session_id', 'signal', 'running', 'exit_code']])
        expect(output).toMatchObject({ status: 'stop_requested', session_id: id, signal })
        // On a busy machine the answer may come before the process has ended.
        expect(output.exit_code).toBe(output.running ? null : code)
        expect(await ended(id)).toMatchObject({ running: false, exit_code: code, signal })
        expect(await call('stop_background_bash', { session_id: id })).toEqual({
          ok: true,
          output: { status: 'already_stopped', session_id: id, running: false, exit_code: code, signal },
        })
      }
    })

    it('list returns the newest first, and ended sessions on request cap:64', async () => {
      const { call, start, ended, loaf } = await make()
      const list = async (input: object): Promise<Answered['output']> => (await call('list_background_bash', input)).output
      expect(await list({})).toEqual({ status: 'ok', count: 0, sessions: [] })
      await loaf.workspace.writeText('sub/f', '')
      const first = await start('echo out; echo oops >&2; exit 2', { session_name: 'one' })
      const second = await start('read x', { session_name: 'two', cwd: 'sub', terminal_cols: 80 })
      const third = await start('read x')
      await expect.poll(async () => (await list({})).count).toBe(2)
      const all = await list({ include_exited: true })
      expect(all.sessions.map((entry: { session_id: string }) => entry.session_id)).toEqual([third, second, first])
      expect((await list({ include_exited: 'true' })).count).toBe(2)
      const { cwd } = loaf.workspace
      const common = { shell: 'bash', created_at: expect.stringMatching(TIME), updated_at: expect.stringMatching(TIME) }
      const pipe = { transport: 'pipe', full_terminal: false, terminal_rows: 36 }
      expect(all.sessions.slice(1)).toEqual([
        {
          session_id: second,
          session_name: 'two',
          running: true,
          status: 'running',
          command: 'read x',
          cwd: `${cwd}/sub`.replace('//', '/'),
          unread_stdout_chars: 0,
          unread_stderr_chars: 0,
          ...common,
          ...pipe,
          terminal_cols: 80,
        },
        {
          session_id: first,
          session_name: 'one',
          running: false,
          status: 'exited',
          command: 'echo out; echo oops >&2; exit 2',
          cwd,
          unread_stdout_chars: 4,
          unread_stderr_chars: 5,
          ...common,
          ...pipe,
          terminal_cols: 120,
        },
      ])
      expect(Object.keys(all.sessions[0]).join(' ')).toBe(
        'session_id session_name running status shell command cwd created_at updated_at unread_stdout_chars unread_stderr_chars transport full_terminal terminal_cols terminal_rows',
      )
      await ended(first)
      expect((await list({ include_exited: true })).sessions[2]).toMatchObject({ unread_stdout_chars: 0, unread_stderr_chars: 0 })
    })

    it('resize is unsupported for a session without a terminal cap:65', async () => {
      const { call, start } = await make()
      const id = await start('read x')
      expect(await call('resize_background_bash', { session_id: id, cols: 80, rows: 24 })).toEqual({
        ok: false,
        output: {
          status: 'unsupported',
          session_id: id,
          transport: 'pipe',
          full_terminal: false,
          terminal_cols: null,
          terminal_rows: null,
        },
        error: 'resize_background_bash requires a session with a terminal (full_terminal)',
      })
    })

    it('a session without terminal support uses a pipe, returns transport "pipe", and is found by name cap:58', async () => {
      const { call, until } = await make({}, (shell) => ({
        ...unbound(shell),
        can: { ...shell.can, pty: false },
        spawn: (command, { terminal, ...options } = {}) => spawn(shell, command, options),
      }))
      const input = { command: READER, run_in_background: true, session_name: 'tty', terminal_cols: 9999, terminal_rows: 1 }
      const { output } = await call('bash', input)
      expect(output).toMatchObject({ status: 'started', transport: 'pipe', full_terminal: false, terminal_cols: 400, terminal_rows: 10 })
      await call('write_background_bash', { session_id: output.session_id, input: 'x' })
      await until(output.session_id, '<x>\n')
      expect((await call('bash', input)).output).toMatchObject({ status: 'reused', session_id: output.session_id, full_terminal: false })
    })

    it('a failed terminal start fails the call instead of using a pipe cap:58', async () => {
      const asked: unknown[] = []
      const { call, loaf } = await make({}, (shell) => ({
        ...unbound(shell),
        can: { ...shell.can, pty: true },
        spawn: async (_, options) => {
          asked.push(options?.terminal)
          throw new ShellError('spawn_failed', 'no terminals left')
        },
      }))
      const { root } = loaf.workspace
      expect(await call('bash', { command: 'vi', run_in_background: true, terminal_cols: 'x', terminal_rows: 0 })).toEqual({
        ok: false,
        output: { status: 'error', mode: 'bash', command: 'vi', cwd_before: root, cwd_after: root, session_updated: true },
        error: 'failed to start full_terminal session: no terminals left',
      })
      expect(asked).toEqual([{ cols: 120, rows: 36 }])
      expect((await call('list_background_bash', { include_exited: true })).output.count).toBe(0)
      // Without a terminal, the failure has the usual format.
      expect(await call('bash', { command: 'vi', run_in_background: true, full_terminal: false })).toEqual({
        ok: false,
        output: { callId: 'c', tool: 'bash', status: 'error' },
        error: 'no terminals left',
      })
    })

    it('every tool of the family requires a session_id cap:56', async () => {
      const { call, start } = await make()
      await start('read x')
      for (const name of FAMILY.filter((tool) => tool !== 'list_background_bash')) {
        for (const session_id of [undefined, '', 5, 'bg-bash-1-00000000', 'constructor']) {
          expect(await call(name, { session_id, input: 'x', cols: 80, rows: 24 })).toEqual(
            invalid(`${name} requires a valid \`session_id\`.`),
          )
        }
      }
    })

    it('sessions belong to the instance, for all its registries cap:56', async () => {
      const { loaf, start, until } = await make()
      const id = await start('echo ready; read x')
      await until(id, 'ready')
      const tool = (name: string): LoafToolDefinition => loaf.BASH_BUILTIN_TOOLS.find((each) => each.name === name) as LoafToolDefinition
      const own = new loaf.ToolRuntime(loaf.createToolRegistry().register(tool('list_background_bash')))
      expect(await own.execute({ name: 'list_background_bash', input: {} })).toMatchObject({ output: { count: 1 } })
      const written = await tool('write_background_bash').run({ session_id: id, input: 'x' }, { now: new Date() })
      expect(written).toMatchObject({ ok: true, output: { bytes_written: 2 } })
      const other = await make()
      expect((await other.call('list_background_bash', {})).output.count).toBe(0)
    })

    it('a session outlives its call and the call’s signal cap:55', async () => {
      const { call, until } = await make()
      const controller = new AbortController()
      const input = { command: READER, run_in_background: true, full_terminal: false }
      const { output } = await call('bash', input, { signal: controller.signal })
      controller.abort()
      await call('write_background_bash', { session_id: output.session_id, input: 'still here' })
      await until(output.session_id, '<still here>\n')
    })

    it('sessions end with the instance cap:66', async () => {
      const ends: Promise<ShellExit>[] = []
      const { loaf, start, until, call } = await make({}, (shell) => ({
        ...unbound(shell),
        spawn: async (command, options) => {
          const process = await spawn(shell, command, options)
          ends.push(process.exited)
          return process
        },
      }))
      const ids = await Promise.all(['sleep 1000', READER, 'while :; do :; done'].map((command) => start(`echo ready; ${command}`)))
      for (const id of ids) await until(id, 'ready')
      await loaf.dispose()
      const codes = (await Promise.all(ends)).map(({ exitCode }) => exitCode)
      expect(codes.length).toBe(3)
      for (const code of codes) expect(code === null || code > 128).toBe(true)
      expect((await call('list_background_bash', {})).output.status).toBe('aborted')
    })

    it('sessions are kept until the instance ends, unless limits are set cap:66', async () => {
      const { call, start, ended } = await make({ sessions: { max: 1 } })
      const first = await start('read x')
      expect(await call('bash', { command: 'read x', run_in_background: true, full_terminal: false })).toMatchObject({
        ok: false,
        output: { callId: 'c', tool: 'bash', status: 'error' },
      })
      await call('stop_background_bash', { session_id: first, force: true })
      await ended(first)
      await start('read x')
      expect((await call('list_background_bash', { include_exited: true })).output.count).toBe(2)
    })

    it('a shell without sessions removes the session tools, and bash rejects run_in_background cap:55', async () => {
      const { call, loaf } = await make({}, (shell) => {
        const { spawn: _, ...rest } = unbound(shell)
        return rest
      })
      const names = loaf.defaultToolRegistry.getModelManifest().map((entry) => entry.name)
      expect(names).toContain('bash')
      expect(FAMILY.filter((tool) => names.includes(tool))).toEqual([])
      expect(await call('bash', { command: 'sleep 100', run_in_background: true })).toEqual({
        ok: false,
        output: { callId: 'c', tool: 'bash', status: 'unsupported' },
        error: 'bash `run_in_background` is not available: the shell of this runtime has no background sessions',
      })
      expect(await call('list_background_bash', {})).toMatchObject({
        ok: false,
        output: { callId: 'c', tool: 'list_background_bash', status: 'unsupported' },
      })
    })
  })
}

const spawn = (
  shell: ShellAdapter,
  ...args: Parameters<NonNullable<ShellAdapter['spawn']>>
): ReturnType<NonNullable<ShellAdapter['spawn']>> => shell.spawn?.(...args) ?? Promise.reject(new Error('no spawn'))

/** The shell as a plain object, whose methods do not need `this`. */
const unbound = (shell: ShellAdapter): ShellAdapter => ({
  name: shell.name,
  can: shell.can,
  open: async () => shell.open?.(),
  exec: (command, options) => shell.exec(command, options),
  spawn: (command, options) => spawn(shell, command, options),
  close: async () => shell.close?.(),
})
