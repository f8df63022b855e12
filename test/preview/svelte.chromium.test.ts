// @module-tag preview
import engine from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import wasm from 'esbuild-wasm/esbuild.wasm?url'
import { createBundler } from 'toolport/bundle'
import { createPreview } from 'toolport/preview'
import { afterEach, expect, test } from 'vitest'
import { COUNTER, countedSandbox, svelteProject } from '../bundle/svelte-cases.js'

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

test('a Svelte app counts clicks, gets new styles without a reload, and reports errors with places in components', async () => {
  const main = `${COUNTER['src/main.ts']}
const button = document.querySelector('button')!
button.click()
button.click()
const colour = (): string => getComputedStyle(button).color
console.log(colour())
setInterval(() => console.log(colour()), 100)
`
  const workspace = await svelteProject({ ...COUNTER, 'src/main.ts': main })
  const container = document.createElement('div')
  document.body.append(container)
  const { js, runs } = countedSandbox({ wasm: engine })
  const bundler = createBundler({ workspace, esbuild: { wasm }, js })
  const preview = await createPreview({ workspace, container, bundler, hangMs: 60_000 })
  ended.push(
    () => preview.dispose(),
    () => container.remove(),
    () => bundler.dispose(),
  )
  const events = () => preview.read({ limit: 1000 }).events
  const logs = (text: string): boolean => events().some((event) => event.type === 'console' && event.text.includes(text))
  const wait = { timeout: 100_000 }

  await expect.poll(() => logs('rgb(200, 0, 0)') || events().find(({ type }) => type === 'build_failed'), wait).toBe(true)
  expect((await preview.snapshot()).text).toContain('Clicked 4')
  expect(events().filter(({ type }) => type === 'error' || type === 'build_failed')).toEqual([])

  const app = COUNTER['src/App.svelte'] ?? ''
  await workspace.writeText('src/App.svelte', app.replace('200', '100'))
  await expect.poll(() => logs('rgb(100, 0, 0)'), wait).toBe(true)
  expect(runs.at(-1)).toEqual(['/workspace/src/App.svelte'])
  expect(events().filter(({ type }) => type === 'changed')).toMatchObject([{ update: 'styles' }])
  // The page was not loaded again: it still counts from where it was.
  expect(events().filter(({ type }) => type === 'loaded')).toHaveLength(1)

  await workspace.writeText('src/App.svelte', app.replace('total.value += by + start', "throw new Error('fails ' + by)"))
  const failed = () => events().find((event) => event.type === 'error')
  await expect
    .poll(failed, wait)
    .toMatchObject({ message: expect.stringContaining('fails 1'), position: { path: '/workspace/src/App.svelte', line: 5 } })
})
