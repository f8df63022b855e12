// @module-tag preview
import quickjs from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import wasm from 'esbuild-wasm/esbuild.wasm?url'
import { createLocalServers, createRuntime, createWorkspace, toModelText } from 'toolport'
import { createJustBashShell, curlCommand } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createBundler } from 'toolport/bundle'
import { standard } from 'toolport/presets/standard'
import { createPreview, type Preview } from 'toolport/preview'
import { afterEach, expect, test } from 'vitest'
import { network, project } from '../packages/install-support.js'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end()
})

/** A runtime with a shell, JavaScript and a preview that share their servers, and a workspace with recorded packages. */
async function withPackages(packages: readonly string[], files: Record<string, string> = {}) {
  const { workspace, install } = project(network(), files)
  if (packages.length > 0) await install(packages)
  const servers = createLocalServers()
  const container = document.createElement('div')
  document.body.append(container)
  const preview = await createPreview({ workspace, container, servers, hangMs: 60_000, pollMs: 0 })
  const js = createQuickJs({ wasm: quickjs, grants: { servers } })
  const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [curlCommand(servers)] })
  const runtime = createRuntime({ workspace, preview, js, shell, preset: standard() })
  undo.push(
    () => container.remove(),
    () => preview.dispose(),
    () => runtime.dispose(),
  )
  const run = async (name: string, input: object) => toModelText(await runtime.execute({ name, input }))
  const serve = async (port: number, code: string) => {
    const started = await runtime.execute({ name: 'start_background_js', input: { code } })
    await expect.poll(() => servers.ports, { timeout: 20_000 }).toContain(port)
    return started
  }
  return { run, serve, servers, preview, runtime }
}

const EXPRESS = `import express from 'express'
const app = express()
app.use(express.urlencoded({ extended: false }))
app.use(express.json())
const notes = ['first']
app.get('/', (_, response) => response.type('html').send(
  '<!doctype html><title>Notes</title><ul>' + notes.map((note) => '<li>' + note).join('') + '</ul>' +
  '<form method="post" action="/notes"><input name="text" value="second"><button>Add</button></form>' +
  '<script src="/page.js"></script>'))
app.get('/page.js', (_, response) => response.type('js').send(
  'fetch("/moved").then((r) => r.json()).then((all) => { console.log("has", all.length); if (all.length < 2) document.forms[0].requestSubmit() });' +
  'const xhr = new XMLHttpRequest(); xhr.open("POST", "/echo"); xhr.setRequestHeader("content-type", "application/json"); xhr.setRequestHeader("x-asked", "yes");' +
  'xhr.onload = () => console.log("xhr", xhr.status, xhr.responseText, xhr.getResponseHeader("x-own")); xhr.send(JSON.stringify({ a: 1 }))'))
app.get('/moved', (_, response) => response.redirect('/api/notes'))
app.get('/api/notes', (_, response) => response.json(notes))
app.get('/away', (_, response) => response.redirect('http://localhost:4000/x'))
app.post('/echo', (request, response) => response.status(201).set('x-own', 'kept').json([request.body, request.get('x-asked')]))
app.post('/notes', (request, response) => { notes.push(request.body.text); response.redirect(303, '/') })
app.listen(3000)`

test('the preview shows an Express app with scripts, redirects and forms, and curl reaches it', async () => {
  const { run, serve } = await withPackages(['express@5'])
  await serve(3000, EXPRESS)
  await run('open_preview', { path: 'http://localhost:3000/' })
  await expect.poll(() => run('read_preview', { after: 0 }), { timeout: 20_000 }).toMatch(/has 1[\s\S]*has 2[\s\S]*first\nsecond/)
  const log = await run('read_preview', { after: 0 })
  expect(log).toContain('xhr 201 [{"a":1},"yes"] kept')
  // Errors of a program's page do not name a file of the workspace.
  expect(log).not.toContain('/workspace/page.js')
  expect(await run('open_preview', { path: 'http://localhost:3000/away' })).toContain('The page redirects to http://localhost:4000/x.')
  expect(await run('bash', { command: 'curl -s localhost:3000/api/notes' })).toContain('["first","second"]')
  expect(await run('open_preview', { path: 'http://localhost:3000/none' })).toContain('Cannot GET /none')
})

