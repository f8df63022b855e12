// @module-tag webcontainer
import type { WebContainer, WebContainerProcess } from '@webcontainer/api'
import { createRuntime, createWorkspace, type ShellAdapter, type ShellOutput, type ShellProcess, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import {
  createWebContainerFs,
  createWebContainerShell,
  type WebContainerProcessesLike,
  type WebContainerProcessLike,
  type WebContainerShellOptions,
} from 'toolport/adapters/webcontainer'
import { standard } from 'toolport/presets/standard'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { FakeContainer, WORKDIR } from './webcontainer-fake.js'
import type { ProcessFaults, Program } from './webcontainer-fake-processes.js'

const ROOT = 'project'
const ESC = '\x1b'

interface Made {
  readonly fake: FakeContainer
  readonly workspace: Workspace
  readonly shell: ShellAdapter
}

function made(options: WebContainerShellOptions = {}, root = ROOT): Made {
  const fake = new FakeContainer()
  const workspace = createWorkspace({ fs: createWebContainerFs({ container: fake.api, root }) })
  return { fake, workspace, shell: createWebContainerShell(options)(workspace) }
}

/** A shell that is opened before the faults begin. */
async function faulty(faults: ProcessFaults, options?: WebContainerShellOptions): Promise<Made> {
  const all = made(options)
  await all.shell.open?.()
  all.fake.processes.faults = faults
  return all
}

/** Runs until it is killed or interrupted, and then exits with the corresponding status. */
const endless: Program = async ({ terminal, signal }) => {
  terminal.print('begun\n')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  return Number(signal.reason)
}

const echoing: Program = async ({ terminal, signal }) => {
  terminal.print('ready\n')
  for (;;) {
    const line = await terminal.line(signal)
    if (line === null) return signal.aborted ? Number(signal.reason) : 0
    terminal.print(`<${line}>\n`)
  }
}

function listener(): { readonly pieces: ShellOutput[]; onOutput(output: ShellOutput): void; heard(text: string): Promise<void> } {
  const pieces: ShellOutput[] = []
  const heard = (): string => pieces.map(({ text }) => text).join('')
  return {
    pieces,
    onOutput: (output) => void pieces.push(output),
    heard: (text) => expect.poll(heard, { interval: 5 }).toContain(text),
  }
}

async function start(
  { fake, shell }: Made,
  program: Program,
  options: Parameters<NonNullable<ShellAdapter['spawn']>>[1] = {},
): Promise<Session> {
  fake.processes.programs.set('program', program)
  const { pieces, onOutput, heard } = listener()
  const process = (await shell.spawn?.('program', { ...options, onOutput })) as ShellProcess
  return { process, pieces, heard, text: () => pieces.map(({ text }) => text).join('') }
}

interface Session {
  readonly process: ShellProcess
  readonly pieces: readonly ShellOutput[]
  heard(text: string): Promise<void>
  text(): string
}

const filesBeside = (fake: FakeContainer): string[] => [...fake.root.entries.keys()].filter((name) => name !== ROOT)

describe('the container', () => {
  it('the container and its processes have the types of the published package', () => {
    expectTypeOf<WebContainer>().toExtend<WebContainerProcessesLike>()
    expectTypeOf<WebContainerProcess>().toExtend<WebContainerProcessLike>()
  })

  it('is that of the storage, booted once for both', async () => {
    const { api } = new FakeContainer()
    let boots = 0
    const container = async (): Promise<WebContainerProcessesLike> => {
      boots++
      return api
    }
    const workspace = createWorkspace({ fs: createWebContainerFs({ container }) })
    const shell = createWebContainerShell()(workspace)
    const [{ stdout }] = await Promise.all([shell.exec('echo a'), workspace.exists('x')])
    expect([stdout, boots]).toEqual(['a\n', 1])
  })

  it('may be given as an object or a promise', async () => {
    const { api } = new FakeContainer()
    for (const container of [api, Promise.resolve(api)]) {
      const { shell } = { shell: createWebContainerShell({ container })(createWorkspace({ fs: createWebContainerFs({ container: api }) })) }
      expect((await shell.exec('echo a')).stdout).toBe('a\n')
    }
  })

  it('a container that fails to boot is unavailable with the reason, and the next command retries', async () => {
    const { api } = new FakeContainer()
    let boots = 0
    const container = async (): Promise<WebContainerProcessesLike> => {
      if (++boots === 1) throw new Error('SharedArrayBuffer is not defined')
      return api
    }
    const shell = createWebContainerShell()(createWorkspace({ fs: createWebContainerFs({ container }) }))
    await expect(shell.exec('echo a')).rejects.toMatchObject({
      name: 'ShellError',
      code: 'unavailable',
      message: expect.stringContaining('SharedArrayBuffer is not'),
    })
    expect((await shell.exec('echo a')).stdout).toBe('a\n')
  })

  it('a container that never boots does not delay a timeout', async () => {
    const container = new Promise<WebContainerProcessesLike>(() => {})
    const shell = createWebContainerShell()(createWorkspace({ fs: createWebContainerFs({ container }) }))
    const result = await shell.exec('echo a', { timeoutMs: 20, env: { A: '1' } })
    expect(result).toMatchObject({ exitCode: null, timedOut: true, stdout: '', cwd: '/workspace', env: { A: '1' } })
    await shell.close?.()
  })

  it('a container without processes is unavailable', async () => {
    const { fs, mount } = new FakeContainer().api
    const shell = createWebContainerShell()(createWorkspace({ fs: createWebContainerFs({ container: { fs, mount } }) }))
    await expect(shell.exec('echo a')).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('"spawn"') })
  })

  it('is required: a workspace on another storage is rejected at once', () => {
    expect(() => createWebContainerShell()(createWorkspace({ fs: createMemoryFs() }))).toThrow(
      expect.objectContaining({ name: 'UnsupportedError', capability: 'shell' }),
    )
  })

  it('may be one of several mounts, but commands cannot run in the others', async () => {
    const fake = new FakeContainer()
    const fs = createWebContainerFs({ container: fake.api, root: ROOT })
    const workspace = createWorkspace({ fs, mounts: { docs: createMemoryFs({ files: { 'a/b': 'x' } }) } })
    const shell = createWebContainerShell()(workspace)
    expect((await shell.exec('pwd')).stdout).toBe(`${WORKDIR}/${ROOT}\n`)
    await expect(shell.exec('pwd', { cwd: '/workspace/docs/a' })).rejects.toMatchObject({ name: 'FsError', code: 'ENOTSUP' })
  })

  it('runs no commands in a read-only workspace or with invalid options', async () => {
    const { api } = new FakeContainer()
    const workspace = createWorkspace({ fs: createWebContainerFs({ container: api }), policy: { readOnly: true } })
    await expect(createWebContainerShell()(workspace).exec('> made')).rejects.toMatchObject({ name: 'PolicyError', code: 'read_only' })
    const { shell } = made()
    await expect(shell.exec('echo \0')).rejects.toMatchObject({ name: 'InputError' })
    await expect(shell.exec('echo', { env: { 'A=B': 'x' } })).rejects.toMatchObject({ name: 'InputError' })
    await expect(shell.spawn?.('echo \0')).rejects.toMatchObject({ name: 'InputError' })
    expect(() => createWebContainerShell({ env: { '': 'x' } })).toThrow(expect.objectContaining({ name: 'InputError' }))
  })
})

