// @module-tag preview
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type CreatePreviewOptions, createPreview } from 'toolport/preview'
import { afterEach, describe, expect, test } from 'vitest'
import { closeShown, logged, show } from './show-support.js'

afterEach(closeShown)

const SITE = {
  'index.html': `<!doctype html>
<html><head><title>Site</title>
<script type="importmap">{ "imports": { "shared": "./lib/shared.js" } }</script>
<link rel="stylesheet" href="style.css"><link rel="icon" href="/icon.svg">
</head><body><h1>Hello</h1><img src="/icon.svg" alt="icon"><a href="/docs/">Docs</a>
<script src="classic.js"></script>
<script type="module" src="./src/main.js"></script>
<script>
window.inline = 'inline ran'
</script>
</body></html>`,
  'style.css': '@import url("base.css"); h1 { color: rgb(1, 2, 3); background: url(icon.svg) }',
  'base.css': 'h1 { margin-left: 7px }',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>',
  'classic.js': 'window.classic = "classic ran"',
  'src/main.js': `import { a } from './a.js'
import { shared } from 'shared'
const name = 'late'
const late = await import(\`./\${name}.js\`)
const literal = await import('./late.js')
const data = await (await fetch('data.json')).json()
const viaUrl = await (await fetch(new URL('../data.json', import.meta.url))).text()
const xhr = new XMLHttpRequest()
xhr.open('GET', '/data.json')
xhr.onload = () => console.log('xhr', xhr.status, xhr.responseText)
xhr.send()
const image = new Image()
image.onload = () => console.log('image', image.naturalWidth)
image.src = 'icon.svg'
document.body.append(image)
const { color, marginLeft } = getComputedStyle(document.querySelector('h1'))
console.log(JSON.stringify([a(), shared, late.late === literal.late, data, viaUrl, color, marginLeft, window.classic, window.inline, document.querySelector('img').naturalWidth]))
`,
  'src/a.js': "import { b } from './b.js'\nexport function a() { return b() }\nexport const name = 'cycle'\n",
  'src/b.js': "import { name } from './a.js'\nexport const b = () => name\n",
  'src/late.js': 'export const late = "late"',
  'lib/shared.js': 'export const shared = "shared"',
  'data.json': '{"x":1}',
  'docs/index.html': '<title>Docs</title><h2>Docs page</h2><button>Press</button><label>Name <input value="Ada"></label>',
}

