// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { NO_REGISTRY } from '../../demo/src/packages/registry.js'
import { field, install, list, open, problem, shown, source, status, usePackagesPage } from './packages-page.js'

usePackagesPage()

describe('packages', () => {
  test('are installed by name, listed with versions, and imported by programs', async () => {
    const { find, playground, texts } = await open(source())
    await expect.element(page.getByText('No packages yet.', { exact: false })).toBeVisible()
    await install('nanoid, is-odd@^3')
    await expect.poll(status).toMatch(/^nanoid 5\.1\.16, is-odd 3\.0\.1 are installed \(3 added, /)
    await expect.poll(list).toEqual(['is-odd 3.0.1 · ^3.0.1', 'nanoid 5.1.16 · ^5.1.16'])
    expect(find('.packages-panel .pane-foot').textContent).toBe('2 packages in package.json')
    await expect.element(field()).toHaveValue('')
    expect(texts('.tab-last')).toEqual(['History 1'])
    await playground.openFile('main.js')
    await page.getByRole('button', { name: 'Run this file' }).click()
    await expect.poll(() => find('.run-output').textContent).toBe('21\n')
    await page.getByRole('button', { name: 'Try is-odd' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => find('.result-outcome').textContent).toMatch(/^okrun_js/)
    expect(find('.result-panel').textContent).toContain("[ 'default'")
    // A preset that cannot run programs says so, and its form stays unchanged.
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('loom-elixir')
    await expect.poll(() => find('.preset-select').hasAttribute('aria-busy')).toBe(false)
    await page.getByRole('button', { name: 'Try nanoid' }).click()
    expect(find('.notice').textContent).toBe('The preset loom-elixir runs no programs. Choose standard to try a package.')
    history.replaceState(null, '', location.pathname + location.search)
  })

  test('show the tool’s error and what will not work', async () => {
    await open(source())
    await install('no-such-package')
    await expect.poll(problem).toContain('the registry has no package of this name (404)')
    expect(status()).toBe('')
    await expect.element(field()).toHaveValue('no-such-package')
    await install('  ')
    await expect.poll(problem).toBe('Give the name of a package.')
    await install('nanoid@99')
    await expect.poll(problem).toContain('5.1.16')
    expect(list()).toEqual([])
    expect(Object.keys((await shown?.playground.session.workspace.files()) ?? {})).toEqual(['main.js'])
  })

  test('are not available without a registry, with the reason', async () => {
    const { find, texts } = await open()
    expect(find('.packages-missing').textContent).toBe(NO_REGISTRY)
    expect(find('.packages-form').hidden).toBe(true)
    await expect
      .poll(() => texts('.preset-missing'))
      .toEqual(['Left out: install_js_packages (no network here); web_search (no search service here).'])
  })
})
