import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { expect, it } from 'vitest'

const CASES: readonly (readonly [name: string, code: string, stdout: string])[] = [
  [
    'reads bodies in every format',
    `const r = (body, init) => new Response(body, init)
    console.log(await r('a').text(), await r('{"a":1}').json(), new Uint8Array(await r('é').arrayBuffer()), (await r('ab').blob()).size)
    const form = new FormData(); form.append('a', '1'); form.append('f', new File(['x\\r\\ny'], 'n.txt', { type: 'text/plain' }))
    const back = await r(form).formData()
    console.log(back.get('a'), back.get('f').name, back.get('f').type, JSON.stringify(await back.get('f').text()))
    console.log((await r(new URLSearchParams('q=1&q=2')).formData()).getAll('q'))`,
    `a { a: 1 } Uint8Array(2) [ 195, 169 ] 2\n1 n.txt text/plain "x\\r\\ny"\n[ '1', '2' ]\n`,
  ],
  [
    'reads a body once, and clones it before',
    `const r = Response.json({ a: 1 }, { status: 201 }); const c = r.clone()
    console.log(r.status, r.ok, r.headers.get('content-type'), await r.json(), r.bodyUsed, await c.text(), await r.text().catch((e) => e.message))
    const s = new Response(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('one')); c.close() } })); const t = s.clone()
    console.log(await s.text(), await t.text(), s.bodyUsed, Response.redirect('http://a.example/b', 303).headers.get('location'), Response.error().type)`,
    `201 true application/json { a: 1 } true {"a":1} Body is unusable: Body has already been read\none one true http://a.example/b error\n`,
  ],
  [
    'keeps headers like the standard',
    `const h = new Headers({ 'X-B': ' 1 ', a: '2' }); h.append('Set-Cookie', 'a=1'); h.append('set-cookie', 'b=2'); h.append('x-b', '3')
    console.log([...h], h.getSetCookie(), h.get('X-b'))
    for (const f of [() => h.set('a b', '1'), () => h.set('a', 'x\\ny'), () => new Headers([['a']])]) try { f() } catch (e) { console.log(e.name) }`,
    `[\n  [ 'a', '2' ],\n  [ 'set-cookie', 'a=1' ],\n  [ 'set-cookie', 'b=2' ],\n  [ 'x-b', '1, 3' ]\n] [ 'a=1', 'b=2' ] 1, 3\nTypeError\nTypeError\nTypeError\n`,
  ],
  [
    'creates requests',
    `const a = new Request('http://a.example/x?y#z', { method: 'post', body: 'b', headers: { a: '1' } }); const b = new Request(a, { headers: { c: '2' } })
    console.log(a.method, a.url, b.headers.get('a'), b.headers.get('c'), await b.text(), a.bodyUsed, b.signal.aborted)
    for (const f of [() => new Request('/x'), () => new Request('http://a.example', { body: 'x' })]) try { f() } catch (e) { console.log(e.message) }`,
    'POST http://a.example/x?y#z null 2 b true false\nFailed to parse URL from /x\nRequest with GET/HEAD method cannot have body.\n',
  ],
  [
    'pipes streams',
    `const upper = new TransformStream({ transform: (text, c) => c.enqueue(text.toUpperCase()) })
    const all = ReadableStream.from(['a', 'é']).pipeThrough(upper).pipeThrough(new TextEncoderStream()).pipeThrough(new TextDecoderStream())
    let text = ''; for await (const chunk of all) text += chunk
    console.log(text, await new Response(new Blob(['zip zip zip']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).text())
    const { Readable } = await import('node:stream'); const { text: read } = await import('node:stream/consumers')
    console.log(await read(Readable.fromWeb(new Response('web').body)), await new Response(Readable.toWeb(Readable.from([Buffer.from('no'), Buffer.from('de')]))).text())`,
    'AÉ zip zip zip\nweb node\n',
  ],
  [
    'has no Intl, so that programs use their fallbacks',
    "console.log(typeof Intl, 'Intl' in globalThis, typeof Intl === 'undefined' ? 'fallback' : new Intl.DateTimeFormat())",
    'undefined false fallback\n',
  ],
  [
    'has a class Stream as the module stream, for packages that inherit from it',
    `const { default: Stream } = await import('node:stream')
    function Own() { Stream.call(this) }
    Object.setPrototypeOf(Own.prototype, Stream.prototype)
    const own = new Own(); let text = ''
    own.pipe(new Stream.Writable({ decodeStrings: false, write(chunk, _, done) { text += chunk; done() } }))
    own.emit('data', 'a'); own.emit('data', 'b')
    console.log(text, Stream.name, '_readableState' in own, new Stream.Readable() instanceof Stream)`,
    'ab Stream false true\n',
  ],
  [
    'converts URLs to options of a request',
    `const { parse, urlToHttpOptions } = await import('node:url')
    const own = Object.assign(new URL('http://a.example/'), { timeout: 5 })
    for (const url of [new URL('http://u%20x:p@[::1]:8080/a?b#c'), own, parse('http://a:81/b'), { pathname: '/x', port: '', x: 1 }, { hostname: 'a', port: 3 }])
      console.log(JSON.stringify(urlToHttpOptions(url)))
    console.log(parse('http://a/b').path, Number.isNaN(urlToHttpOptions({}).port))`,
    [
      '{"protocol":"http:","hostname":"::1","hash":"#c","search":"?b","pathname":"/a","path":"/a?b","href":"http://u%20x:p@[::1]:8080/a?b#c","port":8080,"auth":"u x:p"}',
      '{"timeout":5,"protocol":"http:","hostname":"a.example","hash":"","search":"","pathname":"/","path":"/","href":"http://a.example/"}',
      '{"protocol":"http:","slashes":true,"auth":null,"host":"a:81","port":81,"hostname":"a","hash":null,"search":null,"query":null,"pathname":"/b","path":"/b","href":"http://a:81/b"}',
      '{"pathname":"/x","port":"","x":1,"path":"/x"}',
      '{"hostname":"a","port":3,"path":""}',
      '/b true\n',
    ].join('\n'),
  ],
  [
    'has no fetch without a grant',
    'console.log(typeof fetch, typeof Response, structuredClone(new Map([[1, { a: [1n] }]])), AbortSignal.any([AbortSignal.abort(1)]).reason)',
    'undefined function Map(1) { 1 => { a: [ 1n ] } } 1\n',
  ],
]

export function webCases(options: QuickJsOptions): void {
  it.each(CASES)('%s', async (_, code, stdout) => {
    const js = createQuickJs(options)(createWorkspace({ fs: createMemoryFs() }))
    try {
      expect(await js.run({ code })).toMatchObject({ stderr: '', stdout, exitCode: 0 })
    } finally {
      await js.close?.()
    }
  })

  it('the body of an ended request is released', async () => {
    const fetch = { name: 'large', fetch: async () => new Response(new Uint8Array(5 * 1024 * 1024)) }
    const js = createQuickJs({ ...options, memoryBytes: 64 * 1024 * 1024 })(createWorkspace({ fs: createMemoryFs() }))
    try {
      const code = `for (let n = 0; n < 20; n++) await (await fetch('https://host.example/')).arrayBuffer(); console.log('done')`
      expect(await js.run({ code, grants: { fetch } })).toMatchObject({ stderr: '', stdout: 'done\n' })
    } finally {
      await js.close?.()
    }
  })
}