describe('a command', () => {
  it('starts in the workspace folder with PATH and the given variables', async () => {
    const { fake, shell } = made({ env: { A: '1', B: '1' } })
    await shell.exec('true', { env: { B: '2' } })
    expect(fake.processes.spawned.at(-1)).toMatchObject({
      command: 'jsh',
      options: { cwd: ROOT, env: { PATH: '/usr/bin:/bin', TERM: 'dumb', A: '1', B: '2', PWD: `${WORKDIR}/${ROOT}` } },
    })
  })

  it('has one ordered stream by default', async () => {
    const { shell } = made()
    const result = await shell.exec('echo o1; echo e1 >&2; echo o2; exit 3')
    expect([result.stdout, result.stderr, result.exitCode, shell.can.separateStderr]).toEqual(['o1\ne1\no2\n', '', 3, false])
  })

  it('has separate errors with `stderr: "file"`, reported at the end', async () => {
    const { fake, shell } = made({ stderr: 'file' })
    const { pieces, onOutput } = listener()
    const result = await shell.exec('echo e1 >&2; echo o1; echo ü >&2', { onOutput })
    expect([result.stdout, result.stderr, shell.can.separateStderr]).toEqual(['o1\n', 'e1\nü\n', true])
    expect(pieces).toEqual([
      { stream: 'stdout', text: 'o1\n' },
      { stream: 'stderr', text: 'e1\nü\n' },
    ])
    expect(filesBeside(fake)).toEqual([])
  })

  it('has LF in place of CR LF, and all other output is unchanged', async () => {
    for (const faults of [{}, { chunk: 1 }, { chunk: 2 }, { chunk: 3, late: 1 }, { lf: true, chunk: 1 }]) {
      const { fake, shell } = await faulty(faults)
      const { pieces, onOutput } = listener()
      const text = `a\n\n🙂🙂\r50%\r${ESC}[31mred${ESC}[0m ü\nend`
      fake.processes.programs.set('program', async ({ terminal }) => {
        terminal.print(text)
        return 0
      })
      const { stdout } = await shell.exec('program', { onOutput })
      expect([faults, stdout]).toEqual([faults, text])
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      expect(pieces.filter((piece) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece.text))).toEqual([])
    }
  })

  it('a command whose output ends in half a character or in CR keeps the rest', async () => {
    const { fake, shell } = await faulty({})
    fake.processes.programs.set('program', async ({ terminal }) => {
      terminal.print('a\ud83d')
      return 0
    })
    fake.processes.programs.set('other', async ({ terminal }) => {
      terminal.print('a\r')
      return 0
    })
    expect((await shell.exec('program')).stdout).toBe('a\ufffd')
    expect((await shell.exec('other')).stdout).toBe('a\r')
  })

  it('reads its input from a file, or is without input', async () => {
    const { fake, shell } = made()
    expect((await shell.exec('cat; wc -c', { stdin: 'grün\n🙂' })).stdout).toMatch(/^grün\n🙂/)
    expect((await shell.exec('cat; echo end')).stdout).toBe('end\n')
    expect(filesBeside(fake)).toEqual([])
  })

  it('cannot see helper files, even at the root of the container', async () => {
    const { workspace, shell } = made({ stderr: 'merged' }, '')
    await workspace.writeText('a', 'x')
    expect((await shell.exec('ls -A; cd /; false')).stdout).toBe('a\n')
    expect((await workspace.list('.')).map(({ name }) => name)).toEqual(['a'])
  })

  it('may end in a comment, a backslash or an open quote', async () => {
    const { shell } = made()
    expect((await shell.exec('echo a # b')).stdout).toBe('a\n')
    expect((await shell.exec('echo a \\')).stdout).toBe('a\n')
    const { exitCode, cwd } = await shell.exec("echo it's")
    expect([exitCode, cwd]).toEqual([2, '/workspace'])
    expect((await shell.exec("cat <<'EOF'\na")).stdout).toBe('a\n')
    const whole = await shell.exec('cat <<-"E F"; cd /tmp\na\n\tE F\nfalse')
    expect([whole.stdout, whole.exitCode, whole.cwd]).toEqual(['a\n', 1, '/tmp'])
  })

  it('returns its final directory, and the next command can start there', async () => {
    const { workspace, shell } = made()
    await workspace.mkdir('a/b', { parents: true })
    const first = await shell.exec('cd a/b; export X="1\n2"; false')
    expect([first.exitCode, first.cwd, first.env.X]).toEqual([1, '/workspace/a/b', '1\n2'])
    expect((await shell.exec('pwd', first)).stdout).toBe(`${WORKDIR}/${ROOT}/a/b\n`)
    const out = await shell.exec('cd /tmp')
    expect(out.cwd).toBe('/tmp')
    expect((await shell.exec('pwd', { cwd: out.cwd })).stdout).toBe('/tmp\n')
    // The container's path of a directory that contains the workspace.
    expect((await shell.exec('cd ..')).cwd).toBe(WORKDIR)
  })

  it('a command that exits returns the initial state, because jsh has no traps', async () => {
    const { workspace, shell } = made()
    await workspace.mkdir('a')
    const { exitCode, cwd, env } = await shell.exec('cd a; export A=2; exit 4', { env: { A: '1' } })
    expect([exitCode, cwd, env.A]).toEqual([4, '/workspace', '1'])
  })
})

