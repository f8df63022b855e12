import { createLocalServers, createWorkspace, type LocalServers } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { afterEach, expect, it } from 'vitest'

const NODE = `import http from 'node:http'
const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://' + req.headers.host)
  if (url.pathname === '/throw') throw new Error('broken here')
  if (url.pathname === '/stream') {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    let n = 0
    const timer = setInterval(() => res.write('data: ' + n++ + '\\n\\n'), 5)
    res.on('close', () => { clearInterval(timer); console.log('closed') })
    return
  }
  let body = ''
  req.setEncoding('utf8').on('data', (text) => { body += text }).on('end', () => {
    res.statusCode = 201
    res.setHeader('Set-Cookie', ['a=1', 'b=2'])
    res.end(JSON.stringify([req.method, req.url, req.headers['x-a'], body]))
  })
}).listen(3000, () => console.log('listening on', server.address().port))`

const FETCH = `export default { port: 3001, async fetch(request) {
  const { pathname } = new URL(request.url)
  if (pathname === '/throw') throw new Error('no answer')
  return new Response(request.body ?? pathname, { headers: { 'x-method': request.method } })
} }`

export function serverCases(options: QuickJsOptions): void {
  const close: (() => unknown)[] = []
  afterEach(async () => {
    for (const one of close.splice(0).reverse()) await one()
  })
  const setUp = (servers: LocalServers | undefined = createLocalServers()) => {
    const js = createQuickJs({ ...options, grants: { servers } })(createWorkspace({ fs: createMemoryFs() }))
    close.push(() => js.close?.())
    const start = async (code: string) => {
      let output = ''
      const program = await js.spawn?.({
        code,
        onOutput: ({ text }) => {
          output += text
        },
      })
      if (!program) throw new Error('no spawn')
      close.push(() => program.kill('SIGKILL'))
      return { program, output: () => output }
    }
    const listening = (port: number) => expect.poll(() => servers.ports, { timeout: 10_000 }).toContain(port)
    return { js, servers, start, listening }
  }

  it('a server of node:http answers several concurrent requests', async () => {
    const { servers, start, listening } = setUp()
    const { output } = await start(NODE)
    await listening(3000)
    const ask = (n: number) =>
      servers.fetch(new Request(`http://localhost:3000/p?n=${n}`, { method: 'POST', headers: { 'X-A': 'é' }, body: `body ${n}` }))
    const all = await Promise.all([1, 2, 3].map(ask))
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201])
    // Browsers hide this header from every response.
    if (!('document' in globalThis)) expect(all[0]?.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await Promise.all(all.map((response) => response.json()))).toEqual([1, 2, 3].map((n) => ['POST', `/p?n=${n}`, 'é', `body ${n}`]))
    await expect.poll(output).toContain('listening on 3000')
  })

  it('a server streams a response until the reader cancels', async () => {
    const { servers, start, listening } = setUp()
    const { output } = await start(NODE)
    await listening(3000)
    const reader = (await servers.fetch(new Request('http://localhost:3000/stream'))).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 0\n\n')
    await reader?.cancel()
    await expect.poll(output).toContain('closed')
  })

  it('an aborted request rejects and the server sees the abort', async () => {
    const { servers, start, listening } = setUp()
    const { output } = await start(`import http from 'node:http'
      http.createServer((req, res) => { res.on('close', () => console.log('gone', req.aborted)); console.log('asked') }).listen(3000)`)
    await listening(3000)
    const abort = new AbortController()
    const asked = servers.fetch(new Request('http://localhost:3000/', { signal: abort.signal }))
    await expect.poll(output).toContain('asked')
    abort.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
    await expect.poll(output).toContain('gone true')
  })

  it('a server that throws answers 502 with its error', async () => {
    const { servers, start, listening } = setUp()
    await start(NODE)
    await listening(3000)
    const response = await servers.fetch(new Request('http://localhost:3000/throw'))
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('broken here')
    await expect.poll(() => servers.ports).toEqual([])
    await expect(servers.fetch(new Request('http://localhost:3000/'))).rejects.toThrow('no program listens on port 3000')
  })

  it('a default export with fetch serves requests', async () => {
    const { servers, start, listening } = setUp()
    const { program } = await start(FETCH)
    await listening(3001)
    expect(await (await servers.fetch(new Request('http://localhost:3001/path'))).text()).toBe('/path')
    const posted = await servers.fetch(new Request('http://localhost:3001/', { method: 'PUT', body: 'x'.repeat(200_000) }))
    expect(posted.headers.get('x-method')).toBe('PUT')
    expect((await posted.text()).length).toBe(200_000)
    const failed = await servers.fetch(new Request('http://localhost:3001/throw'))
    expect([failed.status, await failed.text()]).toEqual([502, expect.stringContaining('no answer')])
    await program.kill('SIGKILL')
    await program.exited
    expect(servers.ports).toEqual([])
  })

  it('listening on a used port fails with EADDRINUSE', async () => {
    const { js, start, listening } = setUp()
    await start(NODE)
    await listening(3000)
    const code = `import http from 'node:http'; http.createServer().on('error', (e) => console.log(e.code, e.message)).listen(3000)`
    expect((await js.run({ code })).stdout).toMatch(/^EADDRINUSE EADDRINUSE: Cannot listen on port 3000/)
  })

  it('programs can send requests to each other and to themselves', async () => {
    const { js, start, listening } = setUp()
    await start(NODE)
    await listening(3000)
    const code = `import http from 'node:http'
      console.log(await (await fetch('http://localhost:3000/f', { method: 'POST', body: 'b' })).json())
      const own = http.createServer((_, res) => res.end('own')).listen(0, () => http.get({ port: own.address().port }, (res) => {
        res.setEncoding('utf8').on('data', (text) => console.log(res.statusCode, text)).on('end', () => own.close(() => console.log('closed')))
      }))
      await fetch('http://localhost:1/').catch((e) => console.log(e.cause.code))
      await fetch('https://elsewhere.example/').catch((e) => console.log(e.cause.message))`
    const { stdout, stderr } = await js.run({ code, timeoutMs: 20_000 })
    expect(stderr).toBe('')
    expect(stdout.split('\n').sort().join('\n').trim()).toBe(
      `200 own\nCannot fetch "https://elsewhere.example/": fetch is not granted to this program\nECONNREFUSED\n[ 'POST', '/f', null, 'b' ]\nclosed`,
    )
  })

  it('listening without a grant fails and names the option', async () => {
    const js = createQuickJs(options)(createWorkspace({ fs: createMemoryFs() }))
    close.push(() => js.close?.())
    const { exitCode, stderr } = await js.run({ code: `import http from 'node:http'; http.createServer().listen(3000)` })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('createQuickJs({ grants: { servers: createLocalServers() } })')
  })

  it('a server knows its port at once and may close before it listens', async () => {
    const { servers, start } = setUp()
    const { output } = await start(`import http from 'node:http'
      const s = http.createServer((q, r) => r.end('x')).listen(0)
      const { port } = s.address()
      console.log(port > 1024, s.listening)
      const t = http.createServer(() => {}).listen(4000)
      t.close((error) => console.log('closed', error === undefined, t.address()))
      s.on('listening', async () => { console.log(s.address().port === port, await (await fetch('http://localhost:' + port)).text()); s.close() })`)
    await expect.poll(output, { timeout: 10_000 }).toContain('true x')
    await expect.poll(output).toContain('closed true null')
    expect(output()).toContain('true true\n')
    await expect.poll(() => servers.ports).toEqual([])
  })

  it('fetch in a program follows redirects by the standard and decompresses responses', async () => {
    const { start } = setUp()
    const { output } = await start(`import http from 'node:http'; import zlib from 'node:zlib'
      const s = http.createServer((q, r) => {
        if (q.url === '/old') return r.writeHead(302, { location: '/new#x' }).end()
        if (q.url === '/loop') return r.writeHead(302, { location: '/loop' }).end()
        if (q.url === '/gzip') return r.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync('packed'))
        let body = ''; q.on('data', (d) => { body += d }).on('end', () => r.end(JSON.stringify([q.method, q.headers['content-type'] ?? null, body])))
      }).listen(0, async () => {
        const at = 'http://localhost:' + s.address().port
        const post = { method: 'POST', body: 'a', headers: { 'content-type': 'text/x' } }
        for (const options of [{}, post, { redirect: 'manual' }, { redirect: 'error' }]) {
          const a = await fetch(at + '/old', options).catch((e) => ({ text: () => e.cause.message }))
          console.log(a.status, a.redirected, a.url?.slice(at.length), await a.text())
        }
        console.log(await fetch(at + '/loop').catch((e) => e.cause.message), await (await fetch(at + '/gzip')).text())
        http.get(at + '/gzip', (r) => { const c = []; r.on('data', (d) => c.push(d)).on('end', () => { console.log(r.headers['content-encoding'], zlib.gunzipSync(Buffer.concat(c)).toString()); s.close() }) })
      })`)
    await expect.poll(output, { timeout: 10_000 }).toContain('gzip packed')
    expect(output()).toBe(`200 true /new#x ["GET",null,""]
200 true /new#x ["GET",null,""]
302 false /old${' '}
undefined undefined undefined unexpected redirect
redirect count exceeded packed
gzip packed
`)
  })

  it('a server sends content lengths, rejects wrong ones, and answers 502 for destroyed sockets', async () => {
    const { servers, start, listening } = setUp()
    await start(`import http from 'node:http'
      const s = http.createServer((q, r) => {
        if (q.url === '/short') return r.writeHead(200, { 'content-length': '100' }).end('short')
        if (q.url === '/socket') return q.socket.destroy()
        if (q.url === '/request') return q.destroy()
        if (q.url === '/all') return s.closeAllConnections()
        if (q.url === '/ask') return http.request('http://localhost:3000/length', { method: 'POST' }, (a) => a.pipe(r)).end('abc')
        if (q.url === '/length') return r.end(JSON.stringify([q.headers['content-length'], q.headers['transfer-encoding'] ?? null]))
        r.end('é')
      }).listen(3000)`)
    await listening(3000)
    const ask = (path: string) => servers.fetch(new Request(`http://localhost:3000${path}`))
    const whole = await ask('/')
    expect([whole.headers.get('content-length'), await whole.text()]).toEqual(['2', 'é'])
    expect(await (await ask('/ask')).json()).toEqual(['3', null])
    // Chromium words the error differently, so the message is not checked.
    await expect((await ask('/short')).text()).rejects.toThrow()
    for (const path of ['/socket', '/request', '/all']) expect([path, (await ask(path)).status]).toEqual([path, 502])
  })

  it('close() of a server waits for running requests', async () => {
    const { servers, start, listening } = setUp()
    await start(`import http from 'node:http'
      const s = http.createServer((q, r) => { setTimeout(() => r.end('done'), 50); s.close(() => process.exit(0)) }).listen(3000)`)
    await listening(3000)
    expect(await (await servers.fetch(new Request('http://localhost:3000/'))).text()).toBe('done')
  })
}
