// @module-tag virtual-shell
import { type Host, systemHost } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { setup } from './just-bash-support.js'

const TIMED_OUT = { timedOut: true, aborted: false, exitCode: null }
const ABORTED = { timedOut: false, aborted: true, exitCode: null }

/** Endless scripts that never yield by themselves. Each prints `before` first. */
const ENDLESS = [
  'echo before; while :; do :; done',
  'echo before; until false; do :; done',
  'echo before; for ((;;)); do :; done',
  'echo before; while true; do for i in 1 2 3; do i=$((i+1)); done; done',
  'f() { for ((;;)); do for i in 1 2; do :; done; done; }; echo before; f',
  'f() { echo before; while :; do :; done; }; f',
  'echo before; (while :; do :; done)',
  'echo before; { while :; do x=$(echo y); done; }',
  'echo before; while :; do echo y > f.txt; done | cat',
  'echo before; if true; then case x in x) while :; do :; done ;; esac; fi',
  'echo before; x=$(while :; do :; done)',
  "bash -c 'echo before; while :; do :; done'",
  'echo before; for ((;;)); do echo $? > /dev/null; done',
  'echo before; sleep 1000; echo after',
  'echo before; (sleep 1000); echo after',
  'echo before; timeout 900 sleep 1000; echo after',
  'echo before; sleep 1000 | cat; echo after',
  'echo before; sleep 1000 & wait; echo after',
  'exec 3>log; echo before; while :; do :; done',
  'fib() { if [ $1 -lt 2 ]; then return; fi; fib $(($1-1)); fib $(($1-2)); }; echo before; fib 40',
  "echo before; eval 'while :; do :; done'",
  'echo "while :; do :; done" > loop.sh; echo before; . ./loop.sh',
  'echo before; bash -c \'eval "while :; do :; done"\'',
  "eval 'f() { while ((1)); do ((i++)); done; }'; echo before; f",
  'echo before; seq 100000 | xargs -n 1 true',
  'echo before; for ((;;)); do [[ a ]]; done',
  'echo before; for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait',
  'echo before; f() { sleep 1000 & wait $!; }; x=$(f) | cat',
  "trap 'while :; do :; done' EXIT; echo before",
  "trap '' TERM INT; echo before; while :; do :; done",
  'echo before; while :; do { while :; do :; done; } > log; done',
  'echo before; sleep 1000 & while :; do wait -n; done',
]

/** One script of each kind. A timeout stops scripts in the same way as an abort, which is tested with all scripts. */
const SOME = [0, 6, 10, 11, 13, 17, 26, 29].map((i) => ENDLESS[i] as string)

describe('an endless script', () => {
  it.each(ENDLESS)('is ended by a timer in the same thread: %s', async (script) => {
    const { shell } = setup()
    await shell.open?.()
    const result = await withGrowingTime(
      (waitMs) => {
        const stop = new AbortController()
        const abort = (): void => stop.abort()
        // `bash -c` prints its output only at its end, so this timer aborts scripts that have printed nothing.
        setTimeout(abort, waitMs)
        return shell.exec(script, { signal: stop.signal, onOutput: () => setTimeout(abort, 1) })
      },
      ({ stdout }) => stdout !== '',
    )
    expect(result).toMatchObject({ ...ABORTED, stdout: 'before\n', stderr: '', cwd: '/workspace' })
  })

  it.each(SOME)('is ended at its timeout: %s', async (script) => {
    const { shell } = setup()
    await shell.open?.()
    const result = await withGrowingTime(
      (timeoutMs) => shell.exec(script, { timeoutMs }),
      ({ stdout }) => stdout !== '',
    )
    expect(result).toMatchObject({ ...TIMED_OUT, stdout: 'before\n', stderr: '', cwd: '/workspace' })
  })

  it.each([
    'while :; do :; done',
    'fib() { if [ $1 -lt 2 ]; then return; fi; fib $(($1-1)); fib $(($1-2)); }; fib 40',
    'bash -c \'eval "while ((1)); do ((i++)); done"\'',
    'for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait',
    'while :; do : & done',
  ])('lets timers of the thread fire meanwhile: %s', async (script) => {
    const { shell } = setup()
    const stop = new AbortController()
    let ticks = 0
    const tick = (): void => {
      if (++ticks === 5) stop.abort()
      else setTimeout(tick, 1)
    }
    setTimeout(tick, 1)
    expect(await shell.exec(script, { signal: stop.signal })).toMatchObject(ABORTED)
    expect(ticks).toBe(5)
  })

  it('an endless awk program ends at the timeout', async () => {
    const { shell } = setup()
    await shell.open?.()
    const result = await shell.exec("echo before; awk 'BEGIN { while (1) {} }'; echo after", { timeoutMs: 1 })
    expect(result).toMatchObject(TIMED_OUT)
    expect(result.stdout).not.toContain('after')
  })
})

