// @module-tag entries
import { createWorkerRuntime } from 'toolport/cloudflare'
import { createTestHost } from 'toolport/testing'
import { expect, it } from 'vitest'

// In one runtime only: a million commands take their time.
it('createWorkerRuntime ends a loop by a million commands where nothing is said', { timeout: 600_000 }, async () => {
  // A clock that stands still, as that of a Worker may: no deadline comes before the count.
  const runtime = createWorkerRuntime({ waitUntil: () => undefined }, { host: createTestHost() })
  const result = (await runtime.call('bash', { command: 'while :; do :; done' })) as Record<string, unknown>
  expect(result).toMatchObject({ timed_out: false, aborted: false })
  expect(result.exit_code).not.toBe(0)
  await runtime.dispose()
})
