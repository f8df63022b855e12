// @module-tag playground
import { expect, test } from 'vitest'
import { context, keptPage, useOfflinePage } from './offline-page.js'
import { opened } from './opened.js'

useOfflinePage()

test('builds under other paths of the origin keep their caches', async () => {
  const first = await keptPage('/v1/')
  await keptPage('/v1/next/')
  await keptPage('/v2/')
  await context.setOffline(true)
  await first.reload()
  await opened(first)
  expect(await first.evaluate(async () => (await caches.keys()).length)).toBe(3)
})
