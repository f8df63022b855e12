// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { held } from './held.js'
import {
  ask,
  button,
  callSearch,
  chosen,
  count,
  empty,
  field,
  files,
  focused,
  here,
  isBusy,
  isShown,
  labels,
  openSearch,
  options,
  quick,
  rows,
  search,
  start,
  title,
  useSearchPage,
  write,
} from './search-page.js'

useSearchPage()

describe('the search', () => {
  test('opens from anywhere with the focus in its field, and closes to show the tree', async () => {
    await here.playground.openFile('src/a.ts')
    await expect.poll(() => here.root.querySelector('.cm-content')).not.toBeNull()
    here.find('.cm-content').focus()
    await openSearch()
    await expect.element(page.getByRole('tab', { name: 'Search' })).toHaveAttribute('aria-selected', 'true')
    await expect.poll(empty).toContain('Search in all files')
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true')
    expect(document.activeElement?.closest('.tree')).not.toBeNull()
    await callSearch()
    await expect.element(field()).toHaveFocus()
  })

  test('lists lines by file with highlighted matches, always as plain text', async () => {
    await search('needle')
    expect(count()).toBe('6 lines in 5 files')
    expect(labels()).toEqual([
      '.env, 1 line',
      'Line 1: KEY=needle',
      'README.md, 1 line',
      'Line 3: A needle in the docs.',
      'src/a.ts, 2 lines',
      'Line 1: export const needle = 1',
      'Line 3: const Needles = needle + needle',
      'src/lib/deep.ts, 1 line',
      'Line 2: // needle',
      'src/page.html, 1 line',
      'Line 1: …= true"> needle',
    ])
    expect(here.texts('.found mark')).toEqual(['needle', 'needle', 'needle', 'Needle', 'needle', 'needle', 'needle', 'needle'])
    expect(here.root.querySelector('.found img')).toBeNull()
    expect('hacked' in globalThis).toBe(false)
    // The accessible names of the rows.
    await expect.element(page.getByRole('treeitem', { name: 'deep.ts src/lib 1 line', exact: true })).toBeVisible()
    await expect.element(page.getByRole('treeitem', { name: 'Line 2 // needle', exact: true })).toBeVisible()
  })

  test('opens a file at its line, by mouse and by keyboard', async () => {
    await search('needle')
    await userEvent.click(rows().find((row) => row.textContent?.includes('Needles')) as Element)
    await expect.poll(title).toBe('src/a.ts')
    await expect.poll(() => here.find('.editor-place').textContent).toBe('Line 3, column 1')
    expect(focused()).toContain('Line 3')
    field().element().focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(focused()).toContain('Line 3')
    await userEvent.keyboard('{End}{ArrowUp}{ArrowUp}{Enter}')
    await expect.poll(title).toBe('src/lib/deep.ts')
    await expect.poll(() => here.find('.editor-place').textContent).toBe('Line 2, column 1')
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement?.closest('.tree')).not.toBeNull()
    await openSearch()
    expect(count()).toBe('6 lines in 5 files')
  })

  test('handles a click while the list is redrawn', async () => {
    await search('needle')
    const row = rows().find(({ textContent }) => textContent?.includes('Needles'))
    here.find('.found').dispatchEvent(new Event('scroll'))
    expect(rows()).toContain(row)
  })

  test('supports case, whole words and patterns', async () => {
    await search('needles')
    expect(count()).toBe('1 line in 1 file')
    await userEvent.keyboard('{Alt>}c{/Alt}')
    await expect.element(button('Match case')).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(empty).toContain('No line has “needles”')
    await search('Needle')
    expect(count()).toBe('1 line in 1 file')
    await button('Whole word').click()
    await expect.poll(empty).toContain('No line has “Needle”')
    await button('Match case').click()
    await expect.poll(count).toBe('6 lines in 5 files')
    await button('Regular expression').click()
    await search('n[e]+d\\w+ = \\d')
    expect(labels()).toEqual(['src/a.ts, 1 line', 'Line 1: export const needle = 1'])
    expect(here.texts('.found mark')).toEqual(['needle = 1'])
  })

  test('searches the chosen files', async () => {
    await search('needle')
    await button('Choose files').click()
    await page.getByRole('textbox', { name: 'Files to include' }).fill('*.ts, README.md')
    await expect.poll(files).toEqual(['README.md, 1 line', 'src/a.ts, 2 lines', 'src/lib/deep.ts, 1 line'])
    await page.getByRole('textbox', { name: 'Files to exclude' }).fill('lib')
    await expect.poll(files).toEqual(['README.md, 1 line', 'src/a.ts, 2 lines'])
    await page.getByRole('textbox', { name: 'Files to exclude' }).fill('')
    await page.getByRole('textbox', { name: 'Files to include' }).fill('')
    await page.getByRole('checkbox', { name: 'Ignored files too' }).click()
    await expect.poll(files).toContain('build/out.js, 1 line')
    expect(files()).toContain('node_modules/pack/index.js, 1 line')
    await page.getByRole('textbox', { name: 'Files to include' }).fill('*.none')
    await expect.poll(empty).toContain('No file fits')
  })

  test('reports an invalid pattern or glob at its field', async () => {
    await openSearch()
    await button('Regular expression').click()
    await field().fill('(')
    await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
    expect(rows()).toEqual([])
    await search('need.e')
    expect(here.find('.search-problem').textContent).toBe('')
    await expect.element(field()).not.toHaveAttribute('aria-invalid')
    await button('Choose files').click()
    const include = page.getByRole('textbox', { name: 'Files to include' })
    await include.fill('../elsewhere')
    await expect.poll(() => here.find('.search-problem').textContent).toContain('it contains ".."')
    await expect.element(include).toHaveAttribute('aria-invalid', 'true')
    await expect.element(field()).not.toHaveAttribute('aria-invalid')
  })

  test('reports outdated results and searches again', async () => {
    await search('needle')
    expect(isShown('.search-stale')).toBe(false)
    await write('new.txt', 'one more needle')
    await expect.poll(() => isShown('.search-stale')).toBe(true)
    expect(count()).toBe('6 lines in 5 files')
    here.find('.search-stale button').click()
    await expect.poll(count).toBe('7 lines in 6 files')
    expect(isShown('.search-stale')).toBe(false)
    expect(focused()).toBe('Search again')
  })
})

