// @module-tag playground
import { expect, test } from 'vitest'
import { context, keptPage, origin, useOfflinePage } from './offline-page.js'
import { opened } from './opened.js'

useOfflinePage()

test('each page on a host with clean URLs opens under each of its URLs, online and offline', async () => {
  const page = await keptPage('/v1/')
  for (const isOffline of [false, true]) {
    await context.setOffline(isOffline)
    for (const name of ['', 'index.html', 'webcontainer.html', 'webcontainer']) {
      await page.goto(`${origin}/v1/${name}`)
      await opened(page)
      expect(await page.title()).toBe(name.startsWith('web') ? 'Toolport playground with WebContainer' : 'Toolport playground')
    }
  }
})
