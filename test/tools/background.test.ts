// @module-tag background
import {
  createRuntime,
  type ShellAdapter,
  type ShellExecOptions,
  type ShellProcess,
  type ShellSpawnOptions,
  shellTools,
  systemHost,
} from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { type Hand, type HandOptions, hand } from '../unit/sessions-support.js'
import { type Bench, benchOver } from './harness.js'
import type { ShellBenchOptions } from './shell-bench.js'

interface Started {
  readonly command: string
  readonly options: ShellSpawnOptions
  readonly process: Hand
}

interface HandBench extends Bench {
  /** The started processes, in order. */
  readonly started: readonly Started[]
  /** Starts a session and returns its process. */
  start(input?: Record<string, unknown>): Promise<{ readonly session_id: string; readonly process: Hand }>
}

const ENDED = { exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false }

const CAN = { pty: true, separateStderr: true, hardKill: true, dialect: 'bash' }

/** A runtime whose shell starts processes that the test controls. `processes`: options of the processes, in order of their start. */
function handBench(
  processes: readonly HandOptions[] = [],
  options: ShellBenchOptions & Partial<Pick<ShellAdapter, 'exec' | 'spawn'>> = {},
): HandBench {
  const started: Started[] = []
  const spawn = async (command: string, given: ShellSpawnOptions = {}): Promise<ShellProcess> => {
    const process = hand(processes[started.length])
    started.push({ command, options: given, process })
    return process.start().spawn({ id: 'bg', onOutput: () => {}, signal: new AbortController().signal, ...given })
  }
  const exec: ShellAdapter['exec'] = async (_, { cwd = '/', env = {} } = {}) => ({ ...ENDED, cwd, env })
  const shell: ShellAdapter = { name: 'hand', can: CAN, exec: options.exec ?? exec, spawn: options.spawn ?? spawn }
  const bench = benchOver(
    createRuntime({ root: '/workspace', ...options, fs: createMemoryFs({ files: { 'sub/f.txt': '' } }), shell, tools: shellTools() }),
  )
  return {
    ...bench,
    started,
    async start(input = {}) {
      const { session_id } = await bench.ok('bash', { command: 'serve', run_in_background: true, ...input })
      const process = started.at(-1)?.process
      if (!process) throw new Error('nothing was started')
      return { session_id, process }
    },
  }
}

const TOOLS = ['read', 'write', 'stop', 'list', 'resize'].map((verb) => `${verb}_background_bash`)

describe('the tools of background sessions', () => {
  it('are offered if the shell can start processes', () => {
    const names = (bench: Bench): readonly string[] => bench.runtime.getModelManifest().map(({ name }) => name)
    expect(names(handBench())).toEqual(['bash', ...TOOLS].sort())
    expect(standard().tools.map(({ name }) => name)).toEqual(expect.arrayContaining(TOOLS))
    const exec: ShellAdapter['exec'] = () => Promise.reject(new Error('not run'))
    const without = benchOver(createRuntime({ fs: createMemoryFs(), shell: { name: 'plain', can: CAN, exec }, tools: shellTools() }))
    expect(names(without)).toEqual(['bash'])
  })

  it('name the missing capability if the shell cannot start processes', async () => {
    const exec: ShellAdapter['exec'] = () => Promise.reject(new Error('not run'))
    const { fail } = benchOver(createRuntime({ fs: createMemoryFs(), shell: { name: 'plain', can: CAN, exec }, tools: shellTools() }))
    const error = 'Cannot run "bash" in the background: the shell adapter "plain" has no background sessions'
    expect(await fail('bash', { command: 'true', run_in_background: true })).toMatchObject({
      output: { status: 'unsupported', capability: 'shell.spawn', adapter: 'plain' },
      error,
    })
    expect((await fail('list_background_bash')).output).toMatchObject({ status: 'unsupported', capability: 'shell.spawn' })
  })

  it('list up to ten existing sessions for an unknown one', async () => {
    const { fail, start, ok } = handBench()
    expect(await fail('read_background_bash', { session_id: 'nope' })).toMatchObject({
      output: { code: 'unknown_session', status: 'invalid_input', hint: expect.stringContaining('List the sessions') },
      error: 'There is no background session "nope": there are none',
    })
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.unshift((await start()).session_id)
    const error = `There is no background session "${'x'.repeat(80)}…": there are ${ids.slice(0, 10).join(', ')} and 2 more`
    for (const [name, more] of [
      ['read', {}],
      ['write', { input: 'x' }],
      ['stop', {}],
      ['resize', { cols: 80, rows: 24 }],
    ] as const)
      expect((await fail(`${name}_background_bash`, { session_id: 'x'.repeat(500), ...more })).error).toBe(error)
    expect((await ok('list_background_bash')).count).toBe(12)
  })

  it('do not show sessions of other kinds', async () => {
    const { runtime, fail, ok } = handBench()
    const other = await runtime.sessions.start(hand().start({ kind: 'js' }))
    expect((await fail('read_background_bash', { session_id: other.id })).output).toMatchObject({ code: 'unknown_session' })
    expect(await ok('list_background_bash', { include_exited: true })).toEqual({ count: 0, sessions: [] })
  })
})

