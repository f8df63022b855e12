import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltPage, builtPage } from './built-page.js'
import { held } from './held.js'
import { launch } from './launch.js'
import { opened } from './opened.js'

const TIMEOUT = 180_000

let built: BuiltPage
let browser: Browser

beforeAll(async () => {
  built = await builtPage()
  browser = await launch()
}, TIMEOUT)

afterAll(() => browser?.close())

const press = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click()
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click()
const tools = async (page: Page): Promise<void> => {
  await tab(page, 'Tools')
  await page.locator('.tool-current').waitFor()
}
const dialog = (page: Page): Promise<void> => page.locator('dialog[open]').waitFor()

interface Part {
  /** What is said while it loads. */
  readonly words: string
  /** What is there before. */
  readonly before?: (page: Page) => Promise<void>
  readonly ask: (page: Page) => Promise<unknown>
  /** It is there. */
  readonly there: (page: Page) => Promise<unknown>
}

const PARTS: Readonly<Record<string, Part>> = {
  'the dialog of the workspaces': { words: 'Loading the workspaces…', ask: (page) => press(page, /^Workspace/), there: dialog },
  'the help': { words: 'Loading the help…', ask: (page) => press(page, 'Help'), there: dialog },
  'the comparison with a moment': {
    words: 'Loading the comparison…',
    before: (page) => tab(page, 'Timeline'),
    ask: (page) => press(page, /^Opened/),
    there: (page) => page.locator('.moment-head, .pane-moment').first().waitFor(),
  },
  'a call as code': {
    words: 'Loading the code…',
    before: tools,
    ask: (page) => page.getByRole('button', { name: 'Code', exact: true }).click(),
    there: dialog,
  },
  'the search proxy': { words: 'Loading the dialog…', before: tools, ask: (page) => press(page, 'Give a search proxy…'), there: dialog },
  'another preset': {
    words: 'Loading the tools of loom…',
    before: tools,
    ask: (page) => page.getByLabel('Preset', { exact: true }).selectOption('loom'),
    there: (page) => page.getByText('Small JSON results').waitFor(),
  },
  'the choice of a file': { words: 'Loading the search…', ask: (page) => page.keyboard.press('Control+p'), there: dialog },
  'the packages': {
    words: 'Loading the packages…',
    ask: (page) => tab(page, 'Packages'),
    there: (page) => page.getByRole('button', { name: 'Install', exact: true }).waitFor(),
  },
  'the terminal': {
    words: 'Loading the terminal…',
    ask: (page) => page.keyboard.press('Control+`'),
    there: (page) => page.locator('.xterm').first().waitFor(),
  },
  'the tools': { words: 'Loading the tools…', ask: (page) => tab(page, 'Tools'), there: (page) => page.locator('.tool-current').waitFor() },
}

test.each(Object.entries(PARTS))(
  'what takes long to load says so: %s',
  async (_, { words, before, ask, there }) => {
    // With a service worker it would be in the browser already.
    const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, serviceWorkers: 'block' })
    const page = await context.newPage()
    await page.goto(built.address)
    await opened(page)
    await page.locator('.cm-content').waitFor()
    await before?.(page)
    const { free, release } = held()
    await page.route(/\.js$/, async (route) => {
      await free
      await route.continue()
    })
    await ask(page)
    const said = page
      .locator('[role=status]:visible')
      .getByText(words)
      .or(page.locator('[role=status]:visible', { hasText: words }))
      .first()
    await said.waitFor()
    expect(await page.locator('dialog[open]').count()).toBe(0)
    release()
    await there(page)
    await expect.poll(() => page.getByText(words).filter({ visible: true }).count()).toBe(0)
    await context.close()
  },
  TIMEOUT,
)
