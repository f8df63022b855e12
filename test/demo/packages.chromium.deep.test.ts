// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { NO_REGISTRY, pageRegistry } from '../../demo/src/packages/registry.js'
import { install, list, open, problem, source, status, usePackagesPage } from './packages-page.js'
import { chooseTool } from './page.js'

usePackagesPage()

describe('packages in detail', () => {
  test('show the progress of an installation, which can be cancelled without leftovers', async () => {
    let asked: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { find, playground } = await open(
      source({
        'nanoid/-/nanoid-5.1.16.tgz': ({ signal }) =>
          new Promise((_, reject) => {
            asked()
            signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          }),
      }),
    )
    await install('nanoid')
    await waiting
    await expect.poll(status).toMatch(/^(?:Finding|Fetching): /)
    expect(find('.packages-progress').hidden).toBe(false)
    // A second install does not start meanwhile.
    await userEvent.keyboard('{Enter}')
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await expect.poll(problem).toBe('Cancelled: nothing was installed.')
    expect(find('.packages-progress').hidden).toBe(true)
    expect(Object.keys(await playground.session.workspace.files())).toEqual(['main.js'])
    expect(find('.tab-last').textContent).toBe('History 1')
  })

  test('listed in package.json are installed by a button, and its mistakes are reported', async () => {
    const { find, playground } = await open(source(), {
      'package.json': JSON.stringify({ dependencies: { nanoid: '^5' }, devDependencies: { '../../x': '1', '<img src=x>': '1' } }),
    })
    await expect.poll(list).toEqual(['../../x not installed · 1 · dev', '<img src=x> not installed · 1 · dev', 'nanoid not installed · ^5'])
    expect(find('.packages-panel').querySelector('img')).toBeNull()
    await playground.session.runtime.call('write_file', { path: 'package.json', content: '{ "dependencies": { "nanoid": "^5" } }' })
    await page.getByRole('button', { name: 'Install what package.json asks for' }).click()
    await expect.poll(problem).toBe('')
    await expect.poll(status).toMatch(/^What package\.json asks for is installed \(1 added, /)
    await expect.poll(list).toEqual(['nanoid 5.1.16 · ^5'])
    await expect.element(page.getByRole('button', { name: 'Install what package.json asks for' })).not.toBeInTheDocument()
    await playground.session.workspace.writeText('package.json', '{ "dependencies": ')
    await chooseTool('write_file')
    await page.getByLabelText('path', { exact: true }).fill('a.txt')
    await page.getByLabelText('content', { exact: true }).fill('a')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => find('.packages-panel .pane-foot').textContent).toContain('package.json is not JSON')
  })

  test('are not available if the page’s server forwards no requests', async () => {
    const { find } = await open(source({}, 'It is not there.'))
    await expect.poll(() => find('.packages-missing').textContent).toBe('It is not there.')
    expect(find('.packages-form').hidden).toBe(true)
    // The server of these tests serves files only, and is not a registry.
    expect(await pageRegistry(`${location.origin}/demo/`).missing()).toBe(NO_REGISTRY)
    expect(pageRegistry('https://page.example/a/index.html?b#c').registry).toBe('https://page.example/a/registry/')
  })
})