describe('bash with run_in_background', () => {
  it.each([
    ['a name without run_in_background', { session_name: 'dev' }, ['session_name']],
    ['a terminal without run_in_background', { terminal: {} }, ['terminal']],
    ['input for a session', { run_in_background: true, stdin: 'x' }, ['stdin']],
    ['a timeout for a session', { run_in_background: true, timeout_ms: 5000, stdin: '' }, ['stdin', 'timeout_ms']],
    ['an empty name', { run_in_background: true, session_name: ' ' }, ['session_name']],
    ['a name of two lines', { run_in_background: true, session_name: 'a\nb' }, ['session_name']],
    ['a name that is too long', { run_in_background: true, session_name: 'x'.repeat(101) }, ['session_name']],
    ['a terminal that is too narrow', { run_in_background: true, terminal: { cols: 39 } }, ['terminal.cols']],
    ['a terminal with too many rows', { run_in_background: true, terminal: { rows: 201 } }, ['terminal.rows']],
  ])('rejects %s', async (_, input, places) => {
    const { fail, started } = handBench()
    const { output } = await fail('bash', { command: 'true', ...input })
    expect(output.code).toBe('invalid_input')
    expect(output.issues?.map(({ path }) => path)).toEqual(places)
    expect(started).toEqual([])
  })

  it('starts with the state of the last command and does not change it', async () => {
    const given: (ShellExecOptions | undefined)[] = []
    const exec: ShellAdapter['exec'] = async (_, options) => {
      given.push(options)
      return { ...ENDED, cwd: '/workspace/sub', env: { A: '1' }, state: { plain: { n: `${given.length}` } } }
    }
    const { ok, started } = handBench([{ transport: 'pty' }], { exec })
    await ok('bash', { command: 'true' })
    await ok('bash', { command: 'vi', cwd: '..', env: { B: '2' }, run_in_background: true, terminal: { cols: 80 } })
    expect(started[0]).toMatchObject({
      command: 'vi',
      options: { cwd: '/workspace', env: { A: '1', B: '2' }, state: { plain: { n: '1' } }, terminal: { cols: 80, rows: 36 } },
    })
    await ok('bash', { command: 'true' })
    expect(given[1]).toMatchObject({ cwd: '/workspace/sub', env: { A: '1' }, state: { plain: { n: '1' } } })
    await ok('bash', { command: 'serve', run_in_background: true, reset_session: true })
    expect(started[1]?.options).toMatchObject({ cwd: '/workspace', env: {}, state: undefined, terminal: undefined })
  })

  it('shows the session, its name and its transport', async () => {
    const { read, ok } = handBench([{}, { transport: 'pty' }, {}])
    expect(await read('bash', { command: 'serve', run_in_background: true, session_name: 'dev server' })).toMatch(
      /^Runs in the background as bg-bash-\d+-[0-9a-f]{8} \("dev server"\)\n\[no terminal, pid 4711\]$/,
    )
    expect(await read('bash', { command: 'vi', run_in_background: true, terminal: {}, cwd: 'sub' })).toMatch(
      /\n\[terminal of 120x36, pid 4711, in \/workspace\/sub\]$/,
    )
    expect(await ok('bash', { command: 'vi', run_in_background: true, terminal: {} })).toMatchObject({
      transport: 'pipe',
      note: 'this shell does not support terminals: the session runs on pipes',
    })
  })

  it('leaves no session after a failed start', async () => {
    const { fail, ok } = handBench([], { spawn: () => Promise.reject(new Error('no more processes')) })
    expect((await fail('bash', { command: 'serve', run_in_background: true })).error).toContain('no more processes')
    expect((await ok('list_background_bash', { include_exited: true })).count).toBe(0)
  })

  it('is aborted while starting, but not after the start', async () => {
    const late = hand()
    let arrive: () => void = () => {}
    let signal: AbortSignal | undefined
    const spawn: ShellAdapter['spawn'] = (_, options) => {
      signal = options?.signal
      return new Promise((resolve) => {
        arrive = () => resolve(late.process)
      })
    }
    const { runtime, ok } = handBench([], { spawn })
    const controller = new AbortController()
    const call = runtime.execute({ name: 'bash', input: { command: 'serve', run_in_background: true } }, { signal: controller.signal })
    await expect.poll(() => signal).toBeDefined()
    controller.abort()
    arrive()
    expect(await call).toMatchObject({ ok: false, output: { status: 'aborted' } })
    expect(signal?.aborted).toBe(true)
    await expect.poll(() => late.told).toEqual(['[SIGKILL]'])
    expect((await ok('list_background_bash', { include_exited: true })).count).toBe(0)

    const bench = handBench()
    const other = new AbortController()
    const input = { command: 'serve', run_in_background: true }
    expect(await bench.runtime.execute({ name: 'bash', input }, { signal: other.signal })).toMatchObject({ ok: true })
    other.abort()
    for (let turn = 0; turn < 5; turn++) await systemHost.yield()
    expect(bench.started[0]?.options.signal?.aborted).toBe(false)
    expect((await bench.ok('list_background_bash')).count).toBe(1)
  })

  it('follows the command policy', async () => {
    const policy = {
      commands: ({ command }: { readonly command: string }) => (command === 'serve' ? ('allow' as const) : ('deny' as const)),
    }
    const { fail, start, started } = handBench([], { policy })
    await start()
    expect((await fail('bash', { command: 'rm -rf x', run_in_background: true })).output).toMatchObject({ code: 'command_blocked' })
    expect(started).toHaveLength(1)
  })

  it('is rejected above the maximum number of sessions', async () => {
    const { fail, start } = handBench([], { sessions: { max: 1 } })
    await start()
    expect((await fail('bash', { command: 'serve', run_in_background: true })).output).toMatchObject({
      code: 'too_many_sessions',
      hint: expect.stringContaining('Stop a session'),
    })
  })
})

