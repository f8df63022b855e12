// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { chooseTool } from './page.js'
import { choose, chooser, here, loads, mount, outcome, panel, tools, usePresetsPage } from './presets-page.js'

usePresetsPage()

describe('choosing a preset', () => {
  test('choosing a preset by keyboard switches tools, form and examples, and keeps the workspace and open files', async () => {
    const { playground, find } = await mount()
    expect(loads).toBe(0)
    expect(tools()).toContain('edit_file')
    await playground.openFile('README.md')
    chooser().element().focus()
    await userEvent.keyboard('{ArrowDown}')

    await expect.poll(tools).toEqual(['say', 'wait'])
    expect(loads).toBe(1)
    await expect.element(chooser()).toHaveFocus()
    expect(find('.preset-row').textContent).toContain('A few words.')
    expect(find('.preset-row').textContent).toContain('Left out: reach (no network here).')
    await expect.element(page.getByLabelText('word', { exact: true })).toHaveValue('hello')
    expect(here().texts('.chip')).toEqual(['Hello'])
    expect(find('.file-title').textContent).toBe('README.md')
    expect(find('[role=treeitem][aria-selected=true]').textContent).toContain('README.md')
  })

  test('shows the preset’s result format beside the model text', async () => {
    await mount()
    await choose('tiny')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toContain('tiny')
    expect(outcome()).toMatch(/^oksay/)
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(panel()).toBe('{"said":"hello"}')
    await page.getByRole('tab', { name: 'Wire' }).click()
    expect(panel()).toContain('The result in the shape of tiny')
    expect(here().texts('.result-panel:not([hidden]) .json-key')).toEqual(['done', 'is', 'said'])
  })

  test('aborts the running call, lists it, and shows its changes', async () => {
    const { playground, texts } = await mount('#preset=tiny')
    await chooseTool('wait')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => playground.session.workspace.exists('begun.txt')).toBe(true)
    await choose('standard')
    await expect.poll(tools).toContain('edit_file')
    expect(texts('.past-call .call-status')).toEqual(['aborted'])
    expect(outcome()).toContain('aborted')
    await expect.element(page.getByRole('treeitem', { name: 'begun.txt, added' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Run', exact: true })).toHaveAttribute('aria-disabled', 'false')
  })

  test('a preset that fails to load reports it and keeps the previous one', async () => {
    await mount()
    await choose('broken')
    await expect.element(page.getByText('The preset broken could not be loaded: no such chunk')).toBeVisible()
    await expect.element(chooser()).toHaveValue('standard')
    expect(tools()).toContain('edit_file')
    expect(location.hash).toBe('')
  })
})

describe('the preset in the URL', () => {
  test('is selected at the start and after a change', async () => {
    await mount('#preset=tiny')
    await expect.element(chooser()).toHaveValue('tiny')
    expect(tools()).toEqual(['say', 'wait'])
    location.hash = ''
    await expect.poll(tools).toContain('edit_file')
    location.hash = '#preset=tiny'
    await expect.poll(tools).toEqual(['say', 'wait'])
  })
})