test('the preview shows a Hono app, reloads when it listens again, and reports a port without a server', async () => {
  const { run, serve, preview, runtime } = await withPackages(['hono@4'])
  const hono = (text: string) => `import { Hono } from 'hono'
const app = new Hono()
app.get('/', (c) => c.html('<title>Hono</title><h1>${text}</h1>'))
export default { port: 3001, fetch: app.fetch }`
  const first = await serve(3001, hono('One'))
  expect(await run('open_preview', { path: 'http://localhost:3001/' })).toContain('h1 "One"')
  const { session_id: id } = first.output as { session_id: string }
  await runtime.execute({ name: 'stop_background_js', input: { session_id: id } })
  await serve(3001, hono('Two'))
  await expect.poll(() => run('read_preview', {}), { timeout: 20_000 }).toContain('h1 "Two"')
  expect(await run('bash', { command: 'curl -s localhost:3001/' })).toContain('<h1>Two</h1>')
  expect(await run('open_preview', { path: 'http://localhost:4000/' })).toContain('no program listens on port 4000')
  await preview.open('/')
  expect(await run('read_preview', {})).toContain('"/workspace" contains node_modules/')
})

test('the preview passes server-sent events of a program to its page', async () => {
  const { run, serve } = await withPackages([])
  await serve(
    3002,
    `import http from 'node:http'
http.createServer((request, response) => {
  if (request.url !== '/events') {
    response.setHeader('content-type', 'text/html')
    return response.end('<title>Events</title><script>new EventSource("/events").onmessage = ({ data }) => console.log("event", data)</script>')
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let count = 0
  setInterval(() => response.write('data: ' + ++count + '\\n\\n'), 20)
}).listen(3002)`,
  )
  await run('open_preview', { path: 'http://localhost:3002/' })
  await expect.poll(() => run('read_preview', { after: 0 }), { timeout: 20_000 }).toContain('event 3')
})

test('the preview rejects a program without the servers option', async () => {
  const workspace = createWorkspace({ fs: createMemoryFs() })
  const container = document.createElement('div')
  document.body.append(container)
  const preview: Preview = await createPreview({ workspace, container, hangMs: 0 })
  undo.push(
    () => container.remove(),
    () => preview.dispose(),
  )
  await expect(preview.open('http://localhost:3000/')).rejects.toMatchObject({ code: 'unsupported' })
  await expect(preview.open('http://localhost.evil:3000/')).rejects.toThrow('no path of the preview')
})

test('the preview bundles a React app, shows edits, and reports errors with file and line', async () => {
  const { workspace, install } = project(network(), {
    'index.html': '<!doctype html><title>React</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
    'src/main.tsx':
      "import { createRoot } from 'react-dom/client'\nimport { App } from './app'\ncreateRoot(document.getElementById('root')!).render(<App />)\n",
    'src/app.tsx':
      "import { useState } from 'react'\nexport function App() {\n  const [count] = useState(1)\n  return <h1>Count {count}</h1>\n}\n",
    'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx" } }',
  })
  await install(['react@19', 'react-dom@19'])
  const container = document.createElement('div')
  document.body.append(container)
  const bundler = createBundler({ workspace, esbuild: { wasm } })
  const preview = await createPreview({ workspace, container, bundler, hangMs: 60_000, pollMs: 0 })
  const runtime = createRuntime({ workspace, preview, bundler, preset: standard() })
  undo.push(
    () => container.remove(),
    () => bundler.dispose(),
    () => preview.dispose(),
  )
  const run = async (name: string, input: object) => toModelText(await runtime.execute({ name, input }))
  expect(await run('open_preview', {})).toContain('h1 "Count 1"')
  await run('edit_file', { path: 'src/app.tsx', edits: [{ old_string: 'Count', new_string: 'Total' }] })
  expect(await run('read_preview', {})).toContain('h1 "Total 1"')
  await run('edit_file', {
    path: 'src/app.tsx',
    edits: [{ old_string: '  return', new_string: "  if (count) throw new Error('no count')\n  return" }],
  })
  expect(await run('read_preview', {})).toMatch(/no count.*[\s\S]*\/workspace\/src\/app\.tsx:4:/)

  await workspace.writeText('src/app.tsx', 'export function App( {\n')
  await preview.refresh()
  await expect.poll(async () => (await preview.snapshot()).text).toMatch(/src\/app\.tsx:\d+:\d+/)
  expect(preview.read().events.at(-1)).toMatchObject({ type: 'build_failed', errors: [{ file: '/workspace/src/app.tsx' }] })
})
