// @module-tag edge
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newContext, useBrowser } from '../demo/visit.js'
import { Edge, errorOf } from './support.js'

useBrowser(async () => '')
let edge: Edge
beforeAll(async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', ORIGINS: 'https://app.example' } })
})
afterAll(() => edge?.stop())

const FILES = {
  'index.html': '<!doctype html><title>App</title><p id="p"></p><img src="/dot.svg"><script type="module" src="./main.js"></script>',
  'main.js': `import { text } from './text.js'
const tries = {
  storage: () => localStorage.length,
  cookies: () => { document.cookie = 'a=1'; return document.cookie },
  api: async () => (await fetch('/workspaces/' + location.pathname.split('/')[2])).status,
}
const got = [text]
for (const [name, attempt] of Object.entries(tries)) {
  try { got.push(name + ' ' + await attempt()) } catch { got.push(name + ' refused') }
}
document.querySelector('#p').textContent = got.join(', ')`,
  'text.js': 'export const text = "shown"',
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>',
  '.env': 'SECRET=1',
}

it('the preview URL shows the app of a workspace with an opaque origin', async () => {
  const client = await edge.create({ files: FILES })
  const { url } = (await (await client.get('/preview')).json()) as { url: string }
  const page = await (await newContext()).newPage()
  await page.goto(url)
  await page.getByText('shown, storage refused, cookies refused, api refused').waitFor()
  expect(await page.evaluate(() => [origin, document.images[0]?.naturalWidth])).toEqual(['null', 7])

  const response = await fetch(url)
  expect(response.headers.get('content-security-policy')).toMatch(/sandbox allow-scripts.*frame-ancestors https:\/\/app\.example/)
  expect((await fetch(`${url}.env`)).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
  await client.output('write_file', { path: 'text.js', content: 'export const text = "changed"' })
  await page.reload()
  await page.getByText('changed, storage refused').waitFor()
})

it('the preview opens only with its own key, and ends with the workspace', async () => {
  const [mine, other] = [await edge.create({ files: FILES }), await edge.create({ files: { 'index.html': 'other' } })]
  const { url } = (await (await mine.get('/preview')).json()) as { url: string }
  expect((await edge.fetch(`${mine.path}/preview`)).status).toBe(401)
  expect(url).not.toContain(mine.token)
  expect(await errorOf(await fetch(url.replace(mine.id, other.id)))).toMatchObject({ status: 401, code: 'unauthorized' })
  expect((await fetch(url.replace(/.(?=\/$)/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(401)
  const key = url.split('/').at(-2)
  expect((await edge.fetch(mine.path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(401)
  await mine.delete()
  expect((await fetch(url)).status).toBe(401)
})
