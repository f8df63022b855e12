// @module-tag preview
// Tests the page of docs/preview.md, unchanged.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../demo/visit.js'
import { html, program, root, useOwnPage } from './own-page-support.js'

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
  await useOwnPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