describe('a shell without some features', () => {
  async function tried(syntax: NonNullable<ProcessFaults['syntax']>, options: WebContainerShellOptions = {}): Promise<Made> {
    const all = made(options)
    all.fake.processes.faults = { syntax }
    await all.workspace.mkdir('a')
    await all.shell.open?.()
    expect(filesBeside(all.fake)).toEqual([])
    return all
  }

  it('a shell without `$?` returns the initial state and the exit code', async () => {
    const { shell } = await tried('no status')
    const { exitCode, stdout, cwd, env } = await shell.exec('cd a; cat; exit 5', { stdin: 'in\n', env: { A: '1' } })
    expect([exitCode, stdout, cwd, env.A]).toEqual([5, 'in\n', '/workspace', '1'])
  })

  it('a shell without redirected errors has one stream, and can.separateStderr is false', async () => {
    const { shell } = await tried('no errors', { stderr: 'file' })
    const { stdout, stderr } = await shell.exec('echo a; echo b >&2')
    expect([stdout, stderr, shell.can.separateStderr]).toEqual(['a\nb\n', '', false])
  })

  it('a shell without redirected input runs commands as they are, and rejects input', async () => {
    const { fake, shell } = await tried('no input')
    fake.processes.programs.set('program', async ({ terminal }) => {
      terminal.print('as it is\n')
      return 3
    })
    expect(await shell.exec('program')).toMatchObject({ exitCode: 3, stdout: 'as it is\n' })
    expect(fake.processes.spawned.at(-1)?.args).toEqual(['-c', 'program'])
    await expect(shell.exec('cat', { stdin: 'x' })).rejects.toMatchObject({ name: 'UnsupportedError', capability: 'stdin' })
  })
})

