// @module-tag shell-worker
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { InputError, type ShellAdapter } from 'toolport'
import { createShellWorker } from 'toolport/adapters/node'
import { afterEach, describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'
import { shellWorkers } from './node-workers.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const worker = await shellWorkers()
const opened: ShellAdapter[] = []
const hosted = (start: () => ReturnType<typeof worker>): ShellAdapter => {
  const { shell } = setup({ shell: { worker: start } })
  opened.push(shell)
  return shell
}

afterEach(() => Promise.all(opened.splice(0).map((shell) => shell.close?.())))

describe('a worker thread', () => {
  it('a worker thread that exceeds its memory limit ends alone, with its command', async () => {
    const shell = hosted(() => worker({ memoryMiB: 48 }))
    const result = await shell.exec('echo before; i=0; while :; do a[i++]=$(printf "%100000s" $i); done')
    expect(result).toMatchObject({
      exitCode: 137,
      stdout: 'before\n',
      stderr: 'bash: the command was killed: it exceeded its memory limit\n',
    })
    expect(await shell.exec('echo next')).toMatchObject({ exitCode: 0, stdout: 'next\n' })
  })

  it('sees neither the environment nor the arguments of this process', async () => {
    process.env.A_SECRET = 'of this process'
    const shell = hosted(worker)
    expect((await shell.exec('env; echo "$0 $@"')).stdout).not.toContain('of this process')
  })

  it.each([
    ['does not exist', `${root}.cache/no-such-script.mjs`],
    ['fails to load', new URL('data:text/javascript,import "./nowhere.mjs"')],
    ['ends at once', new URL('data:text/javascript,process.exit(0)')],
  ])('a worker thread whose script %s is unavailable, and its error shows no host path', async (_, script) => {
    const shell = hosted(() => createShellWorker({ script }))
    const error = await shell.exec('true').catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'ShellError', code: 'unavailable', message: expect.stringContaining('pass "worker"') })
    expect(String(error)).not.toContain(root)
  })
})

describe('a shell with several workers', () => {
  it('closes after its last worker has ended', async () => {
    const [ending, ended]: [string[], string[]] = [[], []]
    const shell = hosted(() => {
      const one = worker()
      const terminate = one.terminate.bind(one)
      one.terminate = async () => {
        ending.push('worker')
        // The last call, which is awaited anyway, is not delayed.
        if (ending.length < 3) await new Promise((resolve) => setTimeout(resolve, 1500))
        const code = await terminate()
        ended.push('worker')
        return code
      }
      return one
    })
    const started = [1, 2, 3].map(
      () =>
        new Promise<void>((resolve) => {
          void shell.exec('echo begun; sleep 1000', { onOutput: () => resolve() }).catch(() => undefined)
        }),
    )
    await Promise.all(started)
    await shell.close?.()
    expect(ended).toEqual(ending)
    expect(ended).toHaveLength(3)
  })
})

/** A worker with another script. */
const other = (code: string): Worker => new Worker(code, { eval: true })
const SILENT = 'setInterval(() => {}, 1000)'

describe('a shell that is closed while a worker starts', () => {
  it.each([
    ['opened', [], (shell: ShellAdapter) => shell.open?.()],
    ['given its first command', [], (shell: ShellAdapter) => shell.spawn?.('sleep 1000')],
    ['given a command next to another worker', [worker], (shell: ShellAdapter) => shell.spawn?.('sleep 1000')],
  ])('reports that the shell is closed where the worker was %s', async (_, before, begin) => {
    const first = [...before]
    let isStarting = false
    const shell = hosted(() => {
      const known = first.shift()
      isStarting = !known
      return known?.() ?? other(SILENT)
    })
    if (before.length > 0) await shell.spawn?.('sleep 1000')
    const failed = Promise.resolve(begin(shell)).catch((cause: unknown) => cause)
    await expect.poll(() => isStarting).toBe(true)
    await shell.close?.()
    expect(await failed).toMatchObject({ name: 'ShellError', code: 'unavailable', message: 'The shell is closed.' })
  })
})

describe('a shell whose worker never answers', () => {
  it('can be closed', async () => {
    const shell = hosted(() => other(SILENT))
    const failed = shell.exec('true').catch((cause: unknown) => cause)
    await shell.close?.()
    expect(await failed).toMatchObject({ name: 'ShellError', code: 'unavailable' })
  }, 15_000)

  it('answers an aborted command', async () => {
    const stop = new AbortController()
    const result = hosted(() => other(SILENT)).exec('true', { signal: stop.signal, cwd: '/workspace', env: { A: '1' } })
    stop.abort()
    expect(await result).toMatchObject({ exitCode: null, aborted: true, timedOut: false, cwd: '/workspace', env: { A: '1' } })
  }, 15_000)
})

it('a worker that sends invalid answers is unavailable', async () => {
  const nonsense = `const { parentPort } = require('worker_threads'); parentPort.on('message', ({ id }) => parentPort.postMessage({ answer: id, fault: {} }))`
  expect(
    await hosted(() => other(nonsense))
      .exec('true')
      .catch((cause: unknown) => cause),
  ).toMatchObject({ code: 'unavailable' })
})

it('an invalid state is rejected with its error code, also by a worker', async () => {
  const refused = await hosted(worker)
    .exec('true', { state: { of: 'another' } })
    .catch((cause: unknown) => cause)
  expect(refused).toBeInstanceOf(InputError)
  expect(refused).toMatchObject({ code: 'invalid_input', issues: [{ message: expect.any(String) }] })
})

/** Runs the built package, imported by its name, in a process that must exit by itself. */
const inProcess = async (lines: readonly string[]): Promise<string> => {
  const code = `
    import { createRuntime, shellTools } from 'toolport'
    import { createJustBashShell } from 'toolport/adapters/just-bash'
    import { createMemoryFs } from 'toolport/adapters/memory'
    import { createShellWorker } from 'toolport/adapters/node'
    const shell = createJustBashShell({ scratch: createMemoryFs(), worker: () => createShellWorker() })
    const tools = createRuntime({ fs: createMemoryFs(), tools: shellTools(), shell })
    ${lines.join('\n')}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: root, timeout: 200_000 })
  return stdout
}

describe('a Node process', () => {
  it('exits while its shell has an idle worker', async () => {
    const printed = await inProcess([
      `console.log((await tools.call('bash', { command: 'echo hi; echo there >&2' })).stdout)`,
      `console.log((await tools.call('bash', { command: 'while :; do :; done', timeout_ms: 300 })).timed_out)`,
    ])
    expect(printed).toBe('hi\n\ntrue\n')
  })

  it('stays alive for a command that runs in a worker', async () => {
    expect(
      await inProcess([`void tools.call('bash', { command: 'sleep 0.3; echo late' }).then(({ stdout }) => console.log(stdout))`]),
    ).toBe('late\n\n')
  })

  it('has no workers left after the runtime is disposed', async () => {
    const printed = await inProcess([
      `import { Worker } from 'node:worker_threads'`,
      `const calls = [1, 2, 3].map(() => tools.call('bash', { command: 'sleep 1000' }).catch(() => 'ended'))`,
      `await new Promise((resolve) => setTimeout(resolve, 1000))`,
      `await tools.dispose()`,
      `await Promise.all(calls)`,
      `console.log(process.getActiveResourcesInfo().filter((name) => /worker|messageport/i.test(name)).length)`,
    ])
    expect(printed).toBe('0\n')
  })
})
