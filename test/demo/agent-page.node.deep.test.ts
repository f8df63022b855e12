// @module-tag playground
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { KEY, type ModelServer, startModelServer } from './model-server.js'
import { connect, fillIn, idle, say } from './talk.js'
import { address, useBrowser, visit } from './visit.js'

/** Milliseconds to wait before a key is pressed, because the page ignores keys that come too soon after a question appears. */
const READING_MS = 500
const SHOTS = fileURLToPath(new URL('./__screenshots__/agent/', import.meta.url))

let server: ModelServer
let page: Page
let requests: string[]
let complaints: string[]

useBrowser()

beforeAll(async () => {
  server = await startModelServer()
})

afterAll(() => server.close())

beforeEach(async () => {
  server.asked.length = 0
  server.answers.length = 0
  server.cors = true
  ;({ page, requests, complaints } = await visit())
})

const button = (name: string | RegExp, within: Page | Locator = page): Locator => within.getByRole('button', { name, exact: true })
const play = (one: Page = page): Locator => one.getByRole('button', { name: 'Play the recorded conversation' })
const message = (): Locator => page.getByLabel('Message to the agent')
const cards = (): Locator => page.locator('.call-card')
const card = (tool: string): Locator => page.locator('.call-card', { has: page.locator('.card-tool', { hasText: tool }) }).last()
const ours = (url: string): boolean => url.startsWith(address) || url.startsWith('blob:') || url.startsWith('data:')
const told = (text: string): Locator => page.locator('.transcript').getByText(text)
const viewed = (): Locator => page.locator('.pane-view:not(.pane-moment)')

const shot = (name: string): Promise<unknown> => page.screenshot({ path: `${SHOTS}${name}.png` })