describe('a container failure', () => {
  it('a failure of spawn is spawn_failed with the reason, and the next command runs', async () => {
    for (const all of [made(), await faulty({})]) {
      all.fake.processes.faults = { spawn: 'rejects' }
      await expect(all.shell.exec('cat', { stdin: 'x' })).rejects.toMatchObject({
        name: 'ShellError',
        code: 'spawn_failed',
        message: expect.stringContaining('command not found: jsh'),
      })
      await expect.poll(() => filesBeside(all.fake)).toEqual([])
      all.fake.processes.faults = {}
      expect((await all.shell.exec('echo a')).stdout).toBe('a\n')
    }
  })

  it('a spawn that returns no process is spawn_failed', async () => {
    const { shell } = await faulty({ spawn: 'no process' })
    await expect(shell.exec('echo a')).rejects.toMatchObject({ code: 'spawn_failed' })
    await expect(shell.spawn?.('echo a')).rejects.toMatchObject({ code: 'spawn_failed' })
  })

  it('a failure of writing the input is spawn_failed', async () => {
    const { fake, shell } = await faulty({})
    fake.faults = {
      before: (call) => {
        if (call === 'writeFile') throw new Error('ENOSPC: no space left on device')
      },
    }
    await expect(shell.exec('cat', { stdin: 'x' })).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('ENOSPC'),
    })
  })

  it('a spawn that never answers ends at the timeout, and the late process is killed', async () => {
    const { fake, shell } = await faulty({ spawn: 'never' })
    const result = await shell.exec('echo a', { timeoutMs: 30 })
    expect(result).toMatchObject({ exitCode: null, timedOut: true, aborted: false, stdout: '' })
    fake.processes.faults = { slowSpawn: 100 }
    fake.processes.programs.set('program', endless)
    expect(await shell.exec('program', { timeoutMs: 10 })).toMatchObject({ exitCode: null, timedOut: true })
    await expect.poll(() => fake.processes.kills).toBe(1)
    fake.processes.faults = { spawn: 'never' }
    const running = shell.exec('echo a')
    await shell.close?.()
    expect(await running).toMatchObject({ exitCode: null, aborted: true })
  })

  it('an exit reported before the output loses no output', async () => {
    const { fake, shell } = await faulty({ late: 20, chunk: 4 })
    fake.processes.programs.set('program', async ({ terminal }) => {
      terminal.print('one\ntwo\nthree\n')
      return 7
    })
    expect(await shell.exec('program')).toMatchObject({ exitCode: 7, stdout: 'one\ntwo\nthree\n' })
  })

  it('output that never ends does not delay the result', async () => {
    const { shell } = await faulty({ output: 'open' })
    expect(await shell.exec('echo a; exit 2')).toMatchObject({ exitCode: 2, stdout: 'a\n' })
  })

  it('a failure in the middle of the output keeps the output and reports the break', async () => {
    const { fake, shell } = await faulty({ output: 'error' })
    fake.processes.programs.set('program', async ({ terminal }) => {
      terminal.print('first\n')
      await new Promise((resolve) => setTimeout(resolve, 50))
      terminal.print('second\n')
      return 0
    })
    const { exitCode, stdout, stderr } = await shell.exec('program')
    expect([exitCode, stdout, stderr]).toEqual([0, 'first\n', '[the output broke off: the port was closed]\n'])
  })

  it('a failure of reporting the exit is "unavailable" with the reason', async () => {
    for (const [exit, reason] of [
      ['rejects', 'the process was lost'],
      ['no number', 'without a number'],
      ['never', 'did not tell'],
    ] as const) {
      const { shell, fake } = await faulty({ exit })
      await expect(shell.exec('echo a')).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(reason) })
      expect(filesBeside(fake)).toEqual([])
    }
  })

  it('a failure of kill does not delay the result', async () => {
    for (const kill of ['nothing', 'throws', 1000] as const) {
      for (const stderr of ['merged', 'file'] as const) {
        const { fake, shell } = await faulty({ kill }, { stderr })
        fake.processes.programs.set('program', endless)
        const controller = new AbortController()
        const { onOutput, heard, pieces } = listener()
        const running = shell.exec('program', { signal: controller.signal, onOutput })
        await heard('begun\n')
        controller.abort()
        expect(await running).toMatchObject({ exitCode: null, aborted: true, timedOut: false, stdout: 'begun\n', cwd: '/workspace' })
        expect(fake.processes.kills).toBe(1)
        await expect.poll(() => filesBeside(fake)).toEqual([])
        expect(pieces).toHaveLength(1)
      }
    }
  })

  it('after a failed kill, no output is reported after the result', async () => {
    const { fake, shell } = await faulty({ kill: 'nothing' })
    fake.processes.programs.set('program', async ({ terminal }) => {
      terminal.print('begun\n')
      await new Promise((resolve) => setTimeout(resolve, 600))
      terminal.print('late\n')
      return 0
    })
    const { pieces, onOutput } = listener()
    const { stdout } = await shell.exec('program', { timeoutMs: 50, onOutput })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([stdout, pieces.map(({ text }) => text)]).toEqual(['begun\n', ['begun\n']])
  })

  it('a teardown is spawn_failed before a command, and an abort ends a running one', async () => {
    const { fake, shell } = await faulty({}, { stderr: 'file' })
    fake.processes.programs.set('program', endless)
    const { onOutput, heard } = listener()
    const controller = new AbortController()
    const running = shell.exec('program', { signal: controller.signal, onOutput })
    await heard('begun')
    fake.teardown()
    controller.abort()
    expect(await running).toMatchObject({ exitCode: null, aborted: true, stdout: 'begun\n' })
    await expect(shell.exec('echo a')).rejects.toMatchObject({ name: 'FsError', code: 'EIO' })
    await shell.close?.()
  })

  it('a failure of reading its files returns the result without them', async () => {
    const { fake, shell } = await faulty({}, { stderr: 'file' })
    fake.faults = {
      before: (call, path) => {
        if (path.startsWith('.toolport')) throw new Error(`EIO: i/o error, ${call}`)
      },
    }
    expect(await shell.exec('cd /; echo a; echo b >&2')).toMatchObject({ exitCode: 0, stdout: 'a\n', stderr: '', cwd: '/workspace' })
  })
})

