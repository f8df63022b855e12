// @module-tag playground
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Locator, Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { BLOCKED_MS, longestBlock } from './longest-block.js'
import { opened } from './opened.js'
import { browser, newContext, useBrowser, visit as visitPage } from './visit.js'

const SHOTS = fileURLToPath(new URL('./__screenshots__/scenarios/', import.meta.url))
const IMPORTED = 5_000

let context: BrowserContext
let page: Page
let complaints: string[]

useBrowser()

beforeEach(async () => {
  complaints = []
  context = await newContext()
  page = await visit()
})

async function visit(): Promise<Page> {
  const visited = await visitPage({ context })
  complaints = visited.complaints
  return visited.page
}

const file = (name: string | RegExp, on: Page = page): Locator => on.getByRole('treeitem', { name })
const button = (name: string | RegExp, on: Page | Locator = page): Locator => on.getByRole('button', { name, exact: true })
const editor = (on: Page = page): Locator => on.getByRole('textbox', { name: /^Text of / })
const shot = (name: string, on: Page = page): Promise<unknown> => on.screenshot({ path: `${SHOTS}${name}.png` })
const screen = (): Locator => page.locator('.xterm-rows')

async function command(line: string): Promise<void> {
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

async function openTerminal(): Promise<void> {
  await button('Terminal').click()
  await screen().getByText('workspace $').waitFor()
}

/** Stores the workspace in the browser. */
async function keep(storage = 'IndexedDB', on = 'in IndexedDB'): Promise<void> {
  await button(/^Workspace/).click()
  await page.getByRole('radio', { name: storage }).check()
  await button('Keep here').click()
  await kept(page, on).waitFor()
}

const kept = (on: Page = page, where = 'in IndexedDB'): Locator => on.locator('.workspace-detail', { hasText: where })

test('a first visit shows the files, an open file and what to do, in light and dark mode and on a phone', async () => {
  await editor().waitFor()
  await button('Play the recorded conversation').waitFor()
  await shot('first-visit')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('first-visit-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await button('Play the recorded conversation').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await shot('first-visit-phone')
  expect(complaints).toEqual([])
})

test('a sample is opened, searched, tested in the terminal, broken and restored by the timeline, by keyboard', async () => {
  await editor().waitFor()
  await page.keyboard.press('Tab')
  expect(await isFocused(button(/^Workspace/))).toBe(true)
  await page.keyboard.press('Enter')
  await button(/^Open the sample A TypeScript library/).waitFor()
  await shot('workspaces')
  await tabTo(button(/^Open the sample A TypeScript library/))
  await page.keyboard.press('Enter')
  await page.locator('.workspace-detail', { hasText: '15 files' }).waitFor()
  await page.keyboard.press('Control+`')
  await screen().getByText('workspace $').waitFor()
  await command('node test/run.ts')
  await screen().getByText('51 tests passed').waitFor()
  await shot('tests-pass')

  await page.keyboard.press('Control+Shift+f')
  await page.getByRole('textbox', { name: 'Search the text of files' }).waitFor()
  await page.keyboard.type('MINUTE = 60 *')
  const found = page.getByRole('treeitem', { name: /MINUTE = 60/ })
  await found.waitFor()
  await shot('search')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const text = page.getByRole('textbox', { name: 'Text of src/units.ts' })
  await text.waitFor()
  // Opening a search result leaves the focus in the list. Opening a file by name moves it to the editor.
  await page.keyboard.press('Control+p')
  await page.getByRole('dialog', { name: 'Open a file' }).waitFor()
  await page.keyboard.type('units.ts:10')
  await page.locator('[role=option][title="src/units.ts"]').waitFor()
  await shot('open-by-name')
  await page.keyboard.press('Enter')
  await expect.poll(() => text.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('End')
  await page.keyboard.type(' + 1')
  await page.getByRole('tab', { name: 'units.ts, not saved' }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('tab', { name: 'units.ts', exact: true }).waitFor()

  await page.keyboard.press('Control+`')
  await command('clear; node test/run.ts | tail -n 1')
  await screen()
    .getByText(/^\d+ of 51 tests failed/)
    .waitFor()
  await shot('broken')

  // Leaves the terminal, in which Tab completes.
  await page.keyboard.press('Control+`')
  await tabTo(page.getByRole('tab', { name: 'Search', exact: true }))
  for (let steps = 0; steps < 3 && !(await isFocused(page.getByRole('tab', { name: 'Timeline' }))); steps++)
    await page.keyboard.press('ArrowRight')
  await tabTo(button(/^Opened/))
  await page.keyboard.press('Enter')
  await page.locator('.moment-changes li', { hasText: 'src/units.ts' }).waitFor()
  await shot('timeline')
  await tabTo(button('Restore'))
  await page.keyboard.press('Enter')
  await page.getByText('as they were at “Opened”').waitFor()
  await page.keyboard.press('Control+`')
  await command('clear; node test/run.ts')
  await screen().getByText('51 tests passed').waitFor()
  await shot('restored')
  expect(complaints).toEqual([])
})

const isFocused = (what: Locator): Promise<boolean> => what.evaluate((element) => element === document.activeElement)

const MOST_STEPS = 100

/** Moves the focus with Tab only, as a keyboard user does. */
async function tabTo(what: Locator): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (await isFocused(what)) return
    // In the editor, Tab indents unless Escape was pressed before.
    if (await page.evaluate(() => Boolean(document.activeElement?.closest('.cm-editor')))) await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${what}`)
}

test('a folder of 5,000 files is opened and searched without blocking the page for more than 100 ms', async () => {
  expect(await importedAndSearched()).toBeLessThanOrEqual(BLOCKED_MS)
  expect(complaints).toEqual([])
})

/** Opens the folder in a new page, searches it, and returns the duration of the page's longest task in that time. */
async function importedAndSearched(): Promise<number> {
  const { page: one } = await visitPage({
    context,
    async prepare(page) {
      // A test cannot operate the browser's own dialog, so the picker returns a directory of OPFS instead.
      await page.addInitScript(() =>
        Object.assign(window, { showDirectoryPicker: async () => (await navigator.storage.getDirectory()).getDirectoryHandle('many') }),
      )
    },
  })
  await one.evaluate(fillFolder, IMPORTED)
  await editor(one).waitFor()
  await one.getByRole('tab', { name: 'Tools', exact: true }).click()
  await one.getByRole('form', { name: 'Call a tool' }).waitFor()
  const block = await longestBlock(browser, one, async () => {
    await button('Open a folder', one).click()
    await one.locator('.workspace-detail', { hasText: '5,000 files' }).waitFor()
    await one.getByRole('radio', { name: 'grep' }).focus()
    await one.keyboard.press('Space')
    await one.getByLabel('pattern', { exact: true }).fill('a needle')
    await one.keyboard.press('Control+Enter')
    await one.locator('.result-outcome', { hasText: 'grep' }).waitFor()
    await shot('imported', one)
    await one.keyboard.press('Control+Shift+f')
    await one.getByRole('textbox', { name: 'Search the text of files' }).waitFor()
    await one.keyboard.type('a needle')
    await one.getByText('50 lines in 50 files').first().waitFor()
  })
  await one.close()
  return block
}

/** Runs in the page: small modules in 50 directories, some of them with a needle. */
async function fillFolder(files: number): Promise<void> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('many', { create: true })
  const contentOf = (at: number): string => {
    const lines = Array.from({ length: 40 }, (_, line) => `export const value_${at}_${line} = ${at * line}\n`)
    return `${lines.join('')}${at % 100 === 7 ? '// a needle\n' : ''}`
  }
  const fill = async (part: number): Promise<void> => {
    const directory = await folder.getDirectoryHandle(`part-${part}`, { create: true })
    for (let at = part; at < files; at += 50) {
      const handle = await directory.getFileHandle(`module-${at}.ts`, { create: true })
      if ((await handle.getFile()).size > 0) continue
      const writable = await handle.createWritable()
      await writable.write(contentOf(at))
      await writable.close()
    }
  }
  await Promise.all(Array.from({ length: 50 }, (_, part) => fill(part)))
}

test('saved files survive a crash of the tab, and unsaved text is offered', async () => {
  await keep()
  await file('README.md').click()
  const text = page.getByRole('textbox', { name: 'Text of README.md' })
  await text.press('Control+Home')
  await page.keyboard.type('saved before the crash\n')
  await page.keyboard.press('Control+s')
  await file('README.md, modified').waitFor()
  await page.keyboard.type('not saved before the crash\n')
  await page.getByRole('tab', { name: 'README.md, not saved' }).waitFor()
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('not saved before the crash')

  const crashed = page.waitForEvent('crash')
  const session = await context.newCDPSession(page)
  await Promise.race([session.send('Page.crash').catch(() => undefined), crashed])
  await crashed
  await page.close()
  page = await visit()
  await kept().waitFor()
  await page.getByText('Not saved when this page was left: README.md.').waitFor()
  await shot('after-a-crash')
  await page.getByRole('group', { name: 'Text that was not saved' }).getByRole('button', { name: 'Open' }).click()
  await page.getByRole('tab', { name: 'README.md, not saved' }).waitFor()
  await page.locator('.cm-line', { hasText: 'not saved before the crash' }).waitFor()
  await page.locator('.cm-line', { hasText: /^saved before the crash/ }).waitFor()

  await page.keyboard.press('Control+s')
  await page.getByRole('tab', { name: 'README.md', exact: true }).waitFor()
  await page.reload()
  await opened(page)
  await kept().waitFor()
  await file('README.md').click()
  await page.locator('.cm-line', { hasText: 'not saved before the crash' }).waitFor()
  await shot('after-a-reload')
})

test('the content security policy blocks foreign scripts, frames and base URLs', async () => {
  const refused = await page.evaluate(async () => {
    const all: string[] = []
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => all.push(effectiveDirective))
    const add = (tag: 'script' | 'iframe' | 'base', fill: (element: HTMLElement) => void): void => {
      const element = document.createElement(tag)
      fill(element)
      document.head.append(element)
    }
    add('script', (script) => script.append("document.title = 'hacked'"))
    add('script', (script) => script.setAttribute('src', 'https://elsewhere.invalid/x.js'))
    add('iframe', (frame) => frame.setAttribute('src', 'https://elsewhere.invalid/'))
    add('base', (base) => base.setAttribute('href', 'https://elsewhere.invalid/'))
    const link = document.createElement('a')
    link.setAttribute('onclick', "document.title = 'hacked'")
    link.click()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return all
  })
  expect(refused.toSorted()).toEqual(['base-uri', 'frame-src', 'script-src-attr', 'script-src-elem', 'script-src-elem'])
  expect(await page.title()).not.toBe('hacked')
})

test.each([
  ['no-preference', ['come', 'turn']],
  ['reduce', ['none', 'turn']],
] as const)('animations follow the user’s preference: %s', async (reducedMotion, animations) => {
  await page.emulateMedia({ reducedMotion })
  const found = await page.evaluate(() =>
    ['notice', 'spinner'].map((name) => {
      const element = document.createElement('div')
      element.className = name
      document.querySelector('.playground')?.append(element)
      const { animationName, animationDuration } = getComputedStyle(element)
      return [animationName, animationDuration]
    }),
  )
  expect(found.map(([name]) => name)).toEqual(animations)
  // With reduced motion the spinner still turns, but once per 4 seconds.
  expect(found[1]?.[1] === '4s').toBe(reducedMotion === 'reduce')
})

test('a second tab reports that the workspace is open in the first, and can open it when that closes', async () => {
  await keep()
  const second = await visit()
  await second.getByText('is open in another tab').waitFor()
  await second.locator('.workspace-detail', { hasText: 'in memory' }).waitFor()
  await shot('second-tab', second)
  await page.close()
  await second.reload()
  await kept(second).waitFor()
  expect(complaints).toEqual([])
})

test('a second tab offers drafts of a closed page, not those of the open one', async () => {
  const drafts = (): Promise<string | null> => page.evaluate(() => localStorage.getItem('toolport.drafts'))
  const type = async (name: string, text: string, on: Page): Promise<void> => {
    await file(name, on).click()
    await on.getByRole('textbox', { name: `Text of ${name}` }).press('Control+Home')
    await on.keyboard.type(text)
    await expect.poll(drafts).toContain(text)
  }
  const closed = await visit()
  await type('LICENSE', 'of a closed page', closed)
  await closed.close()
  await type('README.md', 'of an open page', page)

  const second = await visit()
  await second.getByText('Not saved when this page was left: LICENSE.').waitFor()
  await button('Discard', second.getByRole('group', { name: 'Text that was not saved' })).click()
  await expect.poll(drafts).not.toContain('of a closed page')
  expect(await drafts()).toContain('of an open page')
  expect(complaints).toEqual([])
})

test('offline, the page opens again, and parts that were never opened work', async () => {
  await expect.poll(keptFiles).toBe(true)
  await context.setOffline(true)
  await page.reload()
  await opened(page)
  await openTerminal()
  await command('node -p "6 * 7"')
  await screen().locator('> div', { hasText: /^42$/ }).waitFor()
  await button('Play the recorded conversation').click()
  await button('Approve').waitFor()
  await page.getByRole('tab', { name: 'Tools', exact: true }).click()
  await page.getByRole('form', { name: 'Call a tool' }).waitFor()
  await shot('offline')
})

/** Whether the service worker has cached all its files. */
const keptFiles = (): Promise<boolean> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated')

test.each([
  ['Private file system', 'in the private file system'],
  ['lightning-fs', 'in lightning-fs'],
])('a workspace in the storage %s exists after a reload and can be restored to an earlier time', async (storage, where) => {
  await keep(storage, where)
  await openTerminal()
  await command('echo here after a reload > kept.txt')
  await file('kept.txt, added').waitFor()
  await page.reload()
  await opened(page)
  await kept(page, where).waitFor()
  await file('kept.txt').click()
  await page.getByText('here after a reload').first().waitFor()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await button(/^Opened/)
    .last()
    .click()
  await page.locator('.moment-changes li', { hasText: 'kept.txt' }).waitFor()
  await button('Restore').click()
  await page.getByText('as they were at “Opened”').waitFor()
  await page.reload()
  await opened(page)
  await kept(page, where).waitFor()
  expect(await file('kept.txt').count()).toBe(0)
  expect(complaints).toEqual([])
})