describe('read_background_bash', () => {
  it('returns every field', async () => {
    const { ok, start } = handBench()
    const { session_id, process } = await start({ session_name: 'dev' })
    process.print('\x1b[31mhello\x1b[0m world\r\n')
    process.print('oops', 'stderr')
    expect(await ok('read_background_bash', { session_id, max_chars: 5 })).toEqual({
      session_id,
      session_name: 'dev',
      state: 'running',
      running: true,
      exit_code: null,
      signal: null,
      stdout: 'hello',
      stderr: 'oops',
      stdout_cursor: 5,
      stderr_cursor: 4,
      stdout_has_more: true,
      stderr_has_more: false,
      stdout_dropped: 0,
      stderr_dropped: 0,
      waited_ms: 0,
    })
    process.print('more', 'stderr')
    expect(await ok('read_background_bash', { session_id, stream: 'stdout', peek: true })).toMatchObject({ stdout: ' world\n', stderr: '' })
    expect(await ok('read_background_bash', { session_id })).toMatchObject({ stdout: ' world\n', stderr: 'more' })
  })

  it('returns plain text to a model', async () => {
    const { read, start } = handBench()
    const { session_id, process } = await start()
    expect(await read('read_background_bash', { session_id })).toBe('(nothing new)\n[running]')
    process.print('one\ntwo\n')
    process.print('oops\n', 'stderr')
    expect(await read('read_background_bash', { session_id, max_chars: 4 })).toBe(
      'one\n[stderr]\noops\n[running, more of stdout and stderr: read again]',
    )
    process.print('x'.repeat(300_000))
    expect(await read('read_background_bash', { session_id, max_chars: 2 })).toBe(
      'xx\n[stderr]\n\n[running, more of stdout: read again, 4 characters of stdout before this were lost]',
    )
    process.exit({ exitCode: 0 })
    expect(await read('read_background_bash', { session_id, stream: 'stderr', wait_ms: 1000 })).toBe('(nothing new)\n[exited with code 0]')
  })

  it('reports the signal that ended a session', async () => {
    const { read, start } = handBench()
    const { session_id, process } = await start()
    process.exit({ exitCode: 139, signal: 'SIGSEGV' })
    expect(await read('read_background_bash', { session_id, wait_ms: 1000 })).toBe('(nothing new)\n[exited (SIGSEGV, exit code 139)]')
  })

  it('returns at most the output limit, and the rest with the next call', async () => {
    const { runtime, ok, start } = handBench([], { limits: { outputBytes: 4000 } })
    const { session_id, process } = await start()
    const out = Array.from({ length: 2000 }, (_, i) => `é${i}\n`).join('')
    const err = Array.from({ length: 1000 }, (_, i) => `😀${i}\n`).join('')
    process.print(out)
    process.print(err, 'stderr')
    process.exit({ exitCode: 0 })
    const got = { stdout: '', stderr: '' }
    for (let more = true; more; ) {
      const result = await runtime.execute({ name: 'read_background_bash', input: { session_id, max_chars: 120_000 } })
      if (!result.ok) throw new Error(result.error)
      const [part] = result.content ?? []
      expect(part?.type === 'text' && part.text).not.toContain('left out')
      const output = result.output as { stdout: string; stderr: string; stdout_has_more: boolean; stderr_has_more: boolean }
      got.stdout += output.stdout
      got.stderr += output.stderr
      more = output.stdout_has_more || output.stderr_has_more
    }
    expect(got).toEqual({ stdout: out, stderr: err })
    expect(await ok('read_background_bash', { session_id })).toMatchObject({ stdout_dropped: 0, stderr_dropped: 0 })
  })

  it('waits for output or the end, at most for wait_ms', async () => {
    const host = createTestHost()
    const { ok, start } = handBench([], { host })
    const { session_id, process } = await start()
    const first = ok('read_background_bash', { session_id, wait_ms: 5000 })
    await host.advance(1200)
    process.print('now')
    await host.advance(50)
    expect(await first).toMatchObject({ stdout: 'now', waited_ms: 1250 })
    const second = ok('read_background_bash', { session_id, wait_ms: 5000 })
    await host.advance(5000)
    expect(await second).toMatchObject({ stdout: '', waited_ms: 5000, running: true })
    const third = ok('read_background_bash', { session_id, wait_ms: 5000 })
    await host.advance(10)
    process.exit({ exitCode: 3 })
    expect(await third).toMatchObject({ running: false, exit_code: 3, waited_ms: 10 })
  })

  it('collects output that arrives shortly after the first, up to a limit', async () => {
    const host = createTestHost()
    const { ok, start } = handBench([], { host })
    const { session_id, process } = await start()
    process.print('ls\r\n')
    const first = ok('read_background_bash', { session_id, wait_ms: 5000 })
    await host.advance(40)
    process.print('a.txt\r\n')
    await host.advance(40)
    process.print('b.txt\r\n')
    await host.advance(100)
    expect(await first).toMatchObject({ stdout: 'ls\na.txt\nb.txt\n', waited_ms: 150 })
    const flood = ok('read_background_bash', { session_id, wait_ms: 5000 })
    for (let i = 0; i < 60; i++) {
      process.print('x')
      await host.advance(10)
    }
    expect(await flood).toMatchObject({ waited_ms: 500, running: true })
    const short = ok('read_background_bash', { session_id, wait_ms: 20 })
    await host.advance(20)
    expect(await short).toMatchObject({ waited_ms: 20 })
  })

  it('answers before the deadline of the call', async () => {
    const host = createTestHost()
    const { runtime, start } = handBench([], { host })
    const { session_id } = await start()
    const call = runtime.execute({ name: 'read_background_bash', input: { session_id, wait_ms: 60_000 } }, { deadlineMs: 1000 })
    await host.advance(999)
    expect(await call).toMatchObject({ ok: true, output: { running: true, waited_ms: 750 } })
  })

  it('loses no output when a call is aborted', async () => {
    const { runtime, ok, start } = handBench()
    const { session_id, process } = await start()
    const controller = new AbortController()
    const call = runtime.execute({ name: 'read_background_bash', input: { session_id, wait_ms: 60_000 } }, { signal: controller.signal })
    for (let turn = 0; turn < 5; turn++) await systemHost.yield()
    controller.abort()
    process.print('late')
    expect(await call).toMatchObject({ ok: false, output: { status: 'aborted' } })
    expect(await ok('read_background_bash', { session_id })).toMatchObject({ stdout: 'late' })
  })

  it.each([
    ['no id', { session_id: undefined }, ['session_id']],
    ['no characters', { max_chars: 0 }, ['max_chars']],
    ['too many characters', { max_chars: 120_001 }, ['max_chars']],
    ['an unknown stream', { stream: 'stdin' }, ['stream']],
    ['a wait that is too long', { wait_ms: 120_001 }, ['wait_ms']],
  ])('rejects %s', async (_, input, places) => {
    const { output } = await handBench().fail('read_background_bash', { session_id: 'x', ...input })
    expect(output.issues?.map(({ path }) => path)).toEqual(places)
  })
})