describe('a preview in a frame with an opaque origin', () => {
  test('runs a site: scripts, modules, cycles, an import map, styles, images and requests', async () => {
    const { preview, seen } = await show(SITE)
    expect(preview.kind).toBe('sandbox')
    const { text } = await seen('console', logged('["cycle'))
    expect(JSON.parse(text)).toEqual(['cycle', 'shared', true, { x: 1 }, '{"x":1}', 'rgb(1, 2, 3)', '7px', 'classic ran', 'inline ran', 5])
    await seen('console', logged('xhr 200 {"x":1}'))
    await seen('console', logged('image 5'))
    expect(await seen('loaded')).toMatchObject({ title: 'Site', url: 'http://preview.invalid/' })
  })

  test('snapshot() returns the next page if the page is replaced before it answers', async () => {
    // The title can be read only once, which the `loaded` event does.
    const title =
      'let reads = 0; Object.defineProperty(document, "title", { get() { if (reads++) throw new Error("no title"); return "One" } })'
    const { preview, seen } = await show({ 'index.html': `<p>One</p><script>${title}</script>`, 'two.html': '<p>Two</p>' })
    await seen('loaded')
    const snapshot = preview.snapshot()
    await preview.open('/two.html')
    expect((await snapshot).url).toBe('http://preview.invalid/two.html')
  })

  test('runs each module once, also if two elements or imports refer to it, and if its text contains </script>', async () => {
    const { preview, seen } = await show({
      'index.html': `<title>Modules</title><p>Text</p><script type="module" src="one.js"></script><script type="module" src="one.js"></script>
<script type="module" src="shared.js"></script><script type="module" src="two.js"></script><script type="module" src="odd.js"></script>`,
      'one.js': 'console.log("one", import.meta.url)',
      'two.js': 'import { shared } from "./shared.js"\nconsole.log("two", shared())',
      'shared.js': 'console.log("shared")\nexport const shared = () => "s"',
      'odd.js': 'console.log("odd", "</script><!-- \\u{1F600}".length)',
    })
    await seen('console', logged('odd 16'))
    const texts = preview.read().events.flatMap((event) => (event.type === 'console' ? [event.text] : []))
    expect(texts).toEqual(['one http://preview.invalid/one.js', 'shared', 'two s', 'odd 16'])
    preview.frame.style.display = 'none'
    expect((await preview.snapshot()).text).toBe('Text')
  })

  test('follows a link and describes the page in a snapshot', async () => {
    const { preview, seen } = await show({
      ...SITE,
      'index.html': '<a href="docs/">Docs</a><script>document.querySelector("a").click()</script>',
    })
    await seen('loaded', ({ title }) => title === 'Docs')
    expect(preview.url).toBe('http://preview.invalid/docs/')
    const snapshot = await preview.snapshot()
    expect(snapshot).toMatchObject({ title: 'Docs', text: expect.stringContaining('Docs page') })
    expect(snapshot.outline).toBe('h2 "Docs page"\nbutton "Press"\ninput "Name" = "Ada"')
  })

  test('reports errors, rejections, console calls and failed requests with workspace positions', async () => {
    const { seen } = await show({
      'index.html':
        '<!doctype html>\n<script>\nconsole.warn("inline", { a: [1, "b"] })\n</script>\n<script src="throws.js"></script><script src="gone.js"></script><script type="module" src="m.js"></script>',
      'throws.js': '\n\nfunction fail() {\n  throw new TypeError("broken")\n}\nfail()\n',
      'm.js': 'fetch("/missing.json")\nPromise.reject(new Error("rejected"))\nconsole.error("%s is %d", "x", 2)\n',
    })
    expect(await seen('console', logged('inline'))).toMatchObject({
      level: 'warn',
      text: 'inline { a: [1, "b"] }',
      position: { path: '/workspace/index.html', line: 3 },
    })
    const error = await seen('error', ({ kind }) => kind === 'uncaught')
    expect(error).toMatchObject({ message: 'Uncaught TypeError: broken', position: { path: '/workspace/throws.js', line: 4, column: 9 } })
    expect(error.stack).toContain('at fail (/workspace/throws.js:4:9)')
    expect(await seen('error', ({ kind }) => kind === 'rejection')).toMatchObject({
      message: 'Error: rejected',
      position: { path: '/workspace/m.js', line: 2 },
    })
    expect(await seen('request_failed', ({ url }) => url.endsWith('/missing.json'))).toMatchObject({ status: 404 })
    expect(await seen('request_failed', ({ url }) => url.endsWith('/gone.js'))).toMatchObject({ status: 404 })
    expect(await seen('console', logged('x is 2'))).toMatchObject({ level: 'error', position: { path: '/workspace/m.js', line: 3 } })
  })

  test('reloads the page after a change, and replaces a stylesheet without a reload', async () => {
    const { preview, workspace, seen, events } = await show({
      'index.html':
        '<link rel="stylesheet" href="s.css"><p>one</p><script>console.log("started")\nsetInterval(() => document.title = getComputedStyle(document.querySelector("p")).color, 20)</script>',
      's.css': 'p { color: rgb(1, 1, 1) }',
    })
    await seen('loaded')
    await workspace.writeText('s.css', 'p { color: rgb(2, 2, 2) }')
    expect(await seen('changed')).toMatchObject({ update: 'styles', paths: ['/workspace/s.css'] })
    await expect.poll(async () => (await preview.snapshot()).title).toBe('rgb(2, 2, 2)')
    expect(events().filter((event) => event.type === 'console')).toHaveLength(1)
    await workspace.writeText('index.html', '<p>two</p>')
    await seen('changed', ({ update }) => update === 'page')
    await expect.poll(async () => (await preview.snapshot().catch(() => undefined))?.text).toBe('two')
  })

  test('shows the last of several quick changes of a stylesheet, with one link element', async () => {
    const { preview, workspace, seen } = await show(
      {
        'index.html':
          '<link rel="stylesheet" href="s.css"><p>one</p><script>setInterval(() => document.title = document.querySelectorAll("link").length + " " + getComputedStyle(document.querySelector("p")).color, 20)</script>',
        's.css': 'p { color: rgb(1, 1, 1) }',
      },
      { pollMs: 0 },
    )
    await seen('loaded')
    for (const value of [2, 3, 4]) {
      await workspace.writeText('s.css', `p { color: rgb(${value}, 2, 2) }`)
      await preview.refresh()
    }
    await expect.poll(async () => (await preview.snapshot()).title).toBe('1 rgb(4, 2, 2)')
  })

  test('shows a change of a stylesheet used by an import, a style element or a shadow root', async () => {
    const { preview, workspace, seen, events } = await show({
      'index.html': `<link rel="stylesheet" href="s.css"><style>@import "style.css";</style><p>text</p><div></div>
<script type="module">
console.log('started')
const root = document.querySelector('div').attachShadow({ mode: 'closed' })
root.innerHTML = '<i>shadow</i>'
const sheet = new CSSStyleSheet()
sheet.replaceSync(await (await fetch('shadow.css')).text())
root.adoptedStyleSheets = [sheet]
setInterval(() => {
  const { marginLeft, paddingLeft } = getComputedStyle(document.querySelector('p'))
  document.title = [marginLeft, paddingLeft, getComputedStyle(root.querySelector('i')).textIndent].join(' ')
}, 20)
</script>`,
      's.css': '@import "deep/imported.css";',
      'deep/imported.css': '@import "deeper.css"; p { margin-left: 1px }',
      'deep/deeper.css': 'i { color: red }',
      'style.css': 'p { padding-left: 1px }',
      'shadow.css': 'i { text-indent: 1px }',
    })
    await seen('loaded')
    const title = async () => (await preview.snapshot().catch(() => undefined))?.title
    const starts = () => events().filter((event) => event.type === 'console').length
    await expect.poll(title).toBe('1px 1px 1px')
    await workspace.writeText('deep/imported.css', '@import "deeper.css"; p { margin-left: 2px }')
    await expect.poll(title).toBe('2px 1px 1px')
    await workspace.writeText('deep/deeper.css', 'p { margin-left: 3px !important }')
    await expect.poll(title).toBe('3px 1px 1px')
    expect(starts()).toBe(1)
    await workspace.writeText('style.css', 'p { padding-left: 2px }')
    await expect.poll(title).toBe('3px 2px 1px')
    expect(starts()).toBe(2)
    await workspace.writeText('shadow.css', 'i { text-indent: 2px }')
    await expect.poll(title).toBe('3px 2px 2px')
    expect(starts()).toBe(3)
  })

  test('prevents access to the embedding page', async () => {
    localStorage.setItem('secret', 'of the page')
    // biome-ignore lint/suspicious/noDocumentCookie: what the program tries to read
    document.cookie = 'secret=cookie'
    const attacks: Record<string, string> = {
      parent: 'parent.document.body.innerHTML',
      neighbour: 'parent.frames[0].document.body.innerHTML',
      neighbourFile:
        'await (async () => { const r = await fetch("/neighbour.txt"); if (!r.ok) throw new Error("refused"); return r.text() })()',
      top: 'top.document.cookie',
      storage: 'parent.localStorage.getItem("secret")',
      cookie: 'document.cookie',
      database: '(await new Promise((ok, no) => { const r = indexedDB.open("x"); r.onsuccess = ok; r.onerror = () => no(r.error) }))',
      caches: 'await caches.open("x")',
      worker: 'await navigator.serviceWorker.register("/w.js")',
      navigate: 'top.location.href = "http://preview.invalid/stolen"',
      popup: '(() => { if (open("about:blank") === null) throw new Error("no popup") })()',
      network: `await fetch(${JSON.stringify(location.origin)})`,
      beacon: `await new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = () => no(new Error("blocked")); i.src = ${JSON.stringify(`${location.origin}/favicon.ico`)} })`,
      socket: `await new Promise((ok, no) => { const s = new WebSocket("ws://" + ${JSON.stringify(location.host)}); s.onopen = ok; s.onerror = () => no(new Error("blocked")) })`,
      frame: `await new Promise((ok, no) => { const f = document.createElement("iframe"); f.onload = () => { try { ok(f.contentDocument.body.innerHTML) } catch (e) { no(e) } }; f.src = ${JSON.stringify(location.origin)}; document.body.append(f) })`,
      outside:
        'await (async () => { const r = await fetch("/../../etc/passwd"); if (!r.ok) throw new Error("refused"); return r.text() })()',
      dotfile: 'await (async () => { const r = await fetch("/.env"); if (!r.ok) throw new Error("refused"); return r.text() })()',
    }
    const code = Object.entries(attacks)
      .map(([name, attack]) => `try { result.${name} = 'GOT ' + (${attack}) } catch (error) { result.${name} = 'refused' }`)
      .join('\n')
    const neighbour = await show({ 'index.html': '<p>Of the neighbour</p>', 'neighbour.txt': 'SECRET' })
    await neighbour.seen('loaded')
    const { seen } = await show({
      'index.html': '<body><script type="module" src="attack.js"></script>',
      'attack.js': `const result = {}\n${code}\nconsole.log(JSON.stringify(result))`,
      '.env': 'SECRET',
    })
    const { text } = await seen('console', logged('{"parent"'))
    localStorage.removeItem('secret')
    // biome-ignore lint/suspicious/noDocumentCookie: what the program tries to read
    document.cookie = 'secret=; max-age=0'
    expect(JSON.parse(text)).toEqual(Object.fromEntries(Object.keys(attacks).map((name) => [name, 'refused'])))
    expect(await seen('blocked')).toMatchObject({ directive: expect.any(String) })
  })

  test.each(['preview&#45;code0;', '<preview-base></preview-base>'])(
    'markup does not remove the content security policy: %s',
    async (value) => {
      const { seen } = await show({
        'index.html': `<html data-x="${value}"><body><script src="/attack.js"></script>`,
        'attack.js': `/*"><img src="data:,">*/ fetch(${JSON.stringify(location.origin)}).catch(() => console.log('refused'))`,
      })
      await seen('console', logged('refused'))
      expect(await seen('blocked')).toMatchObject({ directive: 'connect-src' })
    },
  )

  test('a page that leaves the preview is stopped', async () => {
    const script = `location.href = 'data:text/html,elsewhere'; setTimeout(() => location.href = ${JSON.stringify(location.origin)} + '/favicon.ico?stolen', 50)`
    const { preview, seen } = await show({ 'index.html': `<script>${script}</script>` })
    expect(await seen('stopped')).toMatchObject({ reason: 'left' })
    expect(preview.frame.srcdoc).toContain('was stopped')
  })

  test('limits a flood of console calls and forged messages', async () => {
    const { preview, seen } = await show({
      'index.html':
        '<script>for (let i = 0; i < 100000; i++) console.log("flood", i)\nconst own = new MessageChannel(); for (let i = 0; i < 5000; i++) parent.postMessage({ toolport: "other", i }, "*")</script><p>shown</p>',
    })
    await seen('loaded')
    const { count } = await seen('dropped')
    expect(count).toBeGreaterThan(99_000)
    expect(preview.read({ limit: 1000 }).events.length).toBeLessThan(300)
  })

  test('replaces the frame of an endless loop without freezing the page', async () => {
    const { preview, workspace, seen } = await show(
      { 'index.html': '<p>loop</p><script>addEventListener("load", () => setTimeout(() => { while (true); }, 100))</script>' },
      { hangMs: 1000 },
    )
    await seen('loaded')
    expect(await seen('stopped')).toMatchObject({ reason: 'unresponsive' })
    // If the loop had frozen this page, the test would not continue.
    await workspace.writeText('index.html', '<title>mended</title><p>mended</p>')
    await preview.reload()
    await seen('loaded', ({ title }) => title === 'mended')
    expect((await preview.snapshot()).text).toBe('mended')
  })

  test('names a missing option', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    await expect(createPreview({ workspace } as CreatePreviewOptions)).rejects.toThrow(
      'createPreview needs the option "container", an element of the page',
    )
    await expect(createPreview({ workspace, container: document.body, relay: '/relay.html' })).rejects.toThrow('must be on another origin')
  })
})

test('gives no file to a page that replaces the previewed one', async () => {
  const thief = `<script>
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => parent.postMessage({ stolen: data }, '*')
    parent.postMessage({ toolport: 'hello' }, '*', [port2])
    port1.postMessage({ type: 'request', id: 1, request: { url: 'http://preview.invalid/notes.txt', method: 'GET', headers: [] } })
    setTimeout(() => parent.postMessage({ tried: true }, '*'), 300)
  </script>`
  const heard: unknown[] = []
  const listen = ({ data }: MessageEvent): void => void heard.push(data)
  addEventListener('message', listen)
  try {
    const { seen } = await show({
      'index.html': `<script>location.href = 'data:text/html,' + ${JSON.stringify(encodeURIComponent(thief))}</script>`,
      'notes.txt': 'PRIVATE',
    })
    await seen('stopped', ({ reason }) => reason === 'left')
    expect(JSON.stringify(heard)).not.toContain('stolen')
    expect(JSON.stringify(heard)).toContain('tried')
  } finally {
    removeEventListener('message', listen)
  }
})
