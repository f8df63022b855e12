// @module-tag preview
// @module-tag playground
import { fileURLToPath } from 'node:url'
import type { FrameLocator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from './model-server.js'
import { connect, idle, say } from './talk.js'
import { useBrowser, visit } from './visit.js'

useBrowser()

const app = (page: Page): FrameLocator => page.frameLocator('.preview-host').frameLocator('iframe')
const SHOTS = fileURLToPath(new URL('./__screenshots__/preview/', import.meta.url))
const shot = (page: Page, name: string) => page.screenshot({ path: `${SHOTS}${name}.png` })
const log = (page: Page) => page.getByRole('list', { name: 'Messages of the app' })

async function openSample(page: Page, label: string, first: string): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByRole('button', { name: `Open the sample ${label}` }).click()
  await page.getByRole('treeitem', { name: first }).waitFor()
}

async function type(page: Page, command: string): Promise<void> {
  const switcher = page.getByRole('button', { name: 'Terminal', exact: true })
  if ((await page.locator('.pane-terminal.is-open').count()) === 0) await switcher.click()
  await page.locator('.xterm-rows').getByText('workspace $').last().waitFor()
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
}

describe('the React sample', () => {
  test('is installed, shown and built by npm, updates after an edit, and names the line of an error', async () => {
    const { page, complaints } = await visit()
    await openSample(page, 'A React app', 'index.html')
    await type(page, 'npm run dev')
    await app(page).getByRole('heading', { name: 'Tasks' }).waitFor()
    await app(page).getByLabel('New task').fill('Third')
    await app(page).getByRole('button', { name: 'Add' }).click()
    await app(page).getByText('2 open').waitFor()
    expect(complaints).toEqual([])

    await type(page, "sed -i 's/<h1>Tasks/<h1>Chores/' src/App.jsx")
    await app(page).getByRole('heading', { name: 'Chores' }).waitFor()

    await type(page, 'sed -i \'s/  const open = .*/  throw new Error("broken on purpose")/\' src/App.jsx')
    await log(page).getByText('Uncaught Error: broken on purpose').first().waitFor()
    await log(page).getByRole('button', { name: 'src/App.jsx:12' }).first().click()
    await expect.poll(() => page.locator('.file-title').textContent()).toBe('src/App.jsx')
    await page.getByRole('button', { name: 'Clear the console' }).click()
    await expect.poll(() => log(page).locator('li').count()).toBe(0)

    await type(page, 'npm run build')
    await page.locator('.xterm-rows').getByText('dist/index.html').waitFor()
  })
})

test('vite in the terminal shows the React sample', async () => {
  const { page } = await visit()
  await openSample(page, 'A React app', 'index.html')
  await type(page, 'npm install && vite')
  await app(page).getByRole('heading', { name: 'Tasks' }).waitFor()
})

test('the HTTP sample is shown when it listens, has several pages, and reports that it stopped', async () => {
  const { page, complaints } = await visit()
  await openSample(page, 'An HTTP API', 'server.js')
  await type(page, 'npm start')
  await app(page).getByText('Change server.js').waitFor()
  expect(await page.getByLabel('Shown').inputValue()).toBe('3000')
  await app(page).getByLabel('New note').fill('Buy milk')
  await app(page).getByRole('button', { name: 'Add' }).click()
  await app(page).getByText('Buy milk').waitFor()
  await page.locator('.preview-address').fill('/api/notes')
  await page.keyboard.press('Enter')
  await app(page).getByText('"text": "Buy milk"').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.xterm-rows').getByText('workspace $').nth(1).waitFor()
  await page.getByRole('button', { name: 'Reload' }).click()
  await app(page).getByText('no program listens on port 3000').waitFor()
  expect(complaints).toEqual([])
})

