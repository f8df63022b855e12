import { createWorkerRuntime } from 'toolport/cloudflare'
import { expect, it } from 'vitest'

// In one runtime only: a million commands take their time.
it('createWorkerRuntime ends a loop by a million commands where nothing is said', { timeout: 180_000 }, async () => {
  const runtime = createWorkerRuntime({ waitUntil: () => undefined }, { limits: { deadlineMs: 170_000 } })
  const input = { command: 'while :; do :; done', timeout_ms: 160_000 }
  const result = (await runtime.call('bash', input)) as Record<string, unknown>
  expect(result).toMatchObject({ timed_out: false, aborted: false })
  expect(result.exit_code).not.toBe(0)
  await runtime.dispose()
})
