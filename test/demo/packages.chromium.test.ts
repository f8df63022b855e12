// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { NO_REGISTRY, type PackageSource, pageRegistry } from '../../demo/src/packages/registry.js'
import { type Answer, network, REGISTRY } from '../packages/install-support.js'
import { axeViolations, chooseTool, openPage, type TestPage } from './page.js'

const FILES = { 'main.js': "import { nanoid } from 'nanoid'\nconsole.log(nanoid().length)\n" }
const PATIENCE = { timeout: 30_000 }

let shown: TestPage | undefined

afterEach(async () => {
  await shown?.close()
  shown = undefined
})

/** The recorded packages, or these answers before them. */
function source(answers: Readonly<Record<string, Answer>> = {}, missing?: string): PackageSource {
  return { registry: REGISTRY, fetch: network(answers).fetch, missing: async () => missing }
}

async function open(packages?: PackageSource, files: Readonly<Record<string, string>> = FILES): Promise<TestPage> {
  shown = await openPage({ files, ...(packages && { packages }) })
  const { root } = shown
  await page.getByRole('tab', { name: 'Packages' }).click()
  // It is loaded when it is first shown.
  await expect.poll(() => root.querySelector('.packages-panel')).not.toBeNull()
  return shown
}

const field = () => page.getByLabelText('Install from the registry')
const status = (): string => shown?.find('.packages-status').textContent ?? ''
const problem = (): string => shown?.find('.packages-problem').textContent ?? ''
const list = (): string[] =>
  [...(shown?.root.querySelectorAll('.package') ?? [])].map((row) =>
    [...row.querySelectorAll('span')].map((one) => one.textContent).join(' '),
  )

async function install(names: string): Promise<void> {
  await field().fill(names)
  await userEvent.keyboard('{Enter}')
}

describe('packages', () => {
  test('are installed by name, listed with their versions, and imported by what runs', async () => {
    const { find, playground, texts } = await open(source())
    await expect.element(page.getByText('No packages yet.', { exact: false })).toBeVisible()
    await install('nanoid, is-odd@^3')
    await expect.poll(status, PATIENCE).toMatch(/^nanoid 5\.1\.16, is-odd 3\.0\.1 are installed \(3 added, /)
    await expect.poll(list).toEqual(['is-odd 3.0.1 · ^3.0.1', 'nanoid 5.1.16 · ^5.1.16'])
    expect(find('.packages-panel .pane-foot').textContent).toBe('2 packages in package.json')
    await expect.element(field()).toHaveValue('')
    expect(texts('.tab-last')).toEqual(['History 1'])
    await playground.openFile('main.js')
    await page.getByRole('button', { name: 'Run this file' }).click()
    await expect.poll(() => find('.run-output').textContent, PATIENCE).toBe('21\n')
    await page.getByRole('button', { name: 'Try is-odd' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => find('.result-outcome').textContent, PATIENCE).toMatch(/^okrun_js/)
    expect(find('.result-panel').textContent).toContain("[ 'default'")
    // A preset without programs says so, and leaves its form alone.
    await page.getByRole('combobox', { name: 'Preset' }).selectOptions('loom-elixir')
    await expect.poll(() => find('.preset-select').hasAttribute('aria-busy')).toBe(false)
    await page.getByRole('button', { name: 'Try nanoid' }).click()
    expect(find('.notice').textContent).toBe('The preset loom-elixir runs no programs. Choose standard to try a package.')
    history.replaceState(null, '', location.pathname + location.search)
  })

  test('tell in the words of the tool what went wrong, and what is not to be expected of them', async () => {
    await open(source())
    await install('no-such-package')
    await expect.poll(problem, PATIENCE).toContain('the registry has no package of this name (404)')
    expect(status()).toBe('')
    await expect.element(field()).toHaveValue('no-such-package')
    await install('  ')
    await expect.poll(problem).toBe('Give the name of a package.')
    await install('nanoid@99')
    await expect.poll(problem, PATIENCE).toContain('5.1.16')
    expect(list()).toEqual([])
    expect(Object.keys((await shown?.playground.session.workspace.files()) ?? {})).toEqual(['main.js'])
  })

  test('show how far an install is, and can be cancelled with nothing left of it', async () => {
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
    // One at a time.
    await userEvent.keyboard('{Enter}')
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await expect.poll(problem, PATIENCE).toBe('Cancelled: nothing was installed.')
    expect(find('.packages-progress').hidden).toBe(true)
    expect(Object.keys(await playground.session.workspace.files())).toEqual(['main.js'])
    expect(find('.tab-last').textContent).toBe('History 1')
  })

  test('that package.json asks for are installed by a button; what is wrong with it is told', async () => {
    const { find, playground } = await open(source(), {
      'package.json': JSON.stringify({ dependencies: { nanoid: '^5' }, devDependencies: { '../../x': '1', '<img src=x>': '1' } }),
    })
    await expect.poll(list).toEqual(['../../x not installed · 1 · dev', '<img src=x> not installed · 1 · dev', 'nanoid not installed · ^5'])
    expect(find('.packages-panel').querySelector('img')).toBeNull()
    await playground.session.runtime.call('write_file', { path: 'package.json', content: '{ "dependencies": { "nanoid": "^5" } }' })
    await page.getByRole('button', { name: 'Install what package.json asks for' }).click()
    await expect.poll(problem, PATIENCE).toBe('')
    await expect.poll(status, PATIENCE).toMatch(/^What package\.json asks for is installed \(1 added, /)
    await expect.poll(list).toEqual(['nanoid 5.1.16 · ^5'])
    await expect.element(page.getByRole('button', { name: 'Install what package.json asks for' })).not.toBeInTheDocument()
    await playground.session.workspace.writeText('package.json', '{ "dependencies": ')
    await chooseTool('write_file')
    await page.getByLabelText('path', { exact: true }).fill('a.txt')
    await page.getByLabelText('content', { exact: true }).fill('a')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => find('.packages-panel .pane-foot').textContent).toContain('package.json is not JSON')
  })

  test('cannot be had on a page without a registry, which says why', async () => {
    const { find, texts } = await open()
    expect(find('.packages-missing').textContent).toBe(NO_REGISTRY)
    expect(find('.packages-form').hidden).toBe(true)
    await expect
      .poll(() => texts('.preset-missing'))
      .toEqual(['Left out: install_js_packages (no network here); web_search (no search service here).'])
  })

  test('nor where the server of the page passes nothing on', async () => {
    const { find } = await open(source({}, 'It is not there.'))
    await expect.poll(() => find('.packages-missing').textContent).toBe('It is not there.')
    expect(find('.packages-form').hidden).toBe(true)
    // The server of these tests hands out files.
    expect(await pageRegistry(`${location.origin}/demo/`).missing()).toBe(NO_REGISTRY)
    expect(pageRegistry('https://page.example/a/index.html?b#c').registry).toBe('https://page.example/a/registry/')
  })

  test.each(['light', 'dark'])('have no violation, and fit a phone, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await open(source())
    expect(await axeViolations()).toEqual([])
    await install('nanoid')
    await expect.poll(list, PATIENCE).toHaveLength(1)
    await install('no-such-package')
    await expect.poll(problem, PATIENCE).toContain('404')
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    await page.getByText('Files', { exact: true }).last().click()
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})
