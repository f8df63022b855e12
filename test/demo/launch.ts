import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { onTestFailed, TestRunner } from 'vitest'
import { findChromium } from '../../scripts/chromium.mjs'

const FAILURES = fileURLToPath(new URL('../../.cache/failures/', import.meta.url))

/** Starts a headless Chromium. A test that fails saves screenshots of its pages in `.cache/failures` and prints their consoles. */
export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
  const { newContext } = browser
  // `browser.newPage()` calls `newContext` too.
  browser.newContext = async (options) => watched(await newContext.call(browser, options))
  return browser
}

function watched(context: BrowserContext): BrowserContext {
  const lines: string[] = []
  context.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`))
  context.on('weberror', (error) => lines.push(`uncaught: ${error.error().stack ?? error.error()}`))
  let isLeft = false
  async function leavePictures(): Promise<void> {
    const test = TestRunner.getCurrentTest()
    if (isLeft || test?.result?.state !== 'fail') return
    isLeft = true
    await mkdir(FAILURES, { recursive: true })
    const name = test.fullTestName.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 150)
    for (const [index, page] of context.pages().entries()) {
      const path = `${FAILURES}${name}${index > 0 ? `-${index + 1}` : ''}.png`
      await page.screenshot({ path, timeout: 10_000 }).then(
        () => console.error(`Picture of ${page.url()}: ${path}`),
        (error: unknown) => console.error(`No picture of ${page.url()}: ${String(error)}`),
      )
    }
    console.error(`Console of the page:\n${lines.join('\n') || '(empty)'}`)
  }
  // Hooks that close the context run before `onTestFailed`.
  const { close } = context
  context.close = async (options) => {
    await leavePictures()
    await close.call(context, options)
  }
  if (TestRunner.getCurrentTest()) onTestFailed(leavePictures)
  return context
}
