// @module-tag preview
import { request } from 'node:http'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createBundler } from 'toolport/bundle'
import { servePreview } from 'toolport/node'
import type { PreviewEvent } from 'toolport/preview'
import { afterEach, expect, test } from 'vitest'
import { newContext, useBrowser } from '../demo/visit.js'

const ending: (() => Promise<void>)[] = []
useBrowser(async () => '')
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

test('serves a built app with a token, reports errors by source, shows build errors, and reloads', async () => {
  const workspace = createWorkspace({
    fs: createMemoryFs({
      files: {
        'index.html': '<!doctype html><title>App</title><p id="app"></p><script type="module" src="/src/main.ts"></script>',
        'src/main.ts':
          'import "./style.css"\nimport { text } from "./text"\n\nconst place: HTMLElement = document.querySelector("#app")!\nplace.textContent = text\nconsole.log("started", text)\nthrow new Error("thrown")\n',
        'src/text.ts': 'export const text: string = "one"',
        'src/style.css': '#app { color: rgb(1, 1, 1) }',
      },
    }),
  })
  const bundler = createBundler({ workspace })
  const server = await servePreview({ workspace, bundler, pollMs: 50 })
  ending.push(
    () => server.close(),
    () => bundler.dispose(),
  )
  const seen = (type: PreviewEvent['type']): PreviewEvent | undefined =>
    server.read({ limit: 1000 }).events.findLast((event) => event.type === type)

  const page = await (await newContext()).newPage()
  await page.goto(server.url)
  expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`)
  await page.getByText('one').waitFor()
  await expect
    .poll(() => seen('error'))
    .toMatchObject({ message: 'Uncaught Error: thrown', position: { path: '/workspace/src/main.ts', line: 7, column: 7 } })
  expect(seen('console')).toMatchObject({ text: 'started one', position: { path: '/workspace/src/main.ts', line: 6 } })

  await page.evaluate(() => Object.assign(window, { kept: true }))
  await workspace.writeText('src/style.css', '#app { color: rgb(2, 2, 2) }')
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.querySelector('#app') as Element).color)).toBe('rgb(2, 2, 2)')
  expect(await page.evaluate(() => (window as { kept?: boolean }).kept)).toBe(true)

  await workspace.writeText('src/text.ts', 'export const text: string = ')
  await page.getByRole('alert').getByText('/workspace/src/text.ts:1:29').waitFor()
  expect(seen('build_failed')).toMatchObject({ errors: [{ file: '/workspace/src/text.ts', line: 1 }] })
  await workspace.writeText('src/text.ts', 'export const text: string = "two"')
  await page.getByText('two').waitFor()
})

test('a page reloads even if a request built the change first', async () => {
  const workspace = createWorkspace({
    fs: createMemoryFs({ files: { 'index.html': '<script type="module" src="/a.js"></script>', 'a.js': 'console.log(1)', 'b.json': '1' } }),
  })
  const bundler = createBundler({ workspace })
  const server = await servePreview({ workspace, bundler, token: 'a'.repeat(20), pollMs: 0 })
  ending.push(
    () => server.close(),
    () => bundler.dispose(),
  )
  const at = `http://127.0.0.1:${server.port}`
  const headers = { cookie: `toolport-preview-${server.port}=${'a'.repeat(20)}` }
  await (await fetch(at, { headers })).text()
  const commands = (await fetch(`${at}/__toolport/commands`, { headers })).body?.getReader()
  await commands?.read()
  for (const code of ['console.log(2)', 'console.log(3)']) {
    await workspace.writeText('a.js', code)
    await (await fetch(`${at}/b.json`, { headers })).text()
    await server.refresh()
    expect(new TextDecoder().decode((await commands?.read())?.value)).toContain('"reload"')
  }
  await commands?.cancel()
})

