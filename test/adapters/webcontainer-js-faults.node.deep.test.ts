// @module-tag webcontainer
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPrivateFolder } from '../../adapters/webcontainer/js/private-folder.js'
import { createRemover } from '../../adapters/webcontainer/js/webcontainer-js.js'
import { cleanUp, freshContainer, made, rejection, run } from './webcontainer-js-fixture.js'

beforeEach(freshContainer)
afterEach(cleanUp)

const WAITS = `console.log('begun'); setInterval(() => {}, 1000)`

async function expectWorking(): Promise<void> {
  made.container.processes.faults = {}
  made.container.faults = {}
  expect((await run({ code: 'console.log("works")' })).stdout).toBe('works\n')
  expect(await made.container.left()).toEqual([])
}

it('a failed spawn is reported, leaves no files, and the next program runs', async () => {
  for (const [spawn, why] of [
    ['rejects', 'command not found'],
    ['no process', 'no process'],
  ] as const) {
    made.container.processes.faults = { spawn }
    expect(await rejection(run({ code: '' }))).toMatchObject({
      name: 'JsError',
      code: 'spawn_failed',
      message: expect.stringContaining(why),
    })
    expect(await rejection(made.js.spawn?.({ code: '' }) ?? Promise.resolve())).toMatchObject({ name: 'JsError', code: 'spawn_failed' })
    expect(await made.container.left()).toEqual([])
  }
  await expectWorking()
})

it('a spawn that never or slowly answers ends at the timeout', async () => {
  for (const faults of [{ spawn: 'never' }, { slowSpawn: 700 }] as const) {
    made.container.processes.faults = faults
    const { timedOut, exitCode, stdout } = await run({ code: WAITS, timeoutMs: 400 })
    expect([timedOut, exitCode, stdout]).toEqual([true, null, ''])
    const controller = new AbortController()
    const starting = rejection(made.js.spawn?.({ code: WAITS, signal: controller.signal }) ?? Promise.resolve())
    controller.abort()
    expect(await starting).toMatchObject({ name: 'JsError', code: 'spawn_failed' })
  }
  // A process that starts too late is killed once it has started.
  await expect.poll(() => made.container.processes.kills).toBeGreaterThan(0)
  await expectWorking()
})

it('output that arrives after the exit is kept', async () => {
  made.container.processes.faults = { late: 5 }
  const { stdout, stderr, result } = await run({
    code: 'for (let i = 0; i < 20; i++) console.log(i); console.error("err"); export default 1',
  })
  expect([stdout.split('\n').length, stderr, result]).toEqual([21, 'err\n', 1])
})

it('output of a broken stream is kept and the break is reported', async () => {
  made.container.processes.faults = { output: 'error' }
  const { stdout, stderr, exitCode } = await run({ code: 'console.log("one"); setTimeout(() => console.log("two"), 300)' })
  expect([stdout, exitCode]).toEqual(['one\n', 0])
  expect(stderr).toContain('[the output broke off: the port was closed]')
  made.container.processes.faults = { output: 'open' }
  expect((await run({ code: 'console.log("one")' })).stdout).toBe('one\n')
})

it('the program itself reports its exit if the container does not', async () => {
  for (const exit of ['rejects', 'no number', 'never'] as const) {
    made.container.processes.faults = { exit }
    const { exitCode, stdout } = await run({ code: 'console.log("x"); process.exitCode = 4' })
    expect([exit, exitCode, stdout]).toEqual([exit, 4, 'x\n'])
  }
  made.container.processes.faults = { exit: 'rejects' }
  expect(await rejection(run({ code: 'process.kill(process.pid, "SIGKILL")' }))).toMatchObject({
    name: 'JsError',
    code: 'unavailable',
    message: expect.stringContaining('the process was lost'),
  })
  expect(await made.container.left()).toEqual([])
})

it('an abort is answered at once, even if kill fails', async () => {
  for (const kill of ['nothing', 'throws', 600] as const) {
    made.container.processes.faults = { kill }
    const controller = new AbortController()
    let stoppedMs = 0
    const { aborted, stdout } = await run({
      code: 'console.log("begun"); for (;;);',
      signal: controller.signal,
      onOutput: () => {
        stoppedMs = performance.now()
        controller.abort()
      },
    })
    expect([aborted, stdout]).toEqual([true, 'begun\n'])
    expect(performance.now() - stoppedMs).toBeLessThan(1000)
  }
  await expectWorking()
})

