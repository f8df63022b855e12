// @module-tag node-js
import type { JsProgram, ShellProcess } from 'toolport'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cleanUp, freshRoot, isRunning, jsOf, put, rejection } from './node-js-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

interface Started {
  readonly process: ShellProcess
  readonly heard: () => string
  /** Resolves when the output contains the text. */
  waitFor(text: string): Promise<void>
}

async function start(program: JsProgram, js = jsOf()): Promise<Started> {
  let all = ''
  let told = (): void => {}
  const onOutput = ({ text }: { readonly text: string }): void => {
    all += text
    told()
  }
  const process = await (js.spawn?.({ onOutput, ...program }) ?? Promise.reject(new Error('It cannot spawn')))
  return {
    process,
    heard: () => all,
    waitFor: (text) =>
      new Promise((resolve) => {
        told = () => {
          if (all.includes(text)) resolve()
        }
        told()
      }),
  }
}

const ECHO = `process.stdin.setEncoding('utf8').on('data', (text) => process.stdout.write('<' + text + '>'))
  process.stdin.on('end', () => { console.log('end'); process.exitCode = 5 })`

it('a spawned program reads input until it is closed', async () => {
  const { process, heard, waitFor } = await start({ code: ECHO })
  expect(process.transport).toBe('pipe')
  await process.write('eins é\n')
  await waitFor('<eins é\n>')
  await process.write('zwei')
  await waitFor('<zwei>')
  await process.closeInput?.()
  expect(await process.exited).toEqual({ exitCode: 5 })
  expect(heard()).toBe('<eins é\n><zwei>end\n')
  expect(await rejection(process.write('x'))).toMatchObject({ code: 'not_running' })
})

it('a spawned program can be a file or TypeScript, with arguments and tools', async () => {
  put({
    'a.ts':
      'const n: string = process.argv[2]; console.log(await invokeTool(n)); declare function invokeTool(n: string): Promise<string>; export {}',
  })
  const { process, heard } = await start({ entry: 'a.ts', args: ['x'], grants: { invokeTool: async (name) => `tool ${name}` } })
  expect(await process.exited).toEqual({ exitCode: 0 })
  expect(heard()).toBe('tool x\n')
})

it('a signal reaches all processes of a spawned program', async () => {
  const code = `import { spawn } from 'node:child_process'
    process.on('SIGINT', () => console.log('interrupted'))
    const child = spawn(process.execPath, ['-e', 'console.log("child " + process.pid); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    child.on('exit', (_, signal) => console.log('child got ' + signal))
    setInterval(() => {}, 1000)`
  const { process, heard, waitFor } = await start({ code }, jsOf({ permissions: false }))
  await waitFor('child ')
  await process.kill('SIGINT')
  await waitFor('child got SIGINT')
  await waitFor('interrupted')
  await process.kill('SIGKILL')
  expect(await process.exited).toEqual({ exitCode: 137, signal: 'SIGKILL' })
  expect(isRunning(Number(/child (\d+)/.exec(heard())?.[1]))).toBe(false)
})

it('unread input is limited, and further writes fail with "input_full"', async () => {
  const { process, waitFor } = await start({ code: 'process.stdin.pause(); console.log("ready"); setInterval(() => {}, 1000)' })
  await waitFor('ready')
  const first = process.write('x'.repeat(2_000_000)).catch(() => {})
  expect(await rejection(process.write('y'.repeat(2_000_000)))).toMatchObject({ code: 'input_full' })
  await process.kill('SIGKILL')
  await process.exited
  await first
})

it('an abort or close() ends a spawned program', async () => {
  const js = jsOf()
  const code = 'process.on("SIGTERM", () => {}); console.log("pid " + process.pid); setInterval(() => {}, 1000)'
  const abort = new AbortController()
  const [one, two] = await Promise.all([start({ code, signal: abort.signal }, js), start({ code }, js)])
  await Promise.all([one.waitFor('pid '), two.waitFor('pid ')])
  abort.abort()
  expect(await one.process.exited).toMatchObject({ exitCode: 137 })
  await js.close?.()
  expect(await two.process.exited).toMatchObject({ exitCode: 137 })
  expect(await rejection(Promise.resolve(js.spawn?.({ code: '' })))).toMatchObject({ name: 'JsError', code: 'unavailable' })
  for (const { heard } of [one, two]) expect(isRunning(Number(/\d+/.exec(heard())?.[0]))).toBe(false)
})

it('spawn rejects a missing entry and an aborted signal', async () => {
  const js = jsOf()
  expect(await rejection(start({ entry: 'none.mjs' }, js))).toMatchObject({ code: 'ENOENT' })
  expect(await rejection(start({ code: '', signal: AbortSignal.abort() }, js))).toMatchObject({ name: 'JsError', code: 'spawn_failed' })
})
