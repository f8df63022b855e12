// @module-tag opfs
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build, type PreviewServer, preview } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'

// Tests the built package, imported by its name, in a page that a bundler has built.

const root = fileURLToPath(new URL('../../', import.meta.url))

const APP = `
import { createOpfs } from 'toolport/adapters/opfs'
import { createBrowserRuntime } from 'toolport/browser'
globalThis.run = async () => {
  const fs = createOpfs({ name: 'bundled' })
  await fs.write('/a.txt', new TextEncoder().encode('one'))
  await fs.close()
  const tools = createBrowserRuntime({ storage: 'opfs', name: 'bundled' })
  const { stdout } = await tools.call('bash', { command: 'cat a.txt' })
  await tools.dispose()
  return stdout
}
`

async function buildApp(): Promise<string> {
  await mkdir(`${root}.cache`, { recursive: true })
  const folder = await mkdtemp(`${root}.cache/opfs-bundled-`)
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(`${folder}/index.html`, '<!doctype html><script type="module" src="./app.js"></script>')
  await writeFile(`${folder}/app.js`, APP)
  await build({ configFile: false, root: folder, logLevel: 'silent', build: { outDir: `${folder}/dist` } })
  return folder
}

const urlOf = (server: PreviewServer): string => server.resolvedUrls?.local[0] ?? ''

it('createOpfs finds its worker in a page built by Vite and keeps the files over a reload', async () => {
  const folder = await buildApp()
  // The workers of OPFS, the shell and JavaScript.
  expect((await readdir(`${folder}/dist/assets`)).filter((name) => /-worker-.*\.js$/.test(name))).toHaveLength(3)
  const server = await preview({ configFile: false, root: folder, logLevel: 'silent', preview: { port: 0 } })
  onTestFinished(() => server.close())
  const executablePath = await findChromium()
  const browser = await chromium.launch({ timeout: 0, ...(executablePath !== undefined && { executablePath }) })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  // The test's own timeout is long enough for a slow machine.
  page.setDefaultTimeout(0)
  await page.goto(urlOf(server))
  await page.waitForFunction('globalThis.run')
  expect(await page.evaluate('run()')).toBe('one')
  await page.reload()
  await page.waitForFunction('globalThis.run')
  const reopened = `run().then(() => navigator.storage.getDirectory()).then((root) => root.getDirectoryHandle('toolport'))
    .then((folder) => folder.getDirectoryHandle('bundled')).then((dir) => dir.getDirectoryHandle('files'))
    .then((files) => files.getFileHandle('a.txt')).then((file) => file.getFile()).then((file) => file.text())`
  expect(await page.evaluate(reopened)).toBe('one')
})
