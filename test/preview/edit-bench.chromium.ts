// Measures the time from an edit of a React app until the page shows it, and the same for an app without packages.
import wasm from 'esbuild-wasm/esbuild.wasm?url'
import { createBundler } from 'toolport/bundle'
import { createPreview } from 'toolport/preview'
import { test } from 'vitest'
import { network, project } from '../packages/install-support.js'

const ROUNDS = 15
const PAGE = '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/src/main.jsx"></script>'
const APPS = {
  plain: {
    packages: [],
    main: "import { text } from './app.jsx'\ndocument.querySelector('#root').innerHTML = text\n",
    app: (text: string) => `export const text = '<h1>${text}</h1>'\n`,
  },
  react: {
    packages: ['react@19', 'react-dom@19'],
    main: "import { createRoot } from 'react-dom/client'\nimport { App } from './app.jsx'\ncreateRoot(document.querySelector('#root')).render(<App />)\n",
    app: (text: string) => `export const App = () => <h1>${text}</h1>\n`,
  },
}

async function open({ packages, main, app }: (typeof APPS)[keyof typeof APPS]) {
  const { workspace, install } = project(network(), { 'index.html': PAGE, 'src/main.jsx': main, 'src/app.jsx': app('first') })
  if (packages.length > 0) await install(packages)
  const container = document.createElement('div')
  document.body.append(container)
  const bundler = createBundler({ workspace, esbuild: { wasm } })
  const preview = await createPreview({ workspace, container, bundler, pollMs: 0, hangMs: 0 })
  const shows = async (text: string): Promise<void> => {
    while (!(await preview.snapshot().catch(() => undefined))?.text.includes(text)) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await shows('first')
  return async (text: string): Promise<readonly [built: number, shown: number]> => {
    const begin = performance.now()
    await workspace.writeText('src/app.jsx', app(text))
    await bundler.build()
    const built = performance.now() - begin
    await preview.refresh()
    await shows(text)
    return [built, performance.now() - begin]
  }
}

test('an edit until it is visible', { timeout: 600_000 }, async () => {
  const edits = { plain: await open(APPS.plain), react: await open(APPS.react) }
  const times: Record<string, number[]> = {}
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, edit] of Object.entries(edits)) {
      const [built, shown] = await edit(`${name} ${round}`)
      if (round < 0) continue
      for (const [what, ms] of [
        ['built', built],
        ['visible', shown],
      ] as const) {
        times[`${name} ${what}`] = [...(times[`${name} ${what}`] ?? []), ms]
      }
    }
  }
  for (const [name, all] of Object.entries(times)) {
    const sorted = all.toSorted((a, b) => a - b)
    console.log(
      `${name}: min ${sorted[0]?.toFixed(0)}, median ${sorted[sorted.length >> 1]?.toFixed(0)}, max ${sorted.at(-1)?.toFixed(0)} ms`,
    )
  }
})
