// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { type ShellAdapter, type ShellError, type ShellOutput, type ShellResult, systemHost } from 'toolport'
import type { JqOptions, JustBashShellOptions, WorkerLike } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Listener, withGrowingTime } from '../contract/shell/case.js'
import { SCRIPT_FILES, SCRIPTS, type Setup, setup } from './just-bash-support.js'

const TIMED_OUT = { timedOut: true, aborted: false, exitCode: null }
const ABORTED = { timedOut: false, aborted: true, exitCode: null }

const SED = `sed ${Array.from({ length: 12 }, (_, i) => `-e 's/user/USER${i}/g' -e 's/USER${i}/user/g'`).join(' ')} /workspace/big.txt`
/** A command that never ends or yields, so that only terminating its worker stops it. */
const LONG = "jq -n 'def f: f; f'"
const BIG = 'one line of a file with a user in it, and another user\n'.repeat(200_000)

/** Scripts that are stopped after they print `before`. None ends within ten seconds, or yields. */
const STOPPED: Readonly<Record<string, string>> = {
  'a tight loop': 'echo before; while :; do :; done',
  'a loop that writes': 'echo before; while :; do echo line > /dev/null; echo line > /tmp/line; done',
  'a deep recursion': 'fib() { if [ $1 -lt 2 ]; then return; fi; fib $(($1-1)); fib $(($1-2)); }; echo before; fib 40',
  'expansions without an end': 'echo before; s=$(printf "%50000s"); while :; do t=${s// /ab}; set -- {a,b}{a,b}{a,b}; done',
  'a string that doubles':
    'echo before; while :; do s=x; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do s=$s$s; done; done',
  'a sleep': 'echo before; sleep 1000',
  'one long sed on 10 MB': `echo before; ${SED} > out.txt; echo late > late.txt`,
  'a command that never looks up': `echo before; ${LONG} > out.txt; echo late > late.txt`,
}

/** A loop of the interpreter, a wait, and a command that never yields. */
const ONE_OF_EACH = ['a tight loop', 'a sleep', 'a command that never looks up']

