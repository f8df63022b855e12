// @module-tag web-search
// @module-tag playground
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Answer, json, startUpstream } from '../adapters/fetch-upstream.js'
import { useBrowser } from './visit.js'
import {
  address,
  answerWith,
  chosen,
  dialog,
  give,
  given,
  missing,
  outcome,
  page,
  panel,
  proxy,
  run,
  TOKEN,
  token,
  use,
  useProxy,
  useWebSearchPage,
} from './web-search-page.js'

useWebSearchPage()

useBrowser()

const problem = (): Promise<string | null> => dialog().locator('.dialog-row-problem:not(:empty)').textContent()

describe('a search proxy', () => {
  test('gives loom and loaf the searches that it supports, and no others', async () => {
    await useProxy()
    const preset = page.getByLabel('Preset', { exact: true })
    await preset.selectOption('loom')
    await expect.poll(missing).toBe('Left out: oracle (no model here); web_search (no Google at the proxy).')
    await page.getByRole('radio', { name: 'web_search_serper' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'A search', exact: true }).click()
    await run()
    await panel().getByText('Of Serper', { exact: true }).waitFor()
    await preset.selectOption('loaf')
    await expect.poll(missing).toBe('')
    await page.getByRole('radio', { name: 'search_web' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'A search', exact: true }).click()
    await page.getByLabel('Which calls run').selectOption('read')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(outcome).toMatch(/^oksearch_web/)
    expect(await panel().textContent()).toContain('Handles for files.')
    await preset.selectOption('zeroclaw')
    await expect.poll(() => given().count()).toBe(0)
  })

  test('can be corrected without changing the filled form', async () => {
    await useProxy({ secret: 'wrong-token-0123456789' })
    await page.getByLabel('query').fill('what I was about to search')
    await given().click()
    await token().fill(TOKEN)
    await use().click()
    await dialog().waitFor({ state: 'hidden' })
    expect(await page.getByLabel('query').inputValue()).toBe('what I was about to search')
    await page.getByRole('radio', { name: 'write_file' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('path', { exact: true }).fill('mine.txt')
    await given().click()
    await token().fill('another-token-0123456789')
    await use().click()
    await dialog().waitFor({ state: 'hidden' })
    expect(await chosen().textContent()).toBe('write_file')
    expect(await page.getByLabel('path', { exact: true }).inputValue()).toBe('mine.txt')
  })
})

describe('a rejected search or proxy setting', () => {
  test('is shown as the result of the call', async () => {
    await useProxy({ secret: 'wrong-token-0123456789' })
    await run()
    expect(await outcome()).toMatch(/web_search/)
    expect(await panel().textContent()).toContain('the search service answered with status 401')
    await given().click()
    await token().fill(TOKEN)
    await use().click()
    answerWith(json({ error: 'down' }, 500))
    await run()
    await expect.poll(() => panel().textContent()).toContain('the search service answered with status 502')
    answerWith((response) => response.writeHead(200).end('<h1>Hello</h1>'))
    await run()
    await expect.poll(() => panel().textContent()).toMatch(/status 502|did not answer with JSON/)
    expect(await panel().textContent()).not.toContain(TOKEN)
  })

  test('is reported at its field with what to change', async () => {
    const server = await startUpstream({})
    const open = { 'access-control-allow-origin': '*' }
    const answers: Readonly<Record<string, Answer>> = {
      '/error/health': json({ error: 'no' }, 500, open),
      '/garbage/health': (response) => response.writeHead(200, open).end('<h1>Hello</h1>'),
      '/other/health': json({ status: 'ok' }, 200, open),
      '/empty/health': json({ status: 'ok', providers: [] }, 200, open),
      '/closed/health': json({ status: 'ok', providers: ['exa'] }),
      '/moved/health': (response) => response.writeHead(302, { ...open, location: '/other/health' }).end(),
    }
    const one = await startUpstream(answers)
    await server.close()
    const cases: readonly (readonly [string, string])[] = [
      ['', 'Give the address of a search proxy'],
      ['search', 'This is no address. It begins with https://'],
      ['http://search.example.com', 'The page asks https:// addresses'],
      ['https://ada:secret@search.example.com', 'must not hold a user or a password'],
      [`${one.origin}/?key=1`, 'Leave out what follows the ? or #'],
      [`${one.origin}/proxy/exa`, 'Leave out /proxy/exa'],
      [`${one.origin}/error`, 'it answers with status 500 at /health'],
      [`${one.origin}/garbage`, 'is no search proxy'],
      [`${one.origin}/other`, 'is no search proxy'],
      [`${one.origin}/empty`, 'has no search service yet'],
      [`${one.origin}/closed`, `does it let pages of ${new URL(page.url()).origin} ask it`],
      [`${one.origin}/moved`, 'leads on to another one'],
      [server.origin, 'Is the proxy running'],
    ]
    await give().click()
    for (const [given, words] of cases) {
      await address().fill(given)
      await use().click()
      await expect.poll(problem, { message: given }).toContain(words)
      expect(await address().getAttribute('aria-invalid'), given).toBe('true')
      expect(await address().evaluate((field) => field === document.activeElement), given).toBe(true)
    }
    await address().fill(proxy.url)
    await token().fill('two words')
    await use().click()
    await expect.poll(problem).toContain('A token has no blanks')
    await token().fill('')
    await use().click()
    await dialog().waitFor({ state: 'hidden' })
    await one.close()
  })

  test('ends its request when the dialog is closed', async () => {
    let gone: (() => void) | undefined
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    const silent = createServer((_, response) => void response.on('close', () => gone?.()))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    await give().click()
    await address().fill(`http://127.0.0.1:${port}`)
    await use().click()
    await dialog().getByText('Asking it…').waitFor()
    await page.keyboard.press('Escape')
    await left
    await give().click()
    expect(await dialog().locator('.dialog-row-problem:not(:empty)').count()).toBe(0)
    expect(await use().getAttribute('aria-disabled')).toBe(null)
    silent.close()
  })
})
