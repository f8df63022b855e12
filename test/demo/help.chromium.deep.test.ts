// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, type TestPage } from './page.js'

let here: TestPage

beforeEach(async () => {
  here = await openPage({ files: { 'a.txt': 'a\n' } })
})

afterEach(() => here.close())

test('the help lists keys and their actions in two columns', async () => {
  await page.getByRole('button', { name: /help/i }).click()
  await expect.element(page.getByRole('dialog', { name: 'Help and keys' })).toBeVisible()
  const lefts = [...here.root.querySelectorAll('.help-keys dd')].map((about) => about.getBoundingClientRect().left)
  expect(new Set(lefts).size).toBe(1)
  for (const keys of here.root.querySelectorAll('.help-keys dt')) expect(keys.getBoundingClientRect().height).toBeLessThan(30)
})

test('the key hint of the terminal is not cut off', async () => {
  await page.getByRole('button', { name: /^Terminal/ }).click()
  const hint = here.find('.terminal-hint')
  await expect.poll(() => hint.clientWidth).toBeGreaterThan(0)
  expect(hint.scrollWidth).toBeLessThanOrEqual(hint.clientWidth)
})