/** Cases for shells in workers. `start` starts a worker as the shell itself would. */
export function workerCases(start: JustBashShellOptions['worker'], make: () => WorkerLike, whole = false, jq: JqOptions = {}): void {
  const opened: ShellAdapter[] = []
  const hosted = ({ shell, ...options }: Setup = {}): ReturnType<typeof setup> => {
    const made = setup({ ...options, shell: { worker: start, jq, ...shell } })
    opened.push(made.shell)
    return made
  }
  afterEach(() => Promise.all(opened.splice(0).map((shell) => shell.close?.())))

  /** Stops the script once it has printed `before`. */
  const stopAfterBefore = async (
    shell: ShellAdapter,
    script: string,
  ): Promise<{ readonly result: ShellResult; readonly ticks: number }> => {
    const stop = new AbortController()
    const listener = new Listener()
    const running = shell.exec(script, { signal: stop.signal, onOutput: listener.onOutput })
    await listener.heard('before\n')
    let ticks = 0
    const ticking = setInterval(() => {
      // Aborts while the script runs, after this thread has had ten turns.
      if (++ticks === 10) stop.abort()
    }, 10)
    const result = await running
    clearInterval(ticking)
    return { result, ticks }
  }

  describe('commands in a worker', () => {
    describe('give the same results as in this thread', () => {
      const files = { ...SCRIPT_FILES, 'bytes.bin': Uint8Array.from({ length: 256 }, (_, i) => i) }
      // One shell each for all scripts, because starting a worker takes longer than most scripts.
      const [there, here] = [setup({ shell: { worker: start } }), setup()]
      afterAll(() => there.shell.close?.())

      it.each(SCRIPTS)('%s', async (script) => {
        const results: unknown[] = []
        for (const { shell, workspace } of [there, here]) {
          for (const { name } of await workspace.list('.')) await workspace.remove(name, { recursive: true })
          for (const [path, content] of Object.entries(files)) await workspace.writeBytes(path, bytesOf(content))
          const result = await shell.exec(script, { stdin: 'first\nsecond\n', env: { GIVEN: 'it is' } })
          results.push({ result, files: await workspace.files() })
        }
        expect(results[0]).toEqual(results[1])
      })
    })

    it('keep binary content unchanged', async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256)
      const { shell, workspace } = hosted({ files: { 'a.bin': bytes } })
      expect(await shell.exec('cat a.bin > b.bin; cp a.bin c.bin; cat a.bin >> b.bin; : > empty.bin; wc -c < b.bin')).toMatchObject({
        stdout: '140000\n',
      })
      expect((await workspace.readBytes('b.bin')).bytes).toEqual(Uint8Array.from([...bytes, ...bytes]))
      expect((await workspace.readBytes('c.bin')).bytes).toEqual(bytes)
      expect((await workspace.readBytes('empty.bin')).bytes).toEqual(new Uint8Array())
    })

    it('copy directories, and links as links', async () => {
      const files = { 'd/a': 'a', 'd/deep/b': 'b', 'd/deep/er/c': 'c' }
      const script =
        'ln -s deep/b d/link; mkdir e; cp -r d e/into; cp -r d new; cp -r d /tmp/away; cp -r d d/inside; ls -R e new /tmp/away; readlink new/link; cat new/deep/er/c'
      const [there, here] = [hosted({ files }), setup({ files })]
      expect(await there.shell.exec(script)).toEqual(await here.shell.exec(script))
      expect(await there.workspace.files()).toEqual(await here.workspace.files())
    })

    it('respect the workspace policy and print the reason', async () => {
      const { shell } = hosted({ files: { 'a.txt': 'a' }, workspace: { policy: { readOnly: true } } })
      expect(await shell.exec('echo b > a.txt')).toMatchObject({ exitCode: 1, stderr: 'bash: a.txt: Read-only file system\n' })
      expect(await shell.exec('cat a.txt', { cwd: '/tmp' })).toMatchObject({ exitCode: 1 })
      await expect(shell.exec('pwd', { cwd: '/workspace/nope' })).rejects.toMatchObject({ name: 'FsError', code: 'ENOENT' })
    })

    it('report all output, also beyond what the result keeps', async () => {
      const { shell } = hosted()
      let told = 0
      const onOutput = ({ text }: ShellOutput): void => {
        told += text.length
      }
      const script = 'for i in {1..3000}; do printf "%1000s\\n" $i; done'
      const result = await shell.exec(script, { maxBytes: 5000, onOutput })
      expect(told).toBe(3000 * 1001)
      expect(result).toMatchObject({ exitCode: 0, truncated: true, stdout: expect.stringContaining('bytes left out') })
      expect(result.stdout.length).toBeLessThanOrEqual(5000)
    })

    it('reject a damaged or unclonable state like in this thread', async () => {
      const damaged: readonly ((state: Record<string, unknown>) => Record<string, unknown>)[] = [
        (state) => ({ ...state, variables: [['a', () => 1]] }),
        (state) => ({ ...state, shell: () => 'just-bash' }),
      ]
      for (const { shell } of [hosted(), setup()]) {
        const { state } = await shell.exec('a=1')
        for (const damage of damaged) {
          const given = { state: damage(state as Record<string, unknown>) }
          await expect(shell.exec('echo a', given)).rejects.toMatchObject({ name: 'InputError', code: 'invalid_input' })
          await expect(shell.spawn?.('echo a', given)).rejects.toMatchObject({ name: 'InputError', code: 'invalid_input' })
        }
        expect(await shell.exec('echo $a', { state })).toMatchObject({ stdout: '1\n' })
      }
    })

    it('find an executable that an earlier command created in /usr/bin', async () => {
      const { shell } = hosted()
      const slow = shell.exec('until [ -e go ]; do sleep 0.01; done; mine')
      await shell.exec('echo "echo I am mine" > /usr/bin/mine; chmod +x /usr/bin/mine; > go')
      expect(await shell.exec('mine')).toMatchObject({ stdout: 'I am mine\n' })
      await slow
    })

    it('sleep by the host’s clock', async () => {
      const host = { ...systemHost, sleep: () => Promise.resolve() }
      const { shell } = hosted({ workspace: { host } })
      expect(await shell.exec('sleep 100000; echo awake')).toMatchObject({ stdout: 'awake\n' })
    })

    it('have the same limits as in this thread', async () => {
      const { shell } = hosted({ shell: { limits: { commands: 100 } } })
      expect(await shell.exec('echo before; while :; do :; done')).toMatchObject({ exitCode: 126, stdout: 'before\n' })
    })

    it('are limited to the allowed ones', async () => {
      const { shell } = hosted({ shell: { allow: ['cat'] } })
      expect(await shell.exec('ls')).toMatchObject({ exitCode: 127 })
      await expect(hosted({ shell: { allow: ['none-such'] } }).shell.open?.()).rejects.toMatchObject({
        name: 'ShellError',
        code: 'unavailable',
        message: expect.stringContaining('none-such'),
      })
    })
  })

  describe('a custom command of a shell in a worker', () => {
    it('runs in the calling thread, on the same file system', async () => {
      const { shell, workspace } = hosted({
        files: { 'a.txt': 'from a file' },
        shell: {
          commands: [
            {
              name: 'shout',
              async run(args, { cwd, env, stdin, fs }) {
                const text = new TextDecoder().decode(stdin)
                await fs.writeFile(fs.resolvePath(cwd, 'said.txt'), text)
                return { stdout: `${args.join('+')} ${env.WHO} ${cwd} ${text.toUpperCase()}`, stderr: 'aside\n', exitCode: 4 }
              },
            },
          ],
        },
      })
      const result = await shell.exec('export WHO=me; mkdir d; cd d; cat ../a.txt | shout 1 "2 3"')
      expect(result).toMatchObject({ exitCode: 4, stdout: '1+2 3 me /workspace/d FROM A FILE', stderr: 'aside\n' })
      expect((await workspace.readText('d/said.txt')).text).toBe('from a file')
    })

    it('does not consume input that it does not read', async () => {
      const { shell } = hosted({ shell: { commands: [{ name: 'note', run: async ([what = '']) => ({ stdout: `noted ${what}\n` }) }] } })
      expect(await shell.exec("printf 'a\\nb\\n' | while read x; do note $x; done")).toMatchObject({ stdout: 'noted a\nnoted b\n' })
    })

    it('prints its error and exits with 1', async () => {
      const run = (): never => {
        throw new Error('it is broken')
      }
      const { shell } = hosted({ shell: { commands: [{ name: 'broken', run }] } })
      expect(await shell.exec('broken; echo $?')).toMatchObject({ stdout: '1\n', stderr: 'broken: it is broken\n' })
    })

    it('receives the abort', async () => {
      const begun = deferred<AbortSignal>()
      const run = async (_: readonly string[], { signal }: { readonly signal: AbortSignal }) => {
        begun.resolve(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return {}
      }
      const { shell } = hosted({ shell: { commands: [{ name: 'endless', run }] } })
      const stop = new AbortController()
      const running = shell.exec('endless', { signal: stop.signal })
      const signal = await begun.promise
      stop.abort()
      expect(await running).toMatchObject(ABORTED)
      await expect.poll(() => signal.aborted).toBe(true)
    })
  })

  describe('an abort or a timeout in a worker', () => {
    it.each(Object.entries(STOPPED).filter(([kind]) => whole || ONE_OF_EACH.includes(kind)))(
      'ends %s without blocking this thread',
      async (_, script) => {
        const { shell, workspace } = hosted({ files: { 'big.txt': BIG } })
        await shell.open?.()
        const { result, ticks } = await stopAfterBefore(shell, script)
        expect(result).toMatchObject({ ...ABORTED, stdout: 'before\n', cwd: '/workspace' })
        expect(ticks).toBeGreaterThanOrEqual(10)
        expect(await shell.exec('echo works')).toMatchObject({ exitCode: 0, stdout: 'works\n' })
        expect(await workspace.exists('late.txt')).toBe(false)
        const written = (await workspace.exists('out.txt')) ? (await workspace.stat('out.txt')).size : 0
        expect(written).toBeLessThan(BIG.length)
      },
    )

    it('ends a flood of output without blocking this thread', async () => {
      const { shell } = hosted()
      await shell.open?.()
      const { result, ticks } = await stopAfterBefore(shell, 'echo before; while :; do echo x; done')
      expect(result).toMatchObject({ ...ABORTED, stdout: expect.stringMatching(/^before\nx\nx\n/) })
      expect(ticks).toBeGreaterThanOrEqual(10)
      expect(await shell.exec('echo works')).toMatchObject({ exitCode: 0, stdout: 'works\n' })
    })

    it('ends a fork bomb, if a limit does not end it first', async () => {
      const { shell } = hosted()
      const { result } = await stopAfterBefore(shell, 'echo before; f() { f | f & }; f; wait; while :; do sleep 1; done')
      expect(result.stdout).toBe('before\n')
      expect(await shell.exec('echo works')).toMatchObject({ exitCode: 0, stdout: 'works\n' })
    })

    it('ends a command that does not yield', async () => {
      const { shell } = hosted({ files: { 'big.txt': BIG } })
      await shell.open?.()
      const run = (timeoutMs: number): Promise<ShellResult> =>
        shell.exec(`cd /tmp; export A=1; echo before; ${LONG}`, { timeoutMs, cwd: '/workspace', env: { B: '2' } })
      const result = await withGrowingTime(run, ({ stdout }) => stdout !== '')
      expect(result).toMatchObject({ ...TIMED_OUT, stdout: 'before\n', cwd: '/workspace', env: { B: '2' } })
      expect(result.env.A).toBeUndefined()
    })

    it('an abort before the start prevents the command', async () => {
      const { shell, workspace } = hosted()
      expect(await shell.exec('> made', { signal: AbortSignal.abort() })).toMatchObject({ ...ABORTED, stdout: '' })
      expect(await shell.exec('sleep 1000; > made', { timeoutMs: 0 })).toMatchObject(TIMED_OUT)
      expect(await workspace.exists('made')).toBe(false)
    })

    it('does not affect other commands', async () => {
      const { shell } = hosted({ files: { 'big.txt': BIG } })
      const other = shell.exec('for i in {1..50}; do sleep 0.01; done; echo whole')
      const { result } = await stopAfterBefore(shell, `echo before; ${LONG}`)
      expect(result).toMatchObject(ABORTED)
      expect(await other).toMatchObject({ exitCode: 0, stdout: 'whole\n' })
    })

    it('ends a call whose storage never answers, and nothing is written later', async () => {
      const fs = createMemoryFs({ files: { slow: 'x' } })
      const [held, asked] = [deferred<void>(), deferred<void>()]
      const slow: typeof fs = {
        ...fs,
        async read(path, options) {
          asked.resolve()
          await held.promise
          return fs.read(path, options)
        },
      }
      const { shell, workspace } = hosted({ workspace: { fs: slow } })
      const stop = new AbortController()
      const running = shell.exec('echo before; cat slow; touch later', { signal: stop.signal })
      await asked.promise
      stop.abort()
      expect(await running).toMatchObject({ ...ABORTED, stdout: 'before\n' })
      held.resolve()
      expect(await shell.exec('sleep 0.05; echo works')).toMatchObject({ stdout: 'works\n' })
      expect(await workspace.exists('later')).toBe(false)
    })

    it('stops a copy of many files in the middle', async () => {
      const fs = createMemoryFs({ files: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`d/${i}`, 'x'])) })
      const begun = deferred<void>()
      const writes: Promise<unknown>[] = []
      const slow: typeof fs = {
        ...fs,
        write(path, bytes, options) {
          const copied = path.startsWith('/new/') ? writes.length + 1 : 0
          if (copied === 3) begun.resolve()
          // The later writes are slow, so that they are still pending when the shell is stopped.
          const wait = new Promise((resolve) => setTimeout(resolve, copied < 3 ? 0 : 500))
          const write = wait.then(() => fs.write(path, bytes, options))
          if (copied > 0) writes.push(write)
          return write
        },
      }
      Reflect.deleteProperty(slow, 'copy')
      const { shell, workspace } = hosted({ workspace: { fs: slow } })
      const stop = new AbortController()
      const running = shell.exec('cp -r d new', { signal: stop.signal })
      await begun.promise
      stop.abort()
      expect(await running).toMatchObject(ABORTED)
      // Writes that had started are completed.
      await Promise.all(writes)
      const left = (await workspace.list('new')).length
      expect(left).toBeLessThan(50)
      expect(await shell.exec('sleep 0.2; ls new | wc -l')).toMatchObject({ stdout: `${left}\n` })
    })

    it('close() ends every running command', async () => {
      const { shell } = hosted({ files: { 'big.txt': BIG } })
      const listener = new Listener()
      const running = shell.exec(`echo before; ${LONG}`, { onOutput: listener.onOutput })
      await listener.heard('before\n')
      await shell.close?.()
      expect(await running).toMatchObject({ ...ABORTED, stdout: 'before\n' })
      await expect(shell.exec('true')).rejects.toMatchObject({ name: 'ShellError', code: 'unavailable' })
    })
  })

  describe('workers', () => {
    /** Counts running workers. */
    const counted = (): { readonly running: Set<WorkerLike>; readonly started: WorkerLike[]; readonly worker: () => WorkerLike } => {
      const [running, started] = [new Set<WorkerLike>(), [] as WorkerLike[]]
      const worker = (): WorkerLike => {
        const one = make()
        const terminate = one.terminate.bind(one)
        running.add(one)
        started.push(one)
        one.terminate = () => {
          running.delete(one)
          return terminate()
        }
        return one
      }
      return { running, started, worker }
    }

    it('are reused, and one spare worker is kept after parallel commands', async () => {
      const { running, started, worker } = counted()
      const { shell } = hosted({ shell: { worker } })
      for (let i = 0; i < 3; i++) expect(await shell.exec(`echo ${i}`)).toMatchObject({ stdout: `${i}\n` })
      expect(started).toHaveLength(1)
      await Promise.all([1, 2, 3].map(() => shell.exec('sleep 0.05')))
      expect(started).toHaveLength(3)
      expect(running.size).toBe(1)
      await shell.close?.()
      expect(running.size).toBe(0)
    })

    it('are reused after a graceful abort', async () => {
      const { started, worker } = counted()
      const { shell } = hosted({ shell: { worker } })
      await shell.open?.()
      const { result } = await stopAfterBefore(shell, 'echo before; sleep 1000')
      expect(result).toMatchObject(ABORTED)
      expect(await shell.exec('echo next')).toMatchObject({ stdout: 'next\n' })
      expect(started.length).toBeLessThanOrEqual(2)
    })

    it('crashed workers end only their own command', async () => {
      const { started, worker } = counted()
      const { shell } = hosted({ shell: { worker } })
      const listener = new Listener()
      const running = shell.exec('echo before; sleep 1000', { onOutput: listener.onOutput })
      await listener.heard('before\n')
      crash(started[0] as WorkerLike)
      expect(await running).toMatchObject({
        exitCode: 137,
        aborted: false,
        timedOut: false,
        stdout: 'before\n',
        stderr: 'bash: the command was killed: its worker ended unexpectedly\n',
      })
      expect(await shell.exec('echo next')).toMatchObject({ exitCode: 0, stdout: 'next\n' })
    })

    it('workers that fail to start make the call fail with "unavailable" and name the option to change', async () => {
      const failing = (): never => {
        throw new Error('not allowed here')
      }
      const { shell } = hosted({ shell: { worker: failing } })
      const error = await shell.exec('true').catch((cause: unknown) => cause as ShellError)
      expect(error).toMatchObject({ name: 'ShellError', code: 'unavailable', message: expect.stringContaining('pass "worker"') })
    })

    it('cannot be combined with `load`, unless `worker` is "auto"', () => {
      const load = async (): Promise<never> => Promise.reject(new Error('not asked'))
      expect(() => setup({ shell: { worker: start, load } })).toThrow(TypeError)
      expect(() => setup({ shell: { worker: 'auto', load } })).not.toThrow()
    })

    it('can be terminated, so `can.hardKill` is true', async () => {
      const { shell } = hosted()
      expect(shell.can.hardKill).toBe(true)
      await shell.open?.()
      expect(shell.can.hardKill).toBe(true)
      expect(setup().shell.can.hardKill).toBe(false)
    })

    it('serve one workspace each', async () => {
      const [a, b] = [hosted({ files: { name: 'a' } }), hosted({ files: { name: 'b' } })]
      const results = await Promise.all([a.shell.exec('cat name'), b.shell.exec('cat name')])
      expect(results.map(({ stdout }) => stdout)).toEqual(['a', 'b'])
    })
  })

  describe('a session in a worker', () => {
    it('a session in a second worker that never answers ends on SIGKILL, and a call at its timeout', async () => {
      let first = true
      const silent: WorkerLike = { postMessage: () => undefined, terminate: () => undefined, addEventListener: () => undefined }
      const worker = (): WorkerLike => {
        if (!first) return silent
        first = false
        return make()
      }
      const { shell } = hosted({ shell: { worker } })
      const running = await shell.spawn?.('sleep 1000')
      const stop = new AbortController()
      const starting = shell.spawn?.('echo a', { signal: stop.signal })
      stop.abort()
      expect(await (await starting)?.exited).toEqual({ exitCode: 137, signal: 'SIGKILL' })
      expect(await shell.exec('echo a', { timeoutMs: 10 })).toMatchObject({ ...TIMED_OUT, stdout: '' })
      await running?.kill('SIGKILL')
      await running?.exited
    })

    it('ends on a signal without further output', async () => {
      const { shell } = hosted()
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
        const listener = new Listener()
        const heard: ShellOutput[] = []
        const onOutput = (output: ShellOutput): void => {
          heard.push(output)
          listener.onOutput(output)
        }
        const process = await shell.spawn?.('echo before; while :; do sleep 1; done', { onOutput })
        await listener.heard('before\n')
        await process?.kill(signal)
        expect(await process?.exited).toMatchObject({ signal })
        expect(heard).toEqual([{ stream: 'stdout', text: 'before\n' }])
      }
    })

    it('a session in a busy loop is ended by any signal', async () => {
      const { shell, workspace } = hosted({ files: { 'big.txt': BIG } })
      for (const [signal, exitCode] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
        ['SIGKILL', 137],
      ] as const) {
        const listener = new Listener()
        const process = await shell.spawn?.(`echo before; ${LONG} > out.txt; > late.txt`, { onOutput: listener.onOutput })
        await listener.heard('before\n')
        await process?.kill(signal)
        expect(await process?.exited).toEqual({ exitCode, signal })
        await expect(process?.write('x')).rejects.toMatchObject({ name: 'ShellError', code: 'not_running' })
        expect(await workspace.exists('late.txt')).toBe(false)
      }
    })
  })

  /** Simulates the crash of a worker. A browser does not report that a worker was terminated. */
  function crash(worker: WorkerLike): void {
    if ('on' in worker) worker.terminate()
    else (worker as unknown as EventTarget).dispatchEvent(new Event('error'))
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? new TextEncoder().encode(content) : content)