describe('write_background_bash', () => {
  it('sends text with Enter and keys in the form for a pipe or a terminal', async () => {
    const { ok, read, start } = handBench([{}, { transport: 'pty' }])
    const pipe = await start()
    expect(await ok('write_background_bash', { session_id: pipe.session_id, input: 'é' })).toEqual({
      session_id: pipe.session_id,
      session_name: 'background-bash',
      state: 'running',
      running: true,
      exit_code: null,
      signal: null,
      bytes_written: 3,
    })
    await ok('write_background_bash', { session_id: pipe.session_id, input: 'x', append_newline: false })
    expect(await read('write_background_bash', { session_id: pipe.session_id, input: '' })).toBe('Sent 1 bytes\n[running]')
    expect(pipe.process.told).toEqual(['é\n', 'x', '\n'])
    const pty = await start({ terminal: {} })
    await ok('write_background_bash', { session_id: pty.session_id, input: 'ls' })
    expect(await read('write_background_bash', { session_id: pty.session_id, key: 'Up', repeat: 3 })).toBe('Pressed up 3 times\n[running]')
    expect(pty.process.told).toEqual(['ls\r', '\x1b[A\x1b[A\x1b[A'])
  })

  it.each([
    ['neither input nor key', {}, ['input']],
    ['both', { input: 'x', key: 'enter' }, ['input']],
    ['empty input without a newline', { input: '', append_newline: false }, ['input']],
    ['repeated input', { input: 'x', repeat: 2 }, ['repeat']],
    ['an unknown key', { key: 'f13' }, ['key']],
    ['too many repetitions', { key: 'up', repeat: 101 }, ['repeat']],
    ['zero repetitions', { key: 'up', repeat: 0 }, ['repeat']],
    ['input that is too long', { input: 'x'.repeat(1024 * 1024 + 1) }, ['input']],
  ])('rejects %s', async (_, input, places) => {
    const { fail, start } = handBench()
    const { session_id, process } = await start()
    const { output } = await fail('write_background_bash', { session_id, ...input })
    expect(output).toMatchObject({ code: 'invalid_input' })
    expect(output.issues?.map(({ path }) => path)).toEqual(places)
    expect(process.told).toEqual([])
  })

  it('is rejected after the session has ended', async () => {
    const { fail, start } = handBench()
    const { session_id, process } = await start()
    process.exit({ exitCode: 0 })
    expect(await fail('write_background_bash', { session_id, input: 'x' })).toMatchObject({
      output: { code: 'not_running', hint: expect.stringContaining('read its output') },
      error: `Cannot write to session "${session_id}": it has ended`,
    })
  })

  it('does not wait for a program that does not read', async () => {
    const host = createTestHost()
    const { read, start } = handBench([{ deaf: true }], { host })
    const { session_id } = await start()
    const call = read('write_background_bash', { session_id, input: 'x' })
    await host.advance(5000)
    expect(await call).toBe('[the program has not read all of this input yet]\n[running]')
  })
})

