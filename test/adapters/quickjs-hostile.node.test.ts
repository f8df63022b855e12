// @module-tag quickjs
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'
import { jsWorkers } from './node-workers.js'
import { hostileCases } from './quickjs-hostile-cases.js'

hostileCases('quickjs in a worker thread', { worker: await jsWorkers() }, true, false)

it('quickjs causes no MaxListeners warning with many concurrent calls', async () => {
  const warned: string[] = []
  const listen = ({ name }: Error): void => void warned.push(name)
  process.on('warning', listen)
  const js = createQuickJs({ worker: false })(createTestWorkspace().workspace)
  const waits = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  let aborted = 0
  const fetch = {
    name: 'waits',
    fetch: ({ signal }: { readonly signal?: AbortSignal | null }) => waits(signal as AbortSignal).finally(() => aborted++),
  }
  const invokeTool = (_: string, __: unknown, { signal }: { readonly signal: AbortSignal }) => waits(signal).finally(() => aborted++)
  const code = 'for (let i = 0; i < 16; i++) { fetch("https://host.example/"); invokeTool("x") } setTimeout(() => process.exit(4), 20)'
  expect(await js.run({ code, grants: { fetch, invokeTool } })).toMatchObject({ exitCode: 4 })
  // Node emits warnings asynchronously.
  await new Promise((done) => setTimeout(done, 10))
  process.off('warning', listen)
  expect(warned).toEqual([])
  // Six open `fetch` calls and sixteen tool calls, which are the limits.
  expect(aborted).toBe(22)
})
