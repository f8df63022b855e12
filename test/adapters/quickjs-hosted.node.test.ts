// @module-tag quickjs
import { Worker } from 'node:worker_threads'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'
import { jsWorkers } from './node-workers.js'
import { hostedCases } from './quickjs-hosted-cases.js'
import { BOMBS } from './quickjs-loops.js'

const worker = await jsWorkers()
hostedCases({ worker })

it('quickjs reuses its worker unless it crashed or holds much memory', async () => {
  let started = 0
  const counted = () => {
    started++
    return worker()
  }
  const js = createQuickJs({ worker: counted })(createTestWorkspace().workspace)
  const startedAfter = async (code: string): Promise<number> => {
    await js.run({ code })
    // Once this program has run, the worker for the next one has started.
    await js.run({ code: 'console.log(1)' })
    return started
  }
  expect(await startedAfter('console.log(1)')).toBe(1)
  expect(await startedAfter('throw new Error("x")')).toBe(1)
  expect(await startedAfter('const f = () => f(); f()')).toBe(1)
  expect(await startedAfter('new Uint8Array(2 ** 20)')).toBe(1)
  expect(await startedAfter('new Uint8Array(40 * 2 ** 20)')).toBe(2)
  expect(await startedAfter(BOMBS.arrays ?? '')).toBe(3)
  await js.close?.()
})

it('quickjs reports that it was closed while its worker starts', async () => {
  let isStarting = false
  const silent = (): Worker => {
    isStarting = true
    return new Worker('setInterval(() => {}, 1000)', { eval: true })
  }
  const js = createQuickJs({ worker: silent })(createTestWorkspace().workspace)
  const failed = js.run({ code: 'console.log(1)' }).catch((cause: unknown) => cause)
  await expect.poll(() => isStarting).toBe(true)
  await js.close?.()
  expect(await failed).toMatchObject({ name: 'JsError', code: 'unavailable', message: 'Cannot run the program: the adapter is closed' })
})

it('quickjs ends a worker that reports a failed start', async () => {
  const begun: Worker[] = []
  const refuse = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ id }) => parentPort.postMessage({ answer: id, fault: { name: 'Error', message: 'There is no engine' } }))`
  const counted = () => {
    const one = new Worker(refuse, { eval: true })
    begun.push(one)
    return one
  }
  const js = createQuickJs({ worker: counted })(createTestWorkspace().workspace)
  await expect(js.run({ code: 'console.log(1)' })).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'There is no engine' } })
  await expect.poll(() => begun.map(({ threadId }) => threadId)).toEqual([-1])
  await js.close?.()
})