describe('a session', () => {
  it('a session on a terminal has its size, can be resized, and output is unchanged', async () => {
    const all = await faulty({})
    const { process, text, heard } = await start(all, echoing, { terminal: { cols: 100, rows: 30 } })
    expect([process.transport, process.closeInput, all.shell.can.pty]).toEqual(['pty', undefined, true])
    expect(all.fake.processes.spawned.at(-1)?.options).toMatchObject({
      cwd: ROOT,
      terminal: { cols: 100, rows: 30 },
      env: { TERM: 'xterm-256color' },
    })
    await process.resize?.({ cols: 40, rows: 10 })
    expect(all.fake.processes.sizes).toEqual([{ cols: 40, rows: 10 }])
    await process.write('grün 🙂\r')
    await heard('<grün 🙂>\r\n')
    await process.write('\x04')
    expect(await process.exited).toEqual({ exitCode: 0 })
    expect(text()).toBe('ready\r\ngrün 🙂\r\n<grün 🙂>\r\n')
  })

  it('a session without a terminal is a pipe with LF and input that can be closed', async () => {
    const all = await faulty({})
    const { process, text, heard } = await start(all, echoing)
    expect([process.transport, process.resize]).toEqual(['pipe', undefined])
    expect(all.fake.processes.spawned.at(-1)?.options).not.toHaveProperty('terminal')
    await process.write('a\nhalf')
    await heard('<a>\n')
    await process.closeInput?.()
    await process.closeInput?.()
    await expect(process.write('x')).rejects.toMatchObject({ code: 'not_running' })
    expect(await process.exited).toEqual({ exitCode: 0 })
    expect(text()).toBe('ready\n<a>\n<half>\n')
    await expect(process.write('x')).rejects.toMatchObject({ code: 'not_running' })
  })

  it('is interrupted by SIGINT, and killed by SIGTERM and SIGKILL', async () => {
    for (const terminal of [undefined, { cols: 80, rows: 24 }]) {
      for (const [signal, exitCode, kills] of [
        ['SIGINT', 130, 0],
        ['SIGTERM', 143, 1],
        ['SIGKILL', 137, 1],
      ] as const) {
        const all = await faulty({})
        const { process, heard } = await start(all, endless, terminal && { terminal })
        await heard('begun')
        await process.kill(signal)
        expect(await process.exited).toEqual({ exitCode, signal })
        await process.kill(signal)
        expect(all.fake.processes.kills - kills).toBeLessThanOrEqual(1)
      }
    }
  })

  it('is killed on abort, also before its process has started', async () => {
    const all = await faulty({})
    const controller = new AbortController()
    const { process, heard } = await start(all, endless, { signal: controller.signal })
    await heard('begun')
    controller.abort()
    expect(await process.exited).toEqual({ exitCode: 137, signal: 'SIGKILL' })
    const spawned = all.fake.processes.spawned.length
    await expect(start(all, endless, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'spawn_failed' })
    expect(all.fake.processes.spawned).toHaveLength(spawned)
    all.fake.processes.faults = { slowSpawn: 500 }
    const late = new AbortController()
    const starting = start(all, endless, { signal: late.signal })
    await expect.poll(() => all.fake.processes.spawned.length, { interval: 5 }).toBe(spawned + 1)
    late.abort()
    await expect(starting).rejects.toMatchObject({ code: 'spawn_failed' })
    await expect.poll(() => all.fake.processes.kills).toBe(2)
  })

  it('a session that cannot be killed ends after SIGKILL, not after SIGTERM', async () => {
    const all = await faulty({ kill: 'nothing' })
    const { process, pieces, heard } = await start(all, endless)
    await heard('begun')
    let ended = false
    void process.exited.then(() => {
      ended = true
    })
    await process.kill('SIGINT')
    await process.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(ended).toBe(false)
    await process.kill('SIGKILL')
    expect(await process.exited).toEqual({ exitCode: null, signal: 'SIGKILL' })
    expect(pieces).toHaveLength(1)
  })

  it('reports its last output before the exit, and does not wait for it forever', async () => {
    const printing: Program = async ({ terminal }) => {
      terminal.print('one\ntwo\n')
      return 3
    }
    for (const faults of [{ late: 20, chunk: 2 }, { output: 'open' }, { chunk: 1 }] as const) {
      const { process, text } = await start(await faulty(faults), printing)
      expect(await process.exited).toEqual({ exitCode: 3 })
      expect(text()).toBe('one\ntwo\n')
    }
  })

  it('a session with a broken output or a lost exit still ends', async () => {
    const { process, text } = await start(await faulty({ output: 'error' }), async ({ terminal }) => {
      terminal.print('a\n')
      return 0
    })
    expect(await process.exited).toEqual({ exitCode: 0 })
    expect(text()).toBe('a\n')
    for (const exit of ['rejects', 'never'] as const) {
      const lost = await start(await faulty({ exit }), async () => 0)
      expect(await lost.process.exited).toEqual({ exitCode: null })
    }
  })

  it('a session with closed or stuck input, or without its terminal, rejects writes', async () => {
    const closed = await start(await faulty({ input: 'closed' }), endless, { terminal: { cols: 80, rows: 24 } })
    await expect(closed.process.write('x')).rejects.toMatchObject({ name: 'ShellError', code: 'not_running' })
    await closed.process.kill('SIGINT')
    const stuck = await start(await faulty({ input: 'stuck' }), endless)
    const writing = stuck.process.write('x')
    await stuck.process.kill('SIGKILL')
    await stuck.process.exited
    await writing.catch(() => undefined)
    const full = await start(await faulty({ input: 'stuck' }), endless)
    const waiting = full.process.write('x'.repeat(1024 * 1024))
    await expect(full.process.write('x')).rejects.toMatchObject({ name: 'ShellError', code: 'input_full' })
    await full.process.kill('SIGKILL')
    await full.process.exited
    await waiting.catch(() => undefined)
    const gone = await start(await faulty({ resize: 'throws' }), endless, { terminal: { cols: 80, rows: 24 } })
    await expect(gone.process.resize?.({ cols: 1, rows: 1 })).rejects.toMatchObject({ name: 'ShellError', code: 'not_running' })
  })

  it('ends on close(), even if nothing can be killed', async () => {
    for (const faults of [{}, { kill: 'nothing' }] as const) {
      const all = await faulty(faults)
      const [one, two] = [await start(all, endless), await start(all, echoing)]
      const running = all.shell.exec('program')
      await all.shell.close?.()
      expect((await one.process.exited).signal).toBe('SIGKILL')
      expect((await two.process.exited).signal).toBe('SIGKILL')
      expect(await running).toMatchObject({ exitCode: null, aborted: true })
      await expect(all.shell.exec('true')).rejects.toMatchObject({ code: 'unavailable' })
      await expect(all.shell.spawn?.('true')).rejects.toMatchObject({ code: 'unavailable' })
    }
  })

  it('a session of a torn down container ends when it is killed', async () => {
    const all = await faulty({})
    const { process, heard } = await start(all, endless)
    await heard('begun')
    all.fake.teardown()
    await process.kill('SIGKILL')
    expect(await process.exited).toEqual({ exitCode: null, signal: 'SIGKILL' })
  })
})

describe('the tools over a container', () => {
  it('run commands and read the files that they wrote', async () => {
    const fake = new FakeContainer()
    const tools = createRuntime({
      fs: createWebContainerFs({ container: fake.api, root: ROOT, files: { 'a.txt': 'one\n' } }),
      shell: createWebContainerShell(),
      preset: standard(),
    })
    expect(await tools.call('bash', { command: 'sed s/one/two/ a.txt > b.txt; cat b.txt; mkdir d; cd d' })).toMatchObject({
      exit_code: 0,
      stdout: 'two\n',
    })
    expect(await tools.call('bash', { command: 'basename "$PWD"' })).toMatchObject({ stdout: 'd\n' })
    expect(await tools.call('read_file', { path: 'b.txt' })).toMatchObject({ text: expect.stringContaining('two') })
    await tools.dispose()
  })
})