it('SIGKILL ends a session even if kill has no effect', async () => {
  made.container.processes.faults = { kill: 'nothing' }
  const process = await made.js.spawn?.({ code: WAITS })
  await process?.kill('SIGKILL')
  expect(await process?.exited).toEqual({ exitCode: null, signal: 'SIGKILL' })
  expect(await made.container.left()).toEqual([])
})

it('a failed write of the program’s files is reported and leaves no files', async () => {
  for (const failing of ['mkdir', 'writeFile'] as const) {
    for (const moment of ['before', 'after'] as const) {
      made.container.faults = {
        [moment]: (call: string, path: string) => {
          if (call === failing && path.startsWith('.toolport') && !path.endsWith('start.mjs')) throw new Error('ENOSPC: no space left')
        },
      }
      const error = await rejection(run({ code: '' }))
      expect([failing, moment, error]).toMatchObject([
        failing,
        moment,
        { name: 'JsError', code: 'spawn_failed', message: expect.stringContaining('ENOSPC') },
      ])
      expect(await made.container.left()).toEqual([])
    }
  }
  await expectWorking()
})

it('a failed removal of files is retried later', async () => {
  let failures = 2
  made.container.faults = {
    before: (call) => {
      if (call === 'rm' && failures-- > 0) throw new Error('EBUSY: resource busy')
    },
  }
  await run({ code: '' })
  expect(await made.container.left()).toEqual([])
  failures = 10
  await run({ code: '' })
  expect(await made.container.left()).toHaveLength(1)
  await expectWorking()
  failures = 10
  made.container.faults = {
    before: (call) => {
      if (call === 'rm' && failures-- > 0) throw new Error('EBUSY: resource busy')
    },
  }
  await run({ code: '' })
  made.container.faults = {}
  await made.js.close?.()
  expect(await made.container.left()).toEqual([])
})

it('a failed write of a tool’s answer is retried, and in the end the program is ended', async () => {
  let failures = 2
  made.container.faults = {
    before: (call, path) => {
      if (call === 'writeFile' && /\/\d+\.json$/.test(path) && failures-- > 0) throw new Error('EBUSY: resource busy')
    },
  }
  const program = { code: 'export default await invokeTool("x")', grants: { invokeTool: async () => 'answer' } }
  expect((await run(program)).result).toBe('answer')
  failures = 100
  expect(await rejection(run(program))).toMatchObject({ name: 'JsError', code: 'unavailable', message: expect.stringContaining('EBUSY') })
  await expectWorking()
})

it('a failed write of session input is reported', async () => {
  const process = await made.js.spawn?.({ code: 'process.stdin.on("data", (d) => process.stdout.write(d))' })
  made.container.faults = {
    before: (call) => {
      if (call === 'writeFile') throw new Error('EBUSY: resource busy')
    },
  }
  expect(await rejection(process?.write('x') ?? Promise.resolve())).toMatchObject({
    code: 'not_running',
    message: expect.stringContaining('EBUSY'),
  })
  made.container.faults = {}
  await process?.write('y')
  await process?.closeInput?.()
  expect(await process?.exited).toEqual({ exitCode: 0 })
})

it('an abort ends a program whose container was torn down, and the next program fails', async () => {
  const controller = new AbortController()
  const running = run({
    code: WAITS,
    signal: controller.signal,
    onOutput: () => {
      made.container.teardown()
      controller.abort()
    },
  })
  expect(await running).toMatchObject({ aborted: true, stdout: 'begun\n', exitCode: null })
  expect(await rejection(run({ code: '' }))).toMatchObject({ name: 'FsError', code: 'EIO' })
})

it('a removal that never answers is not awaited forever', async () => {
  vi.useFakeTimers()
  try {
    const { container } = made
    const remover = createRemover()
    const folder = createPrivateFolder(container.api, '.toolport-js-x')
    container.faults = { before: (call) => (call === 'rm' ? new Promise<void>(() => {}) : undefined) }
    await folder.write('a', '')
    const ended: string[] = []
    const work = remover
      .remove(container.api, folder)
      .then(() => ended.push('removed'))
      .then(() => remover.done())
      .then(() => ended.push('done'))
    for (let turn = 0; turn < 10 && ended.length < 2; turn++) await vi.advanceTimersByTimeAsync(10_000)
    expect(ended).toEqual(['removed', 'done'])
    await work
  } finally {
    vi.useRealTimers()
  }
})