test('HTML, SVG and Markdown are shown by a button; sizes, a larger pane, and closing work', async () => {
  const { page, complaints } = await visit()
  await openSample(page, 'An HTTP API', 'server.js')
  await page.getByRole('treeitem', { name: 'README.md' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByRole('region', { name: 'Document' }).getByText('An HTTP API with').waitFor()
  await page.getByRole('treeitem', { name: 'page.html' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await app(page).getByText('Start it in the terminal: npm start').waitFor()
  await type(page, `echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>' > box.svg`)
  await page.getByRole('treeitem', { name: 'box.svg' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await app(page).getByRole('img').waitFor()

  await page.getByLabel('Size').selectOption('phone')
  await expect.poll(() => page.locator('.preview-frame').evaluate((one) => (one as HTMLElement).offsetWidth)).toBe(390)
  await page.getByRole('button', { name: 'Expand' }).click()
  expect(await page.locator('.file-head').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Close the preview' }).click()
  expect(await page.getByRole('region', { name: 'Preview' }).count()).toBe(0)
  expect(await page.locator('.file-head').isVisible()).toBe(true)
  expect(complaints.filter((text) => !/api\/notes|404/.test(text))).toEqual([])
})

test('the preview is below the file, and beside it in a wide column; arrow keys move its border', async () => {
  const { page } = await visit()
  await openSample(page, 'An HTTP API', 'server.js')
  await page.getByRole('treeitem', { name: 'page.html' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  const border = (label: string) => preview.getByRole('separator', { name: label })
  const boxes = async () => [await page.locator('.view-split').boundingBox(), await preview.boundingBox()] as const
  const isBeside = async () => {
    const [file, pane] = await boxes()
    return file && pane && file.x + file.width <= pane.x + 1
  }
  expect(await isBeside()).toBe(false)
  const [file] = await boxes()
  await border('Room above the preview').press('ArrowUp')
  expect((await boxes())[0]?.height).toBeLessThan(file?.height ?? 0)

  await page.setViewportSize({ width: 1920, height: 1000 })
  await expect.poll(isBeside).toBe(true)
  const [, before] = await boxes()
  await border('Room beside the preview').press('ArrowLeft')
  const [, after] = await boxes()
  expect(after?.x).toBeLessThan(before?.x ?? 0)
  await app(page).getByText('Start it in the terminal: npm start').waitFor()
  await shot(page, 'beside')
  await page.getByRole('button', { name: 'Expand' }).click()
  expect(await page.locator('.file-head').isVisible()).toBe(false)
  expect(await preview.getByRole('separator').count()).toBe(0)
})

describe('an agent with the preview', () => {
  let model: ModelServer
  beforeAll(async () => {
    model = await startModelServer()
  })
  afterAll(() => model.close())

  test('writes an app, sees its error, fixes it, and sees that it works', async () => {
    const { page } = await visit()
    await openSample(page, 'An HTTP API', 'server.js')
    const html = '<!doctype html><title>Counter</title><main></main><script type="module" src="/main.ts"></script>'
    const program = 'const main = document.querySelector("#main") as HTMLElement\nmain.textContent = "Count: 0"\n'
    const last = (): string => JSON.stringify(model.asked.at(-1)?.body)
    model.answers.push(
      {
        calls: [
          { name: 'write_file', input: { path: 'index.html', content: html } },
          { name: 'write_file', input: { path: 'main.ts', content: program } },
        ],
      },
      { calls: [{ name: 'open_preview', input: {} }] },
      { text: 'It throws: `#main` finds nothing.' },
      { calls: [{ name: 'edit_file', input: { path: 'main.ts', edits: [{ old_string: '#main', new_string: 'main' }] } }] },
      { calls: [{ name: 'read_preview', input: {} }] },
      { text: 'It works.' },
    )
    await connect(page, model.settings('openai'))
    await page.getByLabel('What the agent may do').selectOption('allow')
    await say(page, 'Write a counter')
    await page.locator('.transcript').getByText('finds nothing').waitFor()
    await log(page).getByText('Cannot set properties of null').first().waitFor()
    await shot(page, 'throws')
    await idle(page)
    await page.getByLabel('What the agent may do').selectOption('ask')
    await say(page, 'Mend it')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await shot(page, 'asks')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.locator('.transcript').getByText('It works.').waitFor()
    await idle(page)
    await app(page).getByText('Count: 0').waitFor()
    await shot(page, 'works')
    expect(last()).toMatch(/uncaught error\] .*Cannot set properties of null.*\(\/workspace\/main\.ts:2:\d+\)/)
    expect(last()).toContain('Visible text:\\nCount: 0')
  })
})
