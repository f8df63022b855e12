// @module-tag playground
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { service } from '../service.js'
import { useBrowser, visit } from './visit.js'

// `service('page')` serves the page that `npm start` builds and serves.
useBrowser()

const askedOfRegistry = async (): Promise<string[]> => (await service('page')).asked.map(({ method, path }) => `${method} ${path}`)

/** Switches to the tools, which share a pane with the agent. */
const showTools = (page: Page): Promise<void> => page.getByRole('tab', { name: 'Tools', exact: true }).click()

test('npm start: the page edits a file through its form and runs a command without another server', async () => {
  const { page, complaints } = await visit({ origins: [] })
  await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  await showTools(page)

  await page.getByRole('radio', { name: 'edit_file' }).focus()
  await page.keyboard.press('Space')
  await page.getByLabel('path', { exact: true }).fill('examples/lines.js')
  await page.getByLabel('old_string', { exact: true }).fill('const names')
  await page.getByLabel('new_string', { exact: true }).fill('// seen in the view\nconst names')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('treeitem', { name: 'lines.js, modified' }).waitFor()
  const changed = page.locator('.line.is-changed')
  await changed.waitFor()
  expect(await changed.allTextContents()).toEqual(['// seen in the view'])
  expect(await page.locator('.pill').textContent()).toBe('ok')

  await page.getByRole('button', { name: 'Terminal' }).click()
  const screen = page.locator('.xterm-rows')
  await screen.getByText('workspace $').waitFor()
  await page.keyboard.type('echo hi > a.txt && cat a.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('treeitem', { name: 'a.txt, added' }).waitFor()
  await screen.locator('> div', { hasText: /^hi$/ }).waitFor()
  // A rejected request would be an error in the console.
  expect(complaints).toEqual([])
})

test.each([
  ['in the header', 1920],
  ['in the header', 900],
  ['in the help', 390],
])('npm start: the page says %s what it is for, how to install it and where to read more, at %i pixels', async (_, width) => {
  const { page } = await visit({ viewport: { width, height: 850 }, origins: [] })
  if (width < 500) await page.getByRole('button', { name: /^Help/ }).click()
  const line = page.locator(width < 500 ? '[role=dialog], dialog' : '.tagline').first()
  await line.getByText('npm install toolport').waitFor()
  expect(await line.textContent()).toContain('Give any AI agent files')
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect((await page.request.get(new URL(icon ?? '', page.url()).href)).status()).toBe(200)
})

test('npm start: the page edits a file within its content security policy, and keeps unsaved text over a reload', async () => {
  const { page, complaints } = await visit({ origins: [] })
  await page.evaluate(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`Refused: ${violatedDirective} ${blockedURI}`)
    })
  })
  const text = page.getByRole('textbox', { name: 'Text of examples/lines.js' })
  await text.waitFor()
  await page.locator('.cm-line .tok-keyword').first().waitFor()
  await text.press('Control+Home')
  await page.keyboard.type('// first')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'lines.js, not saved' }).waitFor()
  await page.getByRole('button', { name: 'Changes' }).click()
  await page.locator('.cm-changedLine', { hasText: '// first' }).waitFor()
  await page.getByRole('button', { name: 'Changes' }).click()
  await text.press('Control+f')
  await page.keyboard.type('import')
  await page.locator('.cm-searchMatch').first().waitFor()
  await page.keyboard.press('Escape')
  // The editor's styles have loaded: it fills its pane.
  expect(await text.evaluate((content) => getComputedStyle(content.closest('.cm-editor') ?? content).display)).toBe('flex')

  await page.reload()
  await page.getByText('Not saved when this page was left: lines.js.').waitFor()
  await page.getByRole('group', { name: 'Text that was not saved' }).getByRole('button', { name: 'Open' }).click()
  await page.getByRole('tab', { name: 'lines.js, not saved' }).waitFor()
  await text.press('Control+s')
  await page.getByRole('treeitem', { name: 'lines.js, modified' }).waitFor()
  expect(await page.locator('.line.is-changed').allTextContents()).toEqual(['// first'])
  expect(complaints).toEqual([])
})

test('npm start: the page runs a file, installs a package and creates a tool, and keeps all of them over a reload', async () => {
  const { page, complaints } = await visit({ origins: [] })
  const detail = page.locator('.workspace-detail', { hasText: 'in IndexedDB' })
  await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByRole('radio', { name: 'IndexedDB' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
  await detail.waitFor()

  await page.getByRole('button', { name: 'Run this file' }).click()
  await page.locator('.run-panel .pill', { hasText: 'exit 0' }).waitFor()
  expect(await page.locator('.run-output').textContent()).toMatch(/^\d+ files, \d+ lines\n\n +\d+ █+ src\//)

  const before = await askedOfRegistry()
  await page.getByRole('tab', { name: 'Packages' }).click()
  await page.getByLabel('Install from the registry').fill('nanoid')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Try nanoid' }).click()
  expect(await askedOfRegistry()).toEqual([...before, 'GET /npm/nanoid', 'GET /npm/nanoid/-/nanoid-5.1.16.tgz'])
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.result-panel', { hasText: 'customAlphabet' }).first().waitFor()

  await page.getByRole('button', { name: 'Make a tool' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('radio', { name: 'count_words' }).waitFor({ state: 'attached' })

  await page.reload()
  await detail.waitFor()
  await showTools(page)
  await page.getByRole('radio', { name: 'count_words' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'A file', exact: true }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.result-outcome', { hasText: /^ok\s*count_words/ }).waitFor()
  await page.getByRole('tab', { name: 'Packages' }).click()
  await page.getByText('5.1.16 · ^5.1.16').waitFor()

  await page.getByRole('button', { name: 'Terminal' }).click()
  const screen = page.locator('.xterm-rows')
  await screen.getByText('workspace $').waitFor()
  await page.keyboard.type(`node -p "require('nanoid').nanoid().length + 100"`)
  await page.keyboard.press('Enter')
  await screen.locator('> div', { hasText: /^121$/ }).waitFor()
  expect(complaints).toEqual([])
})