describe('stop_background_bash', () => {
  it('returns every field and the unread amount', async () => {
    const { ok, read, start } = handBench()
    const { session_id, process } = await start()
    process.print('abc')
    expect(await ok('stop_background_bash', { session_id })).toEqual({
      status: 'stopped',
      session_id,
      session_name: 'background-bash',
      state: 'stopped',
      running: false,
      exit_code: 143,
      signal: 'SIGTERM',
      escalated: false,
    })
    expect(await read('stop_background_bash', { session_id })).toBe(
      'The session had already ended\n[stopped (SIGTERM, exit code 143), 3 characters of stdout unread]',
    )
  })

  it('kills a program that does not end within grace_ms', async () => {
    const host = createTestHost()
    const { read, start } = handBench([{ dies: ['SIGKILL'] }, { dies: ['SIGKILL'] }], { host })
    const first = await start()
    const call = read('stop_background_bash', { session_id: first.session_id, grace_ms: 500 })
    await host.advance(500)
    expect(await call).toBe('Killed, because it did not end in time\n[stopped (SIGKILL, exit code 137)]')
    const second = await start()
    expect(await read('stop_background_bash', { session_id: second.session_id, force: true })).toMatch(/^Stopped\n/)
    expect(second.process.told).toEqual(['[SIGKILL]'])
  })

  it('ends before the deadline of the call', async () => {
    const host = createTestHost()
    const { runtime, start } = handBench([{ dies: ['SIGKILL'] }], { host })
    const { session_id } = await start()
    const call = runtime.execute({ name: 'stop_background_bash', input: { session_id, grace_ms: 60_000 } }, { deadlineMs: 2000 })
    await host.advance(1900)
    expect(await call).toMatchObject({ ok: true, output: { escalated: true } })
  })
})

