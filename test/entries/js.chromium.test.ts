// @module-tag run-js
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type EntryTest, entryJsCases, entryShellCases } from './js-cases.js'

describe('createBrowserRuntime on IndexedDB', () => {
  const test: EntryTest = (title, body) =>
    it(title, async () => {
      const name = `entry-js-${crypto.randomUUID()}`
      onTestFinished(() => void indexedDB.deleteDatabase(`toolport:${name}`))
      await body((options) => createBrowserRuntime({ storage: 'indexeddb', name, js: { wasm }, ...options }))
    })
  entryJsCases(test)
  entryShellCases(test)

  it('names the missing import if the engine is not found', async () => {
    const runtime = createBrowserRuntime({ storage: 'memory', js: true })
    const result = await runtime.execute({ name: 'run_js', input: { code: '1' } })
    expect(result).toMatchObject({ ok: false, output: { code: 'unavailable' } })
    expect(result).toMatchObject({ error: expect.stringContaining("import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'") })
    await runtime.dispose()
  })

  it('ends a busy program while the page continues', async () => {
    const runtime = createBrowserRuntime({ storage: 'memory', js: { wasm } })
    onTestFinished(() => runtime.dispose())
    await runtime.call('run_js', { code: '1' })
    const stop = new AbortController()
    let ticks = 0
    const ticking = setInterval(() => {
      if (++ticks === 20) stop.abort()
    }, 10)
    const call = { name: 'run_js', input: { code: `console.log('before'); const text = 'a'.repeat(1e6); for (;;) text.indexOf('b')` } }
    const { output } = await runtime.execute(call, { signal: stop.signal })
    clearInterval(ticking)
    expect(output).toMatchObject({ aborted: true, exit_code: null, stdout: 'before\n' })
    expect(ticks).toBeGreaterThanOrEqual(20)
  })
})