describe('a timeout or an abort', () => {
  it.each([2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY, Number.NaN])('does not fire at once for a timeout of %s', async (timeoutMs) => {
    const { shell } = setup()
    expect(await shell.exec('sleep 0.01; echo a', { timeoutMs })).toMatchObject({ exitCode: 0, timedOut: false, stdout: 'a\n' })
  })

  it.each([0, -5])('fires at once for a timeout of %s', async (timeoutMs) => {
    const { shell } = setup()
    expect(await shell.exec('sleep 1000; echo a', { timeoutMs })).toMatchObject({ ...TIMED_OUT, stdout: '' })
  })

  it('ends a call whose storage never answers, and nothing is written later', async () => {
    const fs = createMemoryFs({ files: { slow: 'x' } })
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    const slow: typeof fs = {
      ...fs,
      async read(path, options) {
        asked++
        await held
        return fs.read(path, options)
      },
    }
    const { shell, workspace } = setup({ workspace: { fs: slow } })
    await shell.open?.()
    const result = await withGrowingTime(
      (timeoutMs) => shell.exec('echo before; cat slow; touch later', { timeoutMs }),
      () => asked > 0,
    )
    expect(asked).toBe(1)
    expect(result).toMatchObject({ ...TIMED_OUT, stdout: 'before\n' })
    release()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await workspace.exists('later')).toBe(false)
  })
})

it('leaves no timer behind', async () => {
  let timers = 0
  const sleep: Host['sleep'] = async (ms, signal) => {
    timers++
    await systemHost.sleep(ms, signal)
    timers--
  }
  const { shell } = setup({ workspace: { host: { ...systemHost, sleep } } })
  await shell.open?.()
  expect(await shell.exec('sleep 1000 & sleep 1000', { timeoutMs: 10 })).toMatchObject(TIMED_OUT)
  const ending = new AbortController()
  const aborted = shell.exec('sleep 1000', { signal: ending.signal, timeoutMs: 100_000 })
  ending.abort()
  expect(await aborted).toMatchObject(ABORTED)
  await systemHost.yield()
  expect(timers).toBe(0)
})

describe('limits', () => {
  it('end a script that runs too many commands and keep its output', async () => {
    const { shell } = setup({ shell: { limits: { commands: 100 } } })
    const result = await shell.exec('echo before; i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; echo after')
    expect(result).toMatchObject({ exitCode: 126, timedOut: false, aborted: false, stdout: 'before\n' })
    expect(result.stderr).toContain('too many')
  })

  it('allow a loop of ten thousand iterations', async () => {
    const { shell } = setup()
    const result = await shell.exec('i=0; while ((i < 10000)); do ((i++)); done; echo $i')
    expect(result).toMatchObject({ exitCode: 0, stdout: '10000\n' })
  })

  it('end a script that prints too much', async () => {
    const { shell } = setup({ shell: { limits: { outputBytes: 10_000 } } })
    const result = await shell.exec('echo before; while :; do echo 0123456789; done')
    expect(result).toMatchObject({ exitCode: 126, stdout: expect.stringMatching(/^before\n0123456789\n/) })
    expect(result.stderr).toContain('output size exceeded')
  })

  it.each([
    ['f() { f; }; f', 'bash: f: maximum recursion depth (100) exceeded\n'],
    ['echo ". ./a.sh" > a.sh; . ./a.sh', 'bash: source: maximum nesting depth (100) exceeded\n'],
    ['while :; do :; done', 'bash: too many commands executed (>200)\n'],
    ['while :; do echo 0123456789; done', 'bash: command: total output size exceeded (>1000 bytes)\n'],
    ['printf %900s > a; cat a a', 'bash: cat: output size limit exceeded (1000 bytes): print less, for example with head\n'],
  ])('name no setting: %s', async (script, message) => {
    const { shell } = setup({ shell: { limits: { commands: script.includes('echo') ? 10_000 : 200, outputBytes: 1000 } } })
    expect((await shell.exec(script)).stderr).toBe(message)
  })

  it('end an infinite recursion', async () => {
    const { shell } = setup()
    const result = await shell.exec('echo before; f() { f; }; f; echo after')
    expect(result).toMatchObject({ exitCode: 126, stdout: 'before\n' })
  })
})

it('the script continues after `timeout` killed a command that ends slowly', async () => {
  // A program that ignores its signal, and is killed after its grace period.
  const slow = {
    name: 'slow',
    async run(_: readonly string[], { signal }: { readonly signal: AbortSignal }) {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve())
      })
      await systemHost.sleep(400)
      return {}
    },
  }
  const { shell } = setup({ shell: { commands: [slow] } })
  expect(await shell.exec('timeout 0.1 slow; echo $?')).toMatchObject({ stdout: '124\n', stderr: '', exitCode: 0 })
})