describe('list_background_bash', () => {
  it('returns every field, newest first, with ended sessions on request', async () => {
    const { ok, read, start } = handBench([{}, { transport: 'pty' }])
    const first = await start({ session_name: 'one', command: `echo\n${'x'.repeat(2000)}` })
    const second = await start({ session_name: 'two', terminal: {}, cwd: 'sub' })
    second.process.print('abc')
    first.process.exit({ exitCode: 1 })
    await expect.poll(async () => (await ok('list_background_bash')).count).toBe(1)
    expect((await ok('list_background_bash')).sessions).toEqual([
      {
        session_id: second.session_id,
        session_name: 'two',
        state: 'running',
        running: true,
        exit_code: null,
        signal: null,
        command: 'serve',
        cwd: '/workspace/sub',
        transport: 'pty',
        terminal: { cols: 120, rows: 36 },
        pid: 4711,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        unread_stdout: 3,
        unread_stderr: 0,
      },
    ])
    const all = await ok('list_background_bash', { include_exited: true })
    expect(all.sessions.map(({ session_name }: { session_name: string }) => session_name)).toEqual(['two', 'one'])
    expect(all.sessions[1].command).toHaveLength(1001)
    expect(await read('list_background_bash')).toBe(
      `${second.session_id} "two": serve [running, terminal of 120x36, 3 characters unread, in /workspace/sub]\n[1 more have ended]`,
    )
    expect(await read('list_background_bash', { include_exited: true })).toContain(
      `${first.session_id} "one": echo ${'x'.repeat(95)}… [exited with code 1, 0 characters unread, in /workspace]`,
    )
  })

  it('returns "No sessions" at first', async () => {
    expect(await handBench().read('list_background_bash')).toBe('No sessions')
  })
})

describe('resize_background_bash', () => {
  it('sets the size of the terminal', async () => {
    const { ok, read, start } = handBench([{ transport: 'pty' }])
    const { session_id, process } = await start({ terminal: {} })
    expect(await ok('resize_background_bash', { session_id, cols: 100, rows: 50 })).toMatchObject({
      status: 'resized',
      cols: 100,
      rows: 50,
    })
    expect(await read('resize_background_bash', { session_id, cols: 40, rows: 10 })).toBe('The terminal is 40x10 now\n[running]')
    expect(process.told).toEqual(['[100x50]', '[40x10]'])
    expect((await ok('list_background_bash')).sessions[0].terminal).toEqual({ cols: 40, rows: 10 })
  })

  it('is rejected without a terminal and for invalid sizes', async () => {
    const { fail, start } = handBench()
    const { session_id } = await start()
    expect((await fail('resize_background_bash', { session_id, cols: 100, rows: 50 })).output).toMatchObject({
      status: 'unsupported',
      capability: 'terminal',
    })
    for (const size of [{ cols: 39, rows: 50 }, { cols: 401, rows: 50 }, { cols: 100, rows: 9 }, { cols: 100, rows: 201 }, { cols: 100 }])
      expect((await fail('resize_background_bash', { session_id, ...size })).output.code).toBe('invalid_input')
  })
})

describe('the state of bash between calls', () => {
  it('is passed on, kept after a timeout, and reset by reset_session', async () => {
    const states: unknown[] = []
    const results = [{ state: { n: 1 } }, { exitCode: null, timedOut: true }, { state: { n: 3 } }, {}, {}]
    const exec: ShellAdapter['exec'] = async (_, { cwd = '/', env = {}, state } = {}) => ({
      ...ENDED,
      cwd,
      env,
      ...results[states.push(state) - 1],
    })
    const { ok } = handBench([], { exec })
    for (const reset_session of [false, false, false, false, true]) await ok('bash', { command: 'true', reset_session })
    expect(states).toEqual([undefined, { n: 1 }, { n: 1 }, { n: 3 }, undefined])
  })
})
