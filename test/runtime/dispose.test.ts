// @module-tag runtime
import { expect, test } from 'vitest'
import type { JsAdapter } from '../../src/types/js.js'
import type { ShellAdapter } from '../../src/types/shell.js'
import { add, testRuntime, toolOf } from './support.js'

function ports(log: string[], failing: readonly string[] = []): { readonly shell: ShellAdapter; readonly js: JsAdapter } {
  const close = (name: string) => async (): Promise<void> => {
    log.push(name)
    if (failing.includes(name)) throw new Error(`${name} failed`)
  }
  return {
    shell: {
      name: 'sh',
      can: { pty: false, separateStderr: true, hardKill: true, dialect: 'none' },
      exec: () => Promise.reject(new Error('not here')),
      close: close('shell'),
    },
    js: {
      name: 'js',
      can: { hardKill: true, memoryCap: true, nodeApi: false, isolated: true },
      run: () => Promise.reject(new Error('not here')),
      close: close('js'),
    },
  }
}

test('dispose aborts and awaits running calls, then closes adapters and the workspace cap:113', async () => {
  const log: string[] = []
  const patient = toolOf(
    (_, { signal, host }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          log.push('aborted')
          void host.sleep(100).then(() => {
            log.push('handed in')
            resolve('partial')
          })
        })
      }),
  )
  const { runtime, host } = testRuntime([patient, toolOf(() => new Promise(() => {}), { name: 'stuck' })], ports(log))
  const results = [runtime.execute({ name: 'probe' }), runtime.execute({ name: 'stuck' })]
  await host.advance(10)
  const disposed = runtime.dispose()
  expect(runtime.dispose()).toBe(disposed)
  await host.advance(1000)
  await disposed
  expect(await Promise.all(results)).toMatchObject([{ ok: true, output: 'partial' }, { output: { code: 'aborted' } }])
  expect(log).toEqual(['aborted', 'handed in', 'shell', 'js'])
  await expect(runtime.workspace.fs.lstat('/')).rejects.toMatchObject({ code: 'EIO' })
})

test('later calls are answered as aborted, and unknown tools as unknown', async () => {
  const { runtime } = testRuntime([add])
  await runtime.dispose()
  expect(await runtime.execute({ name: 'add', input: { a: 1 } })).toMatchObject({ output: { status: 'aborted' } })
  expect(await runtime.execute({ name: 'nope' })).toMatchObject({ output: { code: 'unknown_tool' } })
  await expect(runtime.call('add', { a: 1 })).rejects.toMatchObject({ name: 'ToolCallError' })
})

test('dispose closes everything even if one part fails, and reports the failure', async () => {
  const log: string[] = []
  const { runtime } = testRuntime([add], ports(log, ['shell', 'js']))
  await expect(runtime.dispose()).rejects.toThrow('shell failed')
  expect(log).toEqual(['shell', 'js'])
  await expect(runtime.workspace.fs.lstat('/')).rejects.toMatchObject({ code: 'EIO' })
})

test('a tool can dispose its own runtime', async () => {
  const self = toolOf(async () => {
    await runtime.dispose()
    return 'never'
  })
  const { runtime, host } = testRuntime([self])
  const result = runtime.execute({ name: 'probe' })
  await host.advance(1000)
  expect(await result).toMatchObject({ output: { code: 'aborted' } })
  await runtime.dispose()
})

test('a tool that reacts to the abort finds the runtime disposed', async () => {
  const log: string[] = []
  const last = toolOf(
    (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          void runtime.dispose()
          resolve(runtime.execute({ name: 'add', input: { a: 1 } }).then((result) => result.ok))
        })
      }),
  )
  const { runtime, host } = testRuntime([last, add], ports(log))
  const result = runtime.execute({ name: 'probe' })
  await host.advance(1)
  await runtime.dispose()
  expect(await result).toEqual({ ok: true, output: false })
  expect(log).toEqual(['shell', 'js'])
})

test('nothing runs after dispose', async () => {
  const { runtime, host } = testRuntime([toolOf(() => new Promise(() => {}))])
  void runtime.execute({ name: 'probe' })
  const disposed = runtime.dispose()
  await host.advance(1000)
  await disposed
  await host.advance(0)
  expect(host.sleeping).toBe(0)
})
