// @module-tag playground
import '../../demo/src/styles/index.css'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { beforeFirstLook, here, load, open, outcome, result, run, screen, useOpeningPage } from './opening-page.js'
import { chooseTool } from './page.js'

useOpeningPage()

test('a workspace that is being drawn is replaced by another one that opens', async () => {
  await open()
  beforeFirstLook('second', () => load('third'))
  await load('second')
  expect(here.playground.session.name).toBe('third')
  await expect.element(page.getByRole('treeitem', { name: 'third.txt' })).toBeVisible()
  await chooseTool('list_files')
  await run()
  await expect.poll(outcome).toMatch(/^ok/)
  expect(result()).toContain('third.txt')
  expect(here.find('.pane-view').textContent).toContain('# third')
  await userEvent.keyboard('{Control>}`{/Control}')
  await expect.poll(screen).toContain('$')
  await userEvent.keyboard('ls{Enter}')
  await expect.poll(screen).toContain('third.txt')
})
