// @module-tag preview
import wasm from 'esbuild-wasm/esbuild.wasm?url'
import { createBundler } from 'toolport/bundle'
import { createPreview } from 'toolport/preview'
import { afterEach, expect, test } from 'vitest'
import { network, project } from '../packages/install-support.js'

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

const PAGE = '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/src/main.jsx"></script>'
const CLICK = "\ndocument.querySelector('button').click()\n"
const PREACT = `import { render } from 'preact'
import { useState } from 'preact/hooks'
function App() {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>Clicked {count}</button>
}
render(<App />, document.querySelector('#root'))`
const VUE = `import { createApp, h, ref } from '@vue/runtime-dom'
const count = ref(0)
createApp({ setup: () => () => h('button', { onClick: () => count.value++ }, 'Clicked ' + count.value) }).mount('#root')`

test.each([
  ['Preact', 'preact@10', PREACT],
  ['Vue without templates', '@vue/runtime-dom@3', VUE],
])('an app of %s is built from recorded packages and shown', async (_, name, main) => {
  const { workspace, install } = project(network(), {
    'index.html': PAGE,
    'src/main.jsx': main + CLICK,
    'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "preact" } }',
  })
  await install([name])
  const container = document.createElement('div')
  document.body.append(container)
  const bundler = createBundler({ workspace, esbuild: { wasm } })
  const preview = await createPreview({ workspace, container, bundler, hangMs: 60_000 })
  ended.push(
    () => preview.dispose(),
    () => container.remove(),
    () => bundler.dispose(),
  )
  const shown = async (): Promise<string> => (await preview.snapshot().catch(() => undefined))?.text ?? ''
  await expect.poll(shown, { timeout: 30_000 }).toContain('Clicked 1')
  expect(preview.read({ limit: 1000 }).events.filter(({ type }) => type === 'error' || type === 'build_failed')).toEqual([])
})
