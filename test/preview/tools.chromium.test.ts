// @module-tag preview
import { generateText, isStepCount } from 'ai'
import wasm from 'esbuild-wasm/esbuild.wasm?url'
import { createRuntime, createWorkspace, toModelText, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createBundler } from 'toolport/bundle'
import { toAiSdkTools } from 'toolport/formats'
import { standard } from 'toolport/presets/standard'
import { createPreview, type Preview } from 'toolport/preview'
import { openCassette, type ScriptedStep, scriptedModel } from 'toolport/testing'
import { afterEach, expect, test } from 'vitest'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const end of undo.splice(0).reverse()) await end()
})

async function shown(files: Record<string, string>): Promise<{ readonly workspace: Workspace; readonly preview: Preview }> {
  const workspace = createWorkspace({ fs: createMemoryFs({ files }) })
  const container = document.createElement('div')
  document.body.append(container)
  const bundler = createBundler({ workspace, esbuild: { wasm } })
  const preview = await createPreview({ workspace, container, bundler, hangMs: 60_000, pollMs: 0 })
  undo.push(
    () => container.remove(),
    () => bundler.dispose(),
    () => preview.dispose(),
  )
  return { workspace, preview }
}

const PAGE = '<!doctype html><title>Counter</title><main></main><script type="module" src="/src/main.ts"></script>'

test('an agent writes an app, sees its error in the preview, fixes it, and sees that it works', async () => {
  const { workspace, preview } = await shown({})
  const runtime = createRuntime({ workspace, preview, preset: standard() })
  const program = "const main = document.querySelector('#main') as HTMLElement\n\nmain.innerHTML = '<button>Count: 0</button>'\n"
  const read = (expected: RegExp, then: ScriptedStep) => {
    return ({ messages }: { readonly messages: readonly { readonly text: string }[] }): ScriptedStep => {
      expect(messages.at(-1)?.text).toMatch(expected)
      return then
    }
  }
  const model = scriptedModel([
    [
      { name: 'write_file', input: { path: 'index.html', content: PAGE } },
      { name: 'write_file', input: { path: 'src/main.ts', content: program } },
    ],
    { name: 'open_preview', input: {} },
    read(/uncaught error\] .*Cannot set properties of null.*\(\/workspace\/src\/main\.ts:3:\d+\)/, {
      name: 'edit_file',
      input: { path: 'src/main.ts', edits: [{ old_string: '#main', new_string: 'main' }] },
    }),
    { name: 'read_preview', input: {} },
    read(/"Counter"\nNo messages\.\n\nVisible text:\nCount: 0\n\nOutline:\nbutton "Count: 0"/, 'It works.'),
  ])
  const { text } = await generateText({ model, tools: toAiSdkTools(runtime), prompt: 'Write a counter.', stopWhen: isStepCount(9) })
  expect(text).toBe('It works.')
})

test('preview tools return messages since the last call, and wait for later ones', async () => {
  const { workspace, preview } = await shown({
    'index.html': `${PAGE}<h1>Hello</h1>`,
    'src/main.ts': 'console.log("first")\nonmessage = () => setTimeout(() => console.warn("late", { a: 1 }), 600)\nfetch("/gone.json")\n',
  })
  const runtime = createRuntime({ workspace, preview, preset: standard() })
  const run = (name: string, input: object = {}) => runtime.execute({ name, input })
  const opened = await run('open_preview', { path: '/?tab=1', wait_ms: 0 })
  expect(opened.output).toMatchObject({ loaded: true, title: 'Counter', text: expect.stringContaining('Hello'), missed: 0 })
  expect(toModelText(opened)).toContain('[console.log] first (/workspace/src/main.ts:1:')
  preview.frame.contentWindow?.postMessage('go', '*')
  const later = toModelText(await run('read_preview', { wait_ms: 2000 }))
  expect(later).toContain('[console.warn] late { a: 1 } (/workspace/src/main.ts:2:')
  expect(later).not.toContain('first')
  expect(toModelText(await run('read_preview', { wait_ms: 0 }))).toContain('No messages.')
  const all = toModelText(await run('read_preview', { after: 0, wait_ms: 0 }))
  expect(all).toMatch(/first[\s\S]*\[request failed\] GET \S+gone\.json: HTTP 404/)

  await workspace.writeText('src/main.ts', 'export const x =')
  const failed = await run('read_preview', { wait_ms: 0 })
  expect(failed.output).toMatchObject({ events: expect.arrayContaining([expect.objectContaining({ type: 'build_failed' })]) })
  expect(toModelText(failed)).toContain('[build error] Unexpected end of file (/workspace/src/main.ts:1:')
  expect(await run('open_preview', { wait_ms: 0 })).toMatchObject({
    output: { loaded: true, text: expect.stringContaining('The build failed') },
  })
})

