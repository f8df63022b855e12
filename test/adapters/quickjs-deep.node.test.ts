// @module-tag quickjs
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'
import { DEEP, goesOn } from './quickjs-deep.js'

// Browsers compile WebAssembly with two compilers. Code of the first one uses more stack, so only that compiler is enabled here.

const root = fileURLToPath(new URL('../../', import.meta.url))

const APP = `
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
const js = createQuickJs({ wasm })(createTestWorkspace().workspace)
globalThis.run = (code) => js.run({ code })
`

const closing: (() => unknown)[] = []
let page: Page

beforeAll(async () => {
  await mkdir(`${root}.cache`, { recursive: true })
  const folder = await mkdtemp(`${root}.cache/quickjs-deep-`)
  closing.push(() => rm(folder, { recursive: true }))
  await writeFile(`${folder}/index.html`, '<!doctype html><script type="module" src="./app.js"></script>')
  await writeFile(`${folder}/app.js`, APP)
  await build({ configFile: false, root: folder, logLevel: 'silent', build: { outDir: `${folder}/dist` } })
  const server = await preview({ configFile: false, root: folder, logLevel: 'silent', preview: { port: 0 } })
  closing.push(() => server.close())
  const executablePath = await findChromium()
  const args = ['--js-flags=--liftoff-only']
  const browser = await chromium.launch({ args, timeout: 0, ...(executablePath !== undefined && { executablePath }) })
  closing.push(() => browser.close())
  page = await browser.newPage()
  page.setDefaultTimeout(0)
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  await page.waitForFunction('globalThis.run')
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

describe('infinite recursion in an unoptimised browser', () => {
  for (const [kind, [code, error]] of Object.entries(DEEP)) {
    it(`can be caught: ${kind}`, async () => {
      const { stdout, stderr, exitCode } = await page.evaluate<{ stdout: string; stderr: string; exitCode: number }>(
        `run(${JSON.stringify(goesOn(code))})`,
      )
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: expect.stringMatching(`^${error}\non\n$`), stderr: '', exitCode: 0 })
    })
  }
})
