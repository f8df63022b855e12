// @module-tag preview
// Tests the page of docs/preview.md, unchanged.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { scriptedModel } from 'toolport/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newContext, useBrowser } from '../demo/visit.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [, section = ''] = readFileSync(`${root}docs/preview.md`, 'utf8').split('## A page of your own')
const [, html = ''] = /```html\n([\s\S]*?)```/.exec(section) ?? []
const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(section) ?? []

let server: Server
useBrowser(async () => '')

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, loader: 'ts', resolveDir: root },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['browser'],
    write: false,
    logLevel: 'error',
  })
  const answers: Readonly<Record<string, readonly [string, string | Uint8Array]>> = {
    '/': ['text/html', html],
    '/main.ts': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/esbuild.wasm': ['application/wasm', readFileSync(`${root}node_modules/esbuild-wasm/esbuild.wasm`)],
  }
  server = createServer(({ url = '' }, response) => {
    const [type, body] = answers[url] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => void server.close())

test('an own page with editor, agent and preview needs less than 100 lines', async () => {
  expect(html.trim().split('\n').length + program.trim().split('\n').length).toBeLessThan(100)
  const model = scriptedModel([
    [
      { name: 'write_file', input: { path: 'index.html', content: '<main></main><script type="module" src="/app.ts"></script>' } },
      { name: 'write_file', input: { path: 'app.ts', content: 'document.querySelector<HTMLElement>("#main")!.textContent = "Built"' } },
    ],
    { name: 'open_preview', input: {} },
    ({ messages }) => {
      expect(messages.at(-1)?.text).toContain('(/workspace/app.ts:1:')
      return { name: 'edit_file', input: { path: 'app.ts', edits: [{ old_string: '#main', new_string: 'main' }] } }
    },
    { name: 'read_preview', input: {} },
    ({ messages }) => {
      expect(messages.at(-1)?.text).toContain('No messages.')
      return 'It works.'
    },
  ])
  const page = await (await newContext()).newPage()
  await page.route('https://api.openai.com/**', async (route) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
    const answer = await model.fetch(route.request().url(), { method: 'POST', body: route.request().postData() })
    await route.fulfill({ status: answer.status, headers, contentType: 'application/json', body: await answer.text() })
  })
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const frame = page.frameLocator('iframe')
  await frame.getByText('Hello').waitFor()
  await page.getByLabel('Text of the file').fill('<h1>By hand</h1>')
  await frame.getByText('By hand').waitFor()
  await page.getByLabel('OpenAI key').fill('none')
  await page.getByLabel('Task').fill('Write an app.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('log').getByText('It works.').waitFor()
  await frame.getByText('Built').waitFor()
  await page.locator('#files').selectOption('app.ts')
  await expect.poll(() => page.getByLabel('Text of the file').inputValue()).toContain('"main"')
})