test('open_preview does not mistake another loading page for the requested one', async () => {
  const { workspace, preview } = await shown({
    'index.html': '<!doctype html><title>First</title><script type="module" src="/src/first.js"></script>',
    'other.html': '<!doctype html><title>Second</title><script type="module">document.body.textContent = "Shown"</script>',
    'src/first.js': 'const end = performance.now() + 30\nwhile (performance.now() < end);\n',
  })
  const runtime = createRuntime({ workspace, preview, preset: standard() })
  for (const pause of [0, 10, 20, 30, 40, 50, 60, 80, 100]) {
    await preview.open('/')
    await new Promise((resolve) => setTimeout(resolve, pause))
    const { output } = await runtime.execute({ name: 'open_preview', input: { path: '/other.html', wait_ms: 0 } })
    expect(output).toMatchObject({ loaded: true, title: 'Second', text: 'Shown' })
  }
})

test('hostile text is cleaned, invalid paths are rejected, and pictures come from a host that can take them', async () => {
  const { workspace, preview } = await shown({ 'index.html': '<p>\u202eevil\u202c</p>', 'about.html': '<p>About' })
  const runtime = createRuntime({ workspace, preview, preset: standard() })
  const run = (name: string, input: object = {}) => runtime.execute({ name, input })
  const text = toModelText(await run('open_preview'))
  expect(text).toContain('\nevil\n')
  expect(toModelText(await run('open_preview', { path: '/about.html' }))).toContain('About')
  expect(toModelText(await run('open_preview', { path: '/abut.html' }))).toContain('Did you mean')
  expect(await run('open_preview', { path: 'https://example.com/' })).toMatchObject({ output: { code: 'invalid_input' } })
  expect(await run('read_preview', { picture: true })).toMatchObject({ output: { code: 'unsupported' } })
  // A host that can take pictures adds this method.
  Object.assign(preview, { screenshot: async () => ({ mediaType: 'image/png', bytes: new Uint8Array([1, 2, 3]) }) })
  const { content } = (await run('read_preview', { picture: true })) as { content?: unknown }
  expect(content).toContainEqual({ type: 'image', mediaType: 'image/png', data: 'AQID' })
  const none = createRuntime({ workspace, preset: standard() })
  expect(none.getModelManifest().filter(({ name }) => /preview|bundle/.test(name))).toEqual([])
})

test('a cassette replays the answers of the preview and the bundler', async () => {
  const files = { 'index.html': PAGE, 'src/main.ts': 'document.querySelector("main")!.textContent = "Shown"\n' }
  const { workspace, preview } = await shown(files)
  let kept: string | undefined
  const storage = {
    read: async () => kept,
    write: async (text: string) => {
      kept = text
    },
  }
  const play = async (options: object): Promise<readonly string[]> => {
    const cassette = await openCassette(storage, { mode: kept === undefined ? 'record' : 'replay' })
    const runtime = createRuntime(cassette.attach({ fs: createMemoryFs({ files }), preset: standard(), ...options }, { files }))
    const said = []
    for (const name of ['open_preview', 'bundle', 'read_preview']) said.push(toModelText(await runtime.execute({ name, input: {} })))
    await cassette.close()
    await runtime.dispose()
    return said
  }
  const recorded = await play({ preview, bundler: createBundler({ workspace, esbuild: { wasm } }) })
  expect(recorded[0]).toContain('Shown')
  expect(recorded[1]).toContain('Wrote 3 files')
  expect(await play({})).toEqual(recorded)
})
