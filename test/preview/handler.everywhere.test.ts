// @module-tag preview
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createPreviewHandler, type PreviewHandlerOptions } from 'toolport/preview'
import { describe, expect, test } from 'vitest'
import { createSessionHandler } from '../../src/entries/preview/handler.js'

const ORIGIN = 'http://site.test'
const FILES = {
  'index.html': '<!doctype html>\n<html><head><title>Home</title></head><body>home</body></html>',
  'docs/index.html': '<p>docs</p>',
  'main.js': 'console.log(1)',
  'style.css': 'a{}',
  'photo.PNG': new Uint8Array([137, 80, 78, 71]),
  'clip.mp4': new Uint8Array(100).map((_, index) => index),
  'public/robots.txt': 'User-agent: *',
  '.env': 'SECRET=1',
  '.git/config': '[core]',
  'secret/key.txt': 'k',
  'latin1.html': new Uint8Array([60, 112, 62, 0xe9]),
  'odd name & é.txt': 'odd',
}

function site(options: Partial<PreviewHandlerOptions> = {}): (path: string, init?: RequestInit) => Promise<Response> {
  const workspace = createWorkspace({
    fs: createMemoryFs({ files: FILES }),
    policy: { paths: [{ paths: 'secret', action: 'deny', reason: 'kept by the host' }] },
  })
  const handle = createPreviewHandler({ workspace, ...options })
  return (path, init) => handle(new Request(ORIGIN + path, init))
}
const html = { headers: { accept: 'text/html,*/*' } }