test('a changed stylesheet is replaced in a shadow root, and reloads the page for an import', async () => {
  const workspace = createWorkspace({
    fs: createMemoryFs({
      files: {
        'index.html': `<link rel="stylesheet" href="style.css"><p>text</p><div></div>
<script>
document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<link rel="stylesheet" href="/shadow.css"><i>shadow</i>'
window.indents = () => [document.querySelector('p'), document.querySelector('div').shadowRoot.querySelector('i')].map((one) => getComputedStyle(one).textIndent).join(' ')
</script>`,
        'style.css': '@import "imported.css";',
        'imported.css': 'p { text-indent: 1px }',
        'shadow.css': 'i { text-indent: 1px }',
      },
    }),
  })
  const server = await servePreview({ workspace, pollMs: 50 })
  ending.push(() => server.close())
  const page = await (await newContext()).newPage()
  await page.goto(server.url)
  const indents = () => page.evaluate(() => (window as unknown as { indents(): string }).indents()).catch(() => undefined)
  await expect.poll(indents).toBe('1px 1px')
  await page.evaluate(() => Object.assign(window, { kept: true }))
  const isKept = () => page.evaluate(() => 'kept' in window)
  for (const indent of ['2px', '3px']) {
    await workspace.writeText('shadow.css', `i { text-indent: ${indent} }`)
    await expect.poll(indents).toBe(`1px ${indent}`)
  }
  expect(await isKept()).toBe(true)
  await workspace.writeText('imported.css', 'p { text-indent: 2px }')
  await expect.poll(indents).toBe('2px 3px')
  expect(await isKept()).toBe(false)
})

test('after edits of a loading stylesheet, the last one is shown by one link element', async () => {
  const workspace = createWorkspace({
    fs: createMemoryFs({
      files: { 'index.html': '<link rel="stylesheet" href="style.css"><p>text</p>', 'style.css': 'p { text-indent: 0px }' },
    }),
  })
  const server = await servePreview({ workspace, pollMs: 50 })
  ending.push(() => server.close())
  const page = await (await newContext()).newPage()
  await page.goto(server.url)
  await page.getByText('text').waitFor()
  const held: (() => Promise<void>)[] = []
  await page.route(/style\.css\?t=/, (route) => void held.push(() => route.continue().catch(() => {})))
  const links = () => page.evaluate(() => document.querySelectorAll('link').length)
  for (const indent of [1, 2, 3]) {
    await workspace.writeText('style.css', `p { text-indent: ${indent}px }`)
    await expect.poll(() => held.length).toBe(indent)
    expect(await links()).toBe(2)
  }
  for (const go of held) await go()
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.querySelector('p') as Element).textIndent)).toBe('3px')
  await expect.poll(links).toBe(1)
})

