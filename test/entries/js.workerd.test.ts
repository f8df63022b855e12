// @module-tag run-js
import { createWorkerRuntime, type WorkerJsOption } from 'toolport/cloudflare'
import { describe, expect, it } from 'vitest'
import wasm from '../../dist/vendor/quickjs.wasm'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { loader } from '../adapters/worker-loader-support.workerd.js'
import { type EntryTest, entryJsCases, entryShellCases } from './js-cases.js'

const over =
  (js: WorkerJsOption): EntryTest =>
  (title, body) =>
    inside(title, (storage) => body((options) => createWorkerRuntime({ waitUntil: () => undefined, storage }, { js, ...options })))

describe('createWorkerRuntime in a Durable Object, with QuickJS', () => {
  entryJsCases(over({ wasm }))
  entryShellCases(over({ wasm }))

  it('ends a program by its fuel if the clock stands still', async () => {
    const runtime = createWorkerRuntime({ waitUntil: () => undefined }, { js: { wasm, fuel: 1000 } })
    const result = await runtime.call('run_js', { code: 'for (;;) {}', timeout_ms: 200_000 })
    expect(result).toMatchObject({ exit_code: null })
    await runtime.dispose()
  })

  it('limits the memory of a program to 32 MiB', async () => {
    const runtime = createWorkerRuntime({ waitUntil: () => undefined }, { js: { wasm } })
    const grow = (mib: number) =>
      runtime.call('run_js', { code: `const all = new Uint8Array(${mib} * 2 ** 20).fill(1); console.log(all.length)` })
    expect(await grow(10)).toMatchObject({ exit_code: 0 })
    expect(await grow(40)).not.toMatchObject({ exit_code: 0 })
    await runtime.dispose()
  })
})

describe('createWorkerRuntime in a Durable Object, with a Worker Loader', () => {
  // Only the platform ends such a loop, but not in this test environment, so those cases are skipped.
  const ends: EntryTest = (title, body) => title.startsWith('ends a program') || over({ loader })(title, body)
  entryJsCases(ends)
  entryShellCases(ends)
})
