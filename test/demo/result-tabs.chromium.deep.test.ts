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

test.each([1300, 1182, 1024, 861])('the result tabs are not cut off, %i wide', async (width) => {
  await page.viewport(width, 768)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.element(page.getByRole('tab', { name: 'History 1' })).toBeVisible()
  const tabs = here.find('.result .tabs')
  expect(tabs.scrollWidth).toBeLessThanOrEqual(tabs.clientWidth)
})