test('requests without the token, from another host, or with a forged report are rejected', async () => {
  const workspace = createWorkspace({ fs: createMemoryFs({ files: { 'index.html': 'secret' } }) })
  const token = 'a'.repeat(20)
  const server = await servePreview({ workspace, token })
  ending.push(() => server.close())
  const at = `http://127.0.0.1:${server.port}`
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
    (await fetch(at + path, { headers, method, redirect: 'manual' })).status
  const cookie = { cookie: `toolport-preview-${server.port}=${token}` }
  expect(await get('/')).toBe(403)
  expect(await get('/?token=wrong')).toBe(403)
  expect(await get(`/?token=${token}`)).toBe(302)
  expect(await get('/', cookie)).toBe(200)
  expect(await get('/', cookie, 'PUT')).toBe(405)
  const host = `evil.example:${server.port}`
  for (const path of ['/', `//${host}/`, `http://${host}/`, `//${host}/?token=${token}`]) {
    const status = await new Promise((resolve, reject) =>
      request({ host: '127.0.0.1', port: server.port, path, headers: { ...cookie, host } }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end(),
    )
    expect([path, status]).toEqual([path, 421])
  }
  expect(await get('/__toolport/reports', { ...cookie, 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(405)
  await expect(servePreview({ workspace, token: 'short' })).rejects.toThrow('"token" must have at least 16')
  await expect(servePreview({} as never)).rejects.toThrow('servePreview needs the option "workspace", a Workspace')
})

test('a program answers in place of the workspace, with methods, bodies, cookies, streams and redirects, without the token', async () => {
  const seen: Request[] = []
  let answer: (path: string, request: Request) => Promise<Response> = async () => new Response()
  let isPageCancelled = false
  const programAborted = new Promise<void>((resolve) => {
    answer = async (path, given) => {
      seen.push(given)
      if (path === '/stream') {
        given.signal.addEventListener('abort', () => resolve())
        const pull = async (to: ReadableStreamDefaultController) => {
          to.enqueue(new TextEncoder().encode('data: 1\n\n'))
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        return new Response(new ReadableStream({ pull }))
      }
      if (path === '/page') {
        const pull = (to: ReadableStreamDefaultController) =>
          new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => to.enqueue(new Uint8Array(1)))
        const cancel = () => {
          isPageCancelled = true
        }
        return new Response(new ReadableStream({ pull, cancel }), { headers: { 'content-type': 'text/html' } })
      }
      if (path.startsWith('/moved')) return new Response(null, { status: 302, headers: { location: path.slice('/moved?'.length) } })
      const headers = new Headers({ 'content-type': 'text/html', 'x-frame-options': 'DENY' })
      for (const cookie of ['a=1; Path=/', 'b=2', `toolport-preview-${server.port}=stolen`]) headers.append('set-cookie', cookie)
      return new Response(`<head></head>${given.method} ${path} ${await given.text()}`, { status: 201, headers })
    }
  })
  const token = 'a'.repeat(20)
  const server = await servePreview({
    workspace: createWorkspace({ fs: createMemoryFs({ files: { 'a.txt': 'file' } }) }),
    token,
    program: {
      origin: 'http://127.0.0.1:3000',
      fetch: async (given) => {
        const { pathname, search } = new URL(given.url)
        return pathname === '/a.txt' ? undefined : answer(pathname + search, given)
      },
    },
  })
  ending.push(() => server.close())
  const at = `http://127.0.0.1:${server.port}`
  const headers = { cookie: `own=1; toolport-preview-${server.port}=${token}` }
  const posted = await fetch(`${at}/save?x=1`, { method: 'PUT', body: 'body', headers })
  expect([posted.status, posted.headers.getSetCookie(), posted.headers.get('x-frame-options')]).toEqual([201, ['a=1; Path=/', 'b=2'], null])
  expect(await posted.text()).toMatch(/^<head><script src="[^"]+"><\/script><\/head>PUT \/save\?x=1 body$/)
  expect([seen[0]?.headers.get('cookie'), seen[0]?.headers.get('accept-encoding')]).toEqual(['own=1', 'identity'])
  for (const [location, expected] of [
    ['http://localhost:3000/next?a=1', '/next?a=1'],
    ['//127.0.0.1:3000/next', '/next'],
    ['next', '/next'],
    ['http://localhost:4000/next', 'http://localhost:4000/next'],
    ['https://localhost:3000/next', 'https://localhost:3000/next'],
    ['http://localhost/next', 'http://localhost/next'],
  ]) {
    const moved = await fetch(`${at}/moved?${location}`, { headers, redirect: 'manual' })
    expect([location, moved.headers.get('location')]).toEqual([location, expected])
  }
  expect(await (await fetch(`${at}/a.txt`, { headers })).text()).toBe('file')
  const stop = new AbortController()
  const stream = (await fetch(`${at}/stream`, { headers, signal: stop.signal })).body?.getReader()
  expect(new TextDecoder().decode((await stream?.read())?.value)).toContain('data: 1')
  stop.abort()
  await programAborted
  await expect(fetch(`${at}/page`, { headers, signal: AbortSignal.timeout(100) })).rejects.toThrow()
  await expect.poll(() => isPageCancelled).toBe(true)
  expect((await fetch(`${at}/save`)).status).toBe(403)
})
