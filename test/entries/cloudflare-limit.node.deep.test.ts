// @module-tag entries
import { createWorkerRuntime } from 'toolport/cloudflare'
import { createTestHost } from 'toolport/testing'
import { expect, it } from 'vitest'

// In one runtime only, because a million commands take long.
it('createWorkerRuntime ends a loop after a million commands by default', { timeout: 600_000 }, async () => {
  // The clock stands still, as a Worker's clock may, so that no deadline comes before the limit.
  const runtime = createWorkerRuntime({ waitUntil: () => undefined }, { host: createTestHost() })
  const result = (await runtime.call('bash', { command: 'while :; do :; done' })) as Record<string, unknown>
  expect(result).toMatchObject({ timed_out: false, aborted: false })
  expect(result.exit_code).not.toBe(0)
  await runtime.dispose()
})