describe('createPreviewHandler', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/main.js', 'text/javascript; charset=utf-8'],
    ['/style.css', 'text/css; charset=utf-8'],
    ['/photo.PNG', 'image/png'],
    ['/clip.mp4', 'video/mp4'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/odd%20name%20%26%20%C3%A9.txt', 'text/plain; charset=utf-8'],
  ])('serves %s as %s', async (path, type) => {
    const response = await site()(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('redirects a folder to its URL with a slash, and serves its index.html', async () => {
    const get = site()
    const redirect = await get('/docs?a=1')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/docs/?a=1'])
    expect(await (await get('/docs/')).text()).toBe('<p>docs</p>')
  })

  test('suggests similar names on a 404 page', async () => {
    const get = site()
    const missing = await get('/mian.js')
    expect(missing.status).toBe(404)
    expect(await missing.text()).toBe('Cannot show "/mian.js": no file is at "/workspace/mian.js"\nDid you mean "main.js"?')
    const page = await get('/<b>.html', html)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).not.toContain('<b>')
    expect(await (await get('/no/such/file.js')).text()).toContain('The folder "/workspace/no/such" does not exist.')
  })

  test('serves the fallback page only for navigations', async () => {
    const get = site({ spaFallback: true })
    expect(await (await get('/users/1', html)).text()).toContain('home')
    expect((await get('/users/1.js')).status).toBe(404)
  })

  test.each([
    '/.env',
    '/.git/config',
    '/docs/../.env',
    '/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/a%00b',
    '/a%5cb',
    '/%E0%A4%A',
    '//main.js',
    '/docs//index.html',
  ])('rejects %s', async (path) => {
    const response = await site()(path)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(await response.text()).not.toContain('SECRET')
  })

  test('serves dotfiles only on request, and applies the workspace policy', async () => {
    expect(await (await site({ hidden: true })('/.env')).text()).toBe('SECRET=1')
    const denied = await site()('/secret/key.txt')
    expect([denied.status, await denied.text()]).toEqual([403, expect.stringContaining('kept by the host')])
  })

  test('answers HEAD, conditional requests and byte ranges', async () => {
    const get = site()
    const head = await get('/clip.mp4', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '100', ''])
    const etag = head.headers.get('etag') ?? ''
    expect((await get('/clip.mp4', { headers: { 'if-none-match': `"x", W/${etag}` } })).status).toBe(304)
    const range = async (value: string): Promise<unknown> => {
      const response = await get('/clip.mp4', { headers: { range: value } })
      return [response.status, response.headers.get('content-range'), new Uint8Array(await response.arrayBuffer()).length]
    }
    expect(await range('bytes=10-19')).toEqual([206, 'bytes 10-19/100', 10])
    expect(await range('bytes=90-')).toEqual([206, 'bytes 90-99/100', 10])
    expect(await range('bytes=-5')).toEqual([206, 'bytes 95-99/100', 5])
    expect(await range('bytes=0-1000')).toEqual([206, 'bytes 0-99/100', 100])
    expect(await range('bytes=100-')).toEqual([416, 'bytes */100', 0])
    expect(await range('bytes=1-2,4-5')).toEqual([200, null, 100])
    expect(await range('lines=1-2')).toEqual([200, null, 100])
  })

  test('answers a range above the size limit partially', async () => {
    const handle = createSessionHandler({ workspace: createWorkspace({ fs: createMemoryFs({ files: FILES }) }), mostBytes: 40 })
    const get = async (range?: string): Promise<unknown> => {
      const response = await handle(new Request(`${ORIGIN}/clip.mp4`, range === undefined ? {} : { headers: { range } }))
      return [response.status, response.headers.get('content-range'), [...new Uint8Array(await response.arrayBuffer())].at(-1)]
    }
    // The range that a browser requests for a video.
    expect(await get('bytes=0-')).toEqual([206, 'bytes 0-39/100', 39])
    expect(await get('bytes=40-')).toEqual([206, 'bytes 40-79/100', 79])
    expect(await get()).toMatchObject([413, null, expect.anything()])
  })

  test('answers other methods with 405', async () => {
    const response = await site()('/', { method: 'POST', body: 'x' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('inserts the client script at the start of the head without adding a line', async () => {
    const get = site({ client: true, base: '/p/1/' })
    const text = await (await get('/p/1/')).text()
    expect(text).toContain('<head><script src="/p/1/__toolport/client.js"></script><title>')
    expect(text.split('\n')).toHaveLength(FILES['index.html'].split('\n').length)
    const script = await get('/p/1/__toolport/client.js')
    expect(script.headers.get('content-type')).toContain('javascript')
    expect(() => new Blob([String(script)])).not.toThrow()
    expect((await get('/main.js')).status).toBe(404)
    // Files that are not UTF-8 are served unchanged.
    expect(new Uint8Array(await (await get('/p/1/latin1.html')).arrayBuffer())).toEqual(FILES['latin1.html'])
  })

  test('gives a page an opaque origin, and the grants of the host', async () => {
    const get = site({ sandbox: true, grants: { connect: ['https://api.test'] } })
    const { headers } = await get('/')
    expect(headers.get('content-security-policy')).toMatch(/connect-src 'self' data: blob: https:\/\/api\.test;.*; sandbox allow-scripts/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(() => site({ grants: { connect: ["https://a.test; script-src 'self'"] } })).toThrow('Cannot grant')
  })

  test('serves bundler output before files, and shows why a build failed', async () => {
    const outputs = [{ path: 'index.html', bytes: new TextEncoder().encode('<p>built</p>') }]
    const built = { ok: true, errors: [], warnings: [], outputs, inputs: [] }
    expect(await (await site({ bundler: { build: async () => built } })('/')).text()).toBe('<p>built</p>')
    const errors = [{ text: 'Expected ";"', file: '/workspace/a.ts', line: 3, column: 7, code: 'let a b' }]
    const failed = await site({ bundler: { build: async () => ({ ...built, ok: false, outputs: [], errors }) } })('/', html)
    expect(failed.status).toBe(500)
    expect(await failed.text()).toContain('/workspace/a.ts:3:7: Expected')
  })

  test('refers to bundler output from the site root in the fallback page', async () => {
    const text = (code: string): Uint8Array => new TextEncoder().encode(code)
    const outputs = [
      { path: 'assets/main.js', bytes: text('1') },
      { path: 'index.html', bytes: text('<script type="module" src="./assets/main.js"></script>') },
    ]
    const bundler = { build: async () => ({ ok: true, errors: [], warnings: [], outputs, inputs: [] }) }
    const page = async (base: string): Promise<string> => (await site({ bundler, base, spaFallback: true })(`${base}users/1`, html)).text()
    expect(await page('/')).toContain('src="/assets/main.js"')
    expect(await page('/app/')).toContain('src="/app/assets/main.js"')
  })

  test('names a missing or invalid option', () => {
    expect(() => createPreviewHandler({} as PreviewHandlerOptions)).toThrow(
      'createPreviewHandler needs the option "workspace", a Workspace',
    )
    expect(() => site({ base: 'p' })).toThrow('"base" must start and end with "/"')
    expect(() => site({ root: '/etc' })).toThrow('outside')
  })
})