describe('a long search', () => {
  /** Starts a search in which the first files are searched at once, and the others wait. */
  async function startSlow(): Promise<void> {
    const many = Array.from({ length: 100 }, (_, index) => [`later/${100 + index}.txt`, 'needle\n'] as const)
    await start({ 'a.txt': 'needle\n', 'b.txt': 'something else\n', ...Object.fromEntries(many) })
    const { fs } = here.playground.session.workspace
    const read = fs.read.bind(fs)
    const { free, release } = held()
    onTestFinished(release)
    let reads = 0
    vi.spyOn(fs, 'read').mockImplementation(async (path, ...more) => {
      if (path.endsWith('later/150.txt') && ++reads === 1) await free
      return read(path, ...more)
    })
    await openSearch()
    await page.getByRole('textbox', { name: 'Search the text of files' }).fill('needle')
    await expect.poll(() => isShown('.search-progress') && count()).toBe('Searching, 32 files done: 31 lines in 31 files')
  }

  test('shows lines while it runs, and can be stopped', async () => {
    await startSlow()
    expect(labels().slice(0, 2)).toEqual(['a.txt, 1 line', 'Line 1: needle'])
    expect(isBusy()).toBe(true)
    await button('Stop').click()
    expect(count()).toBe('Stopped after 32 files: 31 lines in 31 files')
    expect(labels()[0]).toBe('a.txt, 1 line')
    expect([isBusy(), isShown('.search-progress')]).toEqual([false, false])
    await expect.element(field()).toHaveFocus()
  })

  test('is replaced by the next search and shows no more lines', async () => {
    await startSlow()
    const shown = new Set<string | undefined>()
    field()
      .element()
      .addEventListener('input', () => {
        const watch = new MutationObserver(() => {
          for (const label of labels()) shown.add(label)
        })
        watch.observe(here.find('.found'), { subtree: true, childList: true })
        onTestFinished(() => watch.disconnect())
      })
    await field().fill('something')
    await expect.poll(labels).toEqual(['b.txt, 1 line', 'Line 1: something else'])
    await expect.poll(isBusy).toBe(false)
    expect(shown).toEqual(new Set(labels()))
  })
})

describe('opening a file by name', () => {
  test('finds it by a part of its name and focuses the text', async () => {
    await ask()
    expect(options()).toContain('.env')
    expect(options().filter((path) => /build|node_modules/.test(path ?? ''))).toEqual([])
    await userEvent.keyboard('dee')
    expect(options()).toEqual(['src/lib/deep.ts'])
    expect([...quick().querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['dee'])
    await userEvent.keyboard('{Enter}')
    await expect.poll(title).toBe('src/lib/deep.ts')
    expect(isShown('.quick-open')).toBe(false)
    await expect.poll(() => document.activeElement?.className).toContain('cm-content')
  })

  test('works by keyboard', async () => {
    await ask()
    await userEvent.keyboard('s')
    const all = options()
    expect(all.length).toBeGreaterThan(2)
    expect(chosen()).toBe(all[0])
    await userEvent.keyboard('{ArrowDown}')
    expect(chosen()).toBe(all[1])
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    expect(chosen()).toBe(all.at(-1))
    await userEvent.keyboard('{Control>}p{/Control}')
    expect(chosen()).toBe(all[0])
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.poll(title).toBe(all[1])
  })
})

test('the files pane on a narrow screen leads to the search, and a result to the file', async () => {
  await page.viewport(390, 844)
  page.getByRole('radio', { name: 'Files', exact: true }).element().focus()
  await userEvent.keyboard(' ')
  await page.getByRole('tab', { name: 'Search' }).click()
  await expect.element(field()).toHaveFocus()
  await field().fill('needle')
  await expect.poll(files).toHaveLength(5)
  expect(isShown('.tab-word')).toBe(true)
  await userEvent.click(rows().at(-1) as Element)
  await expect.poll(title).toBe('src/page.html')
  await expect.poll(() => isShown('.pane-view')).toBe(true)
  expect(isShown('.pane-files')).toBe(false)
  await callSearch()
  await expect.poll(() => isShown('.search-form')).toBe(true)
  expect(files()).toHaveLength(5)
  await field().fill('')
  await button('Open a file by its name').click()
  await expect.poll(() => isShown('.quick-open')).toBe(true)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})
