// @module-tag playground
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { service } from '../service.js'
import { useBrowser, type Visit, visit } from './visit.js'

const { origin } = await service('git')

useBrowser()

/** Opens a page that can reach only its own server and the git server. */
async function openPage(): Promise<Visit> {
  const visited = await visit({ origins: [origin] })
  await visited.page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
  return visited
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByLabel('Lives in').waitFor()
}

test('the built page clones a repository within its content security policy', async () => {
  const { page, complaints } = await openPage()
  await openDialog(page)
  await page.getByRole('button', { name: 'Git repository' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill(`${origin}/repo.git`)
  await page.getByRole('button', { name: 'Clone' }).click()
  await page.getByText(/^main of .* is cloned, at [0-9a-f]{7}: 6 files\./).waitFor()
  await page.getByRole('treeitem', { name: 'counter.txt' }).waitFor()
  expect(complaints).toEqual([])
})

test('WebContainer is on a page of its own that allows its frames, and this page links there', async () => {
  const { page, complaints } = await openPage()
  await openDialog(page)
  const radio = page.getByRole('radio', { name: 'WebContainer' })
  expect(await radio.isDisabled()).toBe(true)
  await page.getByText('runs in a frame, which this page forbids').waitFor()
  await page.getByRole('link', { name: 'Playground with WebContainer' }).click()
  await page.waitForURL('**/webcontainer.html')
  await page.getByRole('treeitem', { name: 'lines.js' }).waitFor()
  expect(complaints).toEqual([])
  await openDialog(page)
  expect(await radio.isDisabled()).toBe(false)
  await radio.check()
  const asked = page.waitForRequest((request) => request.url().startsWith('https://stackblitz.com/'))
  await page.getByRole('button', { name: 'Move into WebContainer' }).click()
  await asked
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})