describe('the recorded conversation on the page', () => {
  test('plays offline through the real tools, asks before changes, and each change can be undone', async () => {
    expect(requests.filter((url) => /\/(?:chat|settings-dialog)-/.test(url))).toEqual([])
    await shot('empty')
    await play().click()
    await button('Approve').waitFor()
    expect(await card('edit_file').locator('.diff-added').textContent()).toContain('line.trim()')
    expect(await cards().locator('.card-state').allTextContents()).toEqual(['done', 'done', 'needs approval'])
    await shot('asking')
    await button('Approve').click()
    await button('Approve', card('bash')).click()
    await told('This was a recording').waitFor()
    await idle(page)
    const fromEnd = (): Promise<number> =>
      page.locator('.agent-scroll').evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)
    await expect.poll(fromEnd).toBeLessThan(2)
    await expect.poll(() => card('bash').locator('.card-box').textContent()).toMatch(/^\d+ files, \d+ lines\n/)
    expect(await cards().locator('.card-state').allTextContents()).toEqual(['done', 'done', 'done', 'done'])
    await viewed().locator('.line.is-changed', { hasText: 'line.trim()' }).waitFor()
    await shot('answered')

    await button('Undo', card('edit_file')).click()
    await card('edit_file').getByText('Undone').waitFor()
    await expect.poll(() => viewed().locator('.line.is-changed').count()).toBe(0)
    expect(await viewed().textContent()).toContain(`text.split('\\n').length - 1`)
    expect(requests.filter((url) => !ours(url))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('does not move the focus while the user types, and marks its tab while it waits for an answer', async () => {
    const tab = page.getByRole('tab', { name: 'Agent, waits for your approval', exact: true })
    await play().click()
    await message().focus()
    await button('Approve').waitFor()
    expect(await message().evaluate((one) => one === document.activeElement)).toBe(true)
    await page.getByRole('tab', { name: 'Tools', exact: true }).click()
    await tab.click()
    await button('Approve').click()
    await button('Approve', card('bash')).waitFor()
    await tab.waitFor()
    await button('Stop').click()
    await page.getByRole('tab', { name: 'Agent', exact: true }).waitFor()
  })

  test('can be played, approved and stopped by keyboard', async () => {
    await play().focus()
    await page.keyboard.press('Enter')
    await button('Approve').waitFor()
    // Each question takes the focus from the Stop button or the conversation.
    await expect.poll(() => button('Approve').evaluate((one) => one === document.activeElement)).toBe(true)
    await page.waitForTimeout(READING_MS)
    await page.keyboard.press('Enter')
    await button('Approve', card('bash')).waitFor()
    await expect.poll(() => button('Approve', card('bash')).evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await told('Stopped. What was done so far stays').waitFor()
    expect(await card('bash').locator('.card-state').textContent()).toBe('stopped')
    expect(await card('edit_file').locator('.card-state').textContent()).toBe('done')
  })

  test('approves nothing while a key is held down', async () => {
    await play().focus()
    await page.keyboard.down('Enter')
    await button('Approve').waitFor()
    await expect.poll(() => button('Approve').evaluate((one) => one === document.activeElement)).toBe(true)
    await page.waitForTimeout(READING_MS)
    for (let again = 0; again < 5; again += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(await cards().locator('.card-state').allTextContents()).toEqual(['done', 'done', 'needs approval'])
    await page.keyboard.press('Space')
    await button('Approve', card('bash')).waitFor()
    await page.waitForTimeout(READING_MS)
    await page.keyboard.press('Enter')
    await told('This was a recording').waitFor()
  })

  test('creates its sample file if it is missing, and the timeline reverts that', async () => {
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('radio', { name: 'delete_file' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('path', { exact: true }).fill('examples/lines.js')
    await page.keyboard.press('Control+Enter')
    await page.locator('.result-outcome', { hasText: 'delete_file' }).waitFor()
    await page.getByRole('tab', { name: 'Agent' }).click()
    await play().click()
    await told('which was put there as it was written for it').waitFor()
    await button('Allow all').click()
    await told('This was a recording').waitFor()
    expect(await page.getByLabel('What the agent may do').inputValue()).toBe('allow')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: /^Before the recording/ }).waitFor()
  })
})

async function openWorkspaces(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByRole('dialog', { name: 'Workspace' }).waitFor()
}

describe('the user’s own model', () => {
  test('streams, asks by policy, and its changes are undone from the timeline', async () => {
    server.answers.push(
      { text: 'I write it down.', calls: [{ name: 'write_file', input: { path: 'notes.txt', content: 'first\n' } }] },
      { calls: [{ name: 'write_file', input: { path: 'notes.txt', content: 'second\n' } }] },
      { calls: [{ name: 'bash', input: { command: 'rm README.md' } }] },
      { text: 'I wrote it **twice**.' },
    )
    // The message is sent once there are settings.
    await say(page, 'Write it down.')
    await fillIn(page, server.settings('openai'))
    await button('Use this model').click()
    await button('Approve', card('write_file')).click()
    await card('write_file').locator('.card-state', { hasText: 'needs approval' }).waitFor()
    expect(await cards().count()).toBe(2)
    expect(await card('write_file').locator('.diff-removed').textContent()).toContain('first')
    await button('Approve', card('write_file')).click()
    await button('Deny', card('bash')).click()
    await idle(page)
    expect(await page.locator('.prose strong').textContent()).toBe('twice')
    expect(await cards().locator('.card-state').allTextContents()).toEqual(['done', 'done', 'denied'])
    expect(await page.getByRole('treeitem', { name: 'README.md' }).count()).toBe(1)
    expect(await viewed().textContent()).toContain('second')

    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: /^Before write_file notes.txt/ }).click()
    await page.locator('.pane-moment .diff-added', { hasText: '+second' }).waitFor()
    await button('Restore').click()
    await page.getByText('The files are as they were at').waitFor()
    await page.getByRole('tab', { name: 'Files', exact: true }).click()
    await page.getByRole('treeitem', { name: 'notes.txt' }).click()
    await expect.poll(() => viewed().textContent()).toContain('first')

    // The history lists these calls too, so that they can be run again.
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('tab', { name: 'History 3' }).click()
    await page.locator('.past-call', { hasText: 'rm README.md' }).click()
    expect(await page.getByLabel('command', { exact: true }).inputValue()).toBe('rm README.md')
    expect(server.asked.every(({ headers }) => headers['user-agent']?.startsWith('Mozilla/'))).toBe(true)
    expect(complaints).toEqual([])
  })

  test('continues after the workspace is moved to a persistent storage, with undo of earlier changes', async () => {
    await page.getByLabel('What the agent may do').selectOption('allow')
    server.answers.push(
      { calls: [{ name: 'write_file', input: { path: 'notes.txt', content: 'first\n' } }] },
      { text: 'I wrote it.' },
      { calls: [{ name: 'write_file', input: { path: 'more.txt', content: 'more\n' } }] },
      { text: 'I wrote more.' },
    )
    await connect(page, server.settings('openai'))
    await say(page, 'Write it down.')
    await told('I wrote it.').waitFor()
    await idle(page)
    await openWorkspaces()
    await page.getByRole('radio', { name: 'IndexedDB' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
    await page.locator('.workspace-detail', { hasText: 'in IndexedDB' }).waitFor()
    await page.getByRole('dialog', { name: 'Workspace' }).waitFor({ state: 'hidden' })
    await say(page, 'Write more.')
    await told('I wrote more.').waitFor()
    await idle(page)
    await page.getByRole('treeitem', { name: 'more.txt' }).waitFor()
    // The model receives the conversation so far, and a note about the new storage.
    const asked = JSON.stringify(server.asked.at(-1)?.body)
    for (const known of ['Write it down.', 'I wrote it.', 'The user has moved the workspace to another storage'])
      expect(asked).toContain(known)
    const first = cards().first()
    await button('Undo', first).click()
    await first.getByText('Undone').waitFor()
    await expect.poll(() => page.getByRole('treeitem', { name: 'notes.txt' }).count()).toBe(0)
    expect(await page.getByRole('treeitem', { name: 'more.txt' }).count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('can be stopped in the middle of an answer or a call, and continues afterwards', async () => {
    server.answers.push({ text: 'I tell you a very long story', end: 'stall' })
    await connect(page, server.settings('openai'))
    await say(page, 'Tell me.')
    await page.locator('.prose', { hasText: 'very long story' }).waitFor()
    await told('Waiting for the model to go on').waitFor()
    await shot('streaming')
    await button('Stop').click()
    await told('Stopped.').waitFor()
    await idle(page)
    expect(await server.asked[0]?.gone).toBe(true)

    server.answers.push({
      calls: [
        { name: 'bash', input: { command: 'echo begun > begun.txt; echo going; sleep 600' } },
        { name: 'write_file', input: { path: 'never.txt', content: 'no' } },
      ],
    })
    await page.getByLabel('What the agent may do').selectOption('allow')
    await say(page, 'Run it.')
    await card('bash').locator('.card-box', { hasText: 'going' }).waitFor()
    await shot('running')
    await message().press('Escape')
    await expect.poll(() => cards().locator('.card-state').allTextContents()).toEqual(['stopped', 'not run'])
    await idle(page)
    await page.getByRole('treeitem', { name: 'begun.txt' }).waitFor()
    expect(await page.getByRole('treeitem', { name: 'never.txt' }).count()).toBe(0)
    // Changes of a stopped call can be undone too.
    await button('Undo', card('bash')).click()
    await expect.poll(() => page.getByRole('treeitem', { name: 'begun.txt' }).count()).toBe(0)

    server.answers.push({ text: 'All right, I did not.' })
    await say(page, 'Never mind.')
    await told('All right, I did not.').waitFor()
    expect(JSON.stringify(server.asked.at(-1)?.body)).toContain('The user has undone what bash changed')
  })

  test('never has its text or calls interpreted as HTML', async () => {
    const markup = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><a href="javascript:hacked=1">x</a>'
    server.answers.push(
      {
        text: `# ${markup}\n\n- ${markup}\n\n\`${markup}\` **${markup}**\n\n\`\`\`html\n${markup}\n\`\`\`\n![x](https://example.com/x.png) [y](javascript:hacked=1)`,
        calls: [
          { name: markup, input: { path: markup } },
          { name: 'read_file', input: { path: markup } },
          { name: 'read_file', raw: `{"path": ${markup}` },
          { name: 'write_file', input: { path: `${markup.replaceAll('/', '')}.txt`, content: markup } },
        ],
      },
      { status: 500, body: JSON.stringify({ error: { message: markup } }) },
    )
    await connect(page, server.settings('openai'))
    await page.getByLabel('What the agent may do').selectOption('allow')
    await say(page, markup)
    await page.locator('.agent-failure').waitFor()
    for (const one of await cards().all()) await one.locator('summary').first().click()
    await shot('hostile')
    expect(await page.locator('.agent :is(img, script, a, iframe)').count()).toBe(0)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await page.locator('.prose-code').textContent()).toBe(markup)
    expect(await page.locator('.agent-said').textContent()).toBe(markup)
    expect(await cards().locator('.card-state').allTextContents()).toEqual(['failed', 'failed', 'failed', 'done'])
    expect(requests.filter((url) => !ours(url)).every((url) => url.startsWith(server.settings('openai').address))).toBe(true)
  })

  test('shows each failure without the key, and can retry', async () => {
    await connect(page, server.settings('openai', { key: 'sk-wrong-key-of-mine', patience: 1 }))
    await say(page, 'Hello?')
    await told('refuses the key').waitFor()
    expect(await page.locator('body').textContent()).not.toContain('sk-wrong-key-of-mine')
    await shot('refused')
    await button('Model settings').click()
    await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill(KEY)
    await button('Use this model').click()
    server.answers.push(
      { status: 429, headers: { 'retry-after': '9' } },
      { text: 'So', end: 'cut' },
      { silent: true },
      { text: 'Here I am.' },
    )
    for (const title of ['Too many requests', 'The answer broke off', 'Nothing came for 1 seconds']) {
      await button('Ask again').click()
      await told(title).waitFor()
      expect(await page.locator('.agent-failure').count()).toBe(1)
    }
    await button('Ask again').press('Enter')
    await told('Here I am.').waitFor()
    await idle(page)
    // The pressed button is removed, so the focus moves to the message field.
    expect(await message().evaluate((one) => one === document.activeElement)).toBe(true)

    server.cors = false
    await say(page, 'Still there?')
    await told('cannot be reached').waitFor()
  })

  test.each(['anthropic', 'google'] as const)('is called from the page with the protocol of %s', async (kind) => {
    server.answers.push({ calls: [{ name: 'read_file', input: { path: 'README.md' } }] }, { text: 'I have read it.' })
    await page.locator('.agent-model').click()
    await page.getByRole('radio', { name: kind === 'google' ? 'Gemini' : 'Anthropic' }).check()
    await fillIn(page, server.settings(kind))
    await button('Use this model').click()
    await say(page, 'Read it.')
    await told('I have read it.').waitFor()
    expect(await cards().locator('.card-state').allTextContents()).toEqual(['done'])
  })

  test('stores its key only where the user chooses', async () => {
    const kept = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    await connect(page, server.settings('openai'))
    expect(await kept()).toContain('stand-in')
    expect(await kept()).not.toContain(KEY)
    await page.reload()
    await play().waitFor()
    await say(page, 'Hello.')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Model', { exact: true }).inputValue()).toBe('stand-in')
    expect(await dialog.getByLabel('Key', { exact: true }).inputValue()).toBe('')
    await dialog.getByLabel('Key', { exact: true }).fill(KEY)
    await dialog.getByLabel(/^Keep the key/).check()
    await button('Use this model').click()
    await told('Nothing more.').waitFor()
    expect(await kept()).toContain(KEY)
    await page.reload()
    await play().waitFor()
    await say(page, 'Hello again.')
    await told('Nothing more.').waitFor()
    await page.locator('.agent-model').click()
    await button('Forget it all').click()
    expect(await kept()).not.toContain('stand-in')
  })

  test('shows problems of the settings beside their fields', async () => {
    await page.locator('.agent-model').click()
    const dialog = page.getByRole('dialog')
    for (const [label, value, problem] of [
      ['Address', 'http://example.com/v1', 'on this computer only'],
      ['Address', 'nonsense', 'This is no address'],
    ] as const) {
      await dialog.getByLabel(label).fill(value)
      await button('Use this model').click()
      await dialog.getByText(problem).waitFor()
      expect(await dialog.getByLabel(label).evaluate((one) => one === document.activeElement)).toBe(true)
    }
    await button('Ollama').click()
    await button('Use this model').click()
    await dialog.getByText('Say which model').waitFor()
  })
})
