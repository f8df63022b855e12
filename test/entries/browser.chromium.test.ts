import { createBrowserRuntime } from 'toolport/browser'
import { expect, it } from 'vitest'

it('keeps a workspace in IndexedDB, open in one place at a time', async () => {
  const name = `entry-${crypto.randomUUID()}`
  const first = createBrowserRuntime({ storage: 'indexeddb', name })
  await first.call('bash', { command: 'mkdir src; echo kept > src/a.txt' })
  const second = createBrowserRuntime({ storage: 'indexeddb', name })
  expect(await second.execute({ name: 'read_file', input: { path: 'src/a.txt' } })).toMatchObject({ ok: false, output: { code: 'EBUSY' } })
  await second.dispose()
  await first.dispose()
  const again = createBrowserRuntime({ storage: 'indexeddb', name })
  expect(await again.call('read_file', { path: 'src/a.txt' })).toMatchObject({ text: expect.stringContaining('kept') })
  expect(await again.call('bash', { command: 'rm -r src; ls' })).toMatchObject({ exit_code: 0, stdout: '' })
  await again.dispose()
  indexedDB.deleteDatabase(`toolport:${name}`)
})
