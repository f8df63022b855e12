// @module-tag quickjs
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'

const LIMIT_MS = 200

it('quickjs in this thread checks its deadline often even if each step is slow', async () => {
  const js = createQuickJs({ worker: false })(createTestWorkspace().workspace)
  // Measures the duration of one step in ms. The published engine asks for an abort only every 10,000 steps.
  const code = `const at = (depth, f) => (depth === 0 ? f() : at(depth - 1, f))
    at(300, () => {
      const fail = () => { try { null.x } catch {} }
      const from = performance.now(); for (let i = 0; i < 100; i++) fail()
      console.log((performance.now() - from) / 100)
      for (;;) fail()
    })`
  const began = performance.now()
  const { stdout, timedOut } = await js.run({ code, timeoutMs: LIMIT_MS })
  const late = performance.now() - began - LIMIT_MS
  expect(timedOut).toBe(true)
  expect(late).toBeLessThan(1000 + 1500 * Number(stdout))
  await js.close?.()
})
