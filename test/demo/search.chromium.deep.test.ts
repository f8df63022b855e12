// @module-tag playground
import '../../demo/src/styles/index.css'
import { createRuntime, searchTools, type ToolRuntime } from 'toolport'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Found, findText } from '../../demo/src/search/find-text.js'
import type { Query } from '../../demo/src/search/query.js'
import {
  ask,
  button,
  callSearch,
  chosen,
  count,
  empty,
  FILES,
  field,
  files,
  focused,
  here,
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

describe('the search in detail', () => {
  test('starts with the text selected in the file', async () => {
    await here.playground.openFile('src/a.ts')
    await expect.poll(() => here.texts('.cm-line')[1]).toBe('export const other = 2')
    const line = here.root.querySelector('.cm-line[data-line="2"]') as Element
    await userEvent.dblClick(line, { position: { x: 115, y: 8 } })
    expect(getSelection()?.toString()).toBe('other')
    await openSearch()
    await expect.element(field()).toHaveValue('other')
    await expect.poll(files).toEqual(['src/a.ts, 1 line'])
  })

  test('does not open while a dialog is open', async () => {
    here.find('.workspace-button').click()
    await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
    await callSearch()
    await userEvent.keyboard('{Control>}p{/Control}')
    expect(isShown('.search-form')).toBe(false)
    expect(isShown('.quick-open')).toBe(false)
    await userEvent.keyboard('{Escape}')
  })

  test('opens the focused result by keyboard', async () => {
    await search('needle')
    await userEvent.click(rows().find((row) => row.textContent?.includes('// needle')) as Element, { button: 'right' })
    expect(focused()).toContain('// needle')
    await userEvent.keyboard('{Enter}')
    await expect.poll(title).toBe('src/lib/deep.ts')
    rows()[0]?.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(focused()).toContain('Line 1')
  })

  test('collapses files by keyboard, one or all', async () => {
    await search('needle')
    field().element().focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(focused()).toBe('README.md, 1 line')
    await userEvent.keyboard('{ArrowLeft}')
    expect(labels()).not.toContain('Line 3: A needle in the docs.')
    expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false')
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(focused()).toBe('Line 3: A needle in the docs.')
    await userEvent.keyboard('{ArrowLeft}')
    expect(focused()).toBe('README.md, 1 line')
    await button('Close all files').click()
    expect(labels()).toEqual(files())
    expect(files()).toHaveLength(5)
    here.find('.found [tabindex="0"]').focus()
    await userEvent.keyboard('{Home}{ArrowUp}')
    await expect.element(field()).toHaveFocus()
  })

  test('finds whole words in any script', async () => {
    await start({ 'a.txt': 'кот\nкоты\nnaïve\nn\nnaïv\n' })
    await openSearch()
    await button('Whole word').click()
    await search('кот')
    expect(labels()).toEqual(['a.txt, 1 line', 'Line 1: кот'])
    await search('na')
    await expect.poll(empty).toContain('No line has “na”')
    await search('naïv')
    expect(labels()).toEqual(['a.txt, 1 line', 'Line 5: naïv'])
  })

  test.each(['light', 'dark'])('highlights the opened line differently from a changed one, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    await here.playground.openFile('src/a.ts')
    await write('src/a.ts', FILES['src/a.ts'].replace('other = 2', 'other = 20'))
    await search('Needles')
    await page.getByRole('treeitem', { name: 'Line 3' }).click()
    await expect.poll(() => here.texts('.line.is-fresh')).toEqual(['\tconst Needles = needle + needle'])
    await Promise.all(document.getAnimations().map((animation) => animation.finished))
    const [plain, changed, found] = [1, 2, 3].map((line) => getComputedStyle(here.find(`.line[data-line="${line}"]`)))
    expect(new Set([plain, changed, found].map((look) => look?.backgroundColor)).size).toBe(3)
    const probe = here.find('.search').appendChild(Object.assign(document.createElement('i'), { style: 'background: var(--accent-soft)' }))
    expect(found?.backgroundColor).toBe(getComputedStyle(probe).backgroundColor)
    expect([plain, changed, found].map((look) => look?.boxShadow !== 'none')).toEqual([false, true, false])
  })

  test.each([
    ['(foo', 'missing closing )'],
    ['foo)', 'unexpected )'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['(?=x)', 'look-ahead "(?=" is not supported'],
    ['(a)\\1', 'back-reference "\\1" is not supported: write the repeated text out, or search for its first part'],
    ['a\\n', 'it contains a line break, which a single line never has'],
    ['x$&(', 'missing closing )'],
    [`${'a'.repeat(300)}(`, 'missing closing )'],
  ])('explains an invalid pattern in terms of the typed text: %s', async (wrong, why) => {
    await openSearch()
    await button('Regular expression').click()
    await field().fill(wrong)
    const shown = wrong.length > 60 ? `${wrong.slice(0, 60)}…` : wrong
    const told = `“${shown}” cannot be searched for: ${why}. Turn .* off to search for it as text.`
    await expect.poll(() => here.find('.search-problem').textContent).toBe(told)
    for (const choice of ['Match case', 'Whole word']) {
      await button(choice).click()
      await expect.poll(() => here.find('.search-problem').textContent).toBe(told)
    }
  })

  test('searches a newly opened workspace for the same text', async () => {
    await search('needle')
    await here.playground.load('other', { 'b.txt': 'a needle here' })
    await expect.poll(labels).toEqual(['b.txt, 1 line', 'Line 1: a needle here'])
    expect(isShown('.search-stale')).toBe(false)
  })

  test('explains an empty result', async () => {
    await openSearch()
    await expect.poll(empty).toContain('Search in all files')
    await search('nothing like it')
    await expect.poll(empty).toContain('No line has “nothing like it”')
    expect(empty()).toContain('6 files searched. Left out: what .gitignore files name, and node_modules.')
    expect(here.find('.search > [role=status]').textContent).toMatch(/^Nothing found No line has .* 6 files searched/)
    await here.playground.load('empty', {})
    await expect.poll(empty).toContain('There are no files yet.')
    await field().fill('')
    await expect.poll(empty).toContain('There are no files yet.')
  })

  test('skips binary files and huge lines, and says what was not searched', async () => {
    const huge = { 'huge.txt': `${'hay\n'.repeat(2_300_000)}needle\n`, 'line.txt': `${'hay '.repeat(2_300_000)}needle\n` }
    await start({ 'a.bin': Uint8Array.of(0, 110, 101, 101), ...huge, 'z.txt': 'needle\n' })
    await search('needle')
    expect(files()).toEqual(['huge.txt, 1 line', 'z.txt, 1 line'])
    expect(here.find('.search .pane-foot').textContent).toBe('Not searched: 1 binary file, 1 line too long for a pattern.')
  })

  test('truncates long lines around the match', async () => {
    await start({ 'min.js': `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}\n` })
    await search('needle')
    const text = here.find('.found-text').textContent ?? ''
    expect(text).toMatch(/^…x{9}needley+…$/)
    expect(text.length).toBeLessThan(300)
    const [mark] = here.root.querySelectorAll('.found mark')
    expect((mark?.getBoundingClientRect().right ?? 9999) <= here.find('.found').getBoundingClientRect().right).toBe(true)
  })

  test('finds files with any names', async () => {
    const names = ['a b/[x] {c,d}.txt', '!not.txt', '*star?.txt', '(a|b)/+@.txt', 'private\ue001.txt', 'ünï/😀.txt', '.dot/.file']
    await start(Object.fromEntries(names.map((name) => [name, 'needle\n'])))
    await search('needle')
    expect(files().toSorted()).toEqual(names.map((name) => `${name}, 1 line`).toSorted())
  })
})

describe('a long search in detail', () => {
  test('is not marked as busy before a delay', async () => {
    await search('needle')
    let typed = 0
    const early: number[] = []
    field()
      .element()
      .addEventListener('input', () => {
        typed = performance.now()
      })
    const watch = new MutationObserver(() => {
      const after = performance.now() - typed
      if (isShown('.search-progress') && after < 300) early.push(after)
    })
    watch.observe(here.find('.search'), { subtree: true, attributes: true, childList: true })
    onTestFinished(() => watch.disconnect())
    await search('KEY')
    expect(labels()).toEqual(['.env, 1 line', 'Line 1: KEY=needle'])
    expect(early).toEqual([])
  })
})

test('shows the first 10,000 lines, few of them in the document', async () => {
  const text = 'export const needle = "of the same kind"\n'.repeat(200)
  await start(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`src/${100 + index}.ts`, text])))
  await search('needle')
  expect(count()).toBe('10,000 lines in 50 files')
  expect(here.find('.search .pane-foot').textContent).toContain('the first 10,000 lines, there are more')
  expect(rows().length).toBeLessThan(90)
  field().element().focus()
  await userEvent.keyboard('{ArrowDown}{End}')
  expect(focused()).toBe('Line 200: export const needle = "of the same kind"')
  expect(rows().length).toBeLessThan(90)
  here.find('.found').scrollTop = 100 * 26
  await expect.poll(() => rows().some(({ dataset }) => dataset.at === '100')).toBe(true)
  await button('Close all files').click()
  expect(rows()[0]?.getAttribute('aria-setsize')).toBe('50')
  expect(labels()).toEqual(files())
})

describe('slices of a search', () => {
  const QUERY: Query = { text: 'needle', matchCase: false, wholeWord: false, isPattern: false, include: '', exclude: '', everything: false }

  function runtimeOf(): ToolRuntime {
    return createRuntime({ workspace: here.playground.session.workspace, tools: searchTools() })
  }

  beforeEach(async () => {
    const many = Array.from({ length: 3000 }, (_, index) => [`many/${index}.txt`, index % 1000 === 0 ? 'needle\n'.repeat(1500) : 'hay\n'])
    await start({ 'a.txt': 'needle\n', ...Object.fromEntries(many) })
  })

  test('arrive one after another and contain every line once', async () => {
    const found: Found[] = []
    for await (const slice of findText(runtimeOf(), QUERY, new AbortController().signal)) found.push(slice)
    expect(found[0]?.lines.map(({ path, line }) => `${path}:${line}`)[0]).toBe('a.txt:1')
    expect(found[0]?.searched).toBeLessThan(100)
    expect(found.reduce((sum, { searched }) => sum + searched, 0)).toBe(3001)
    const places = found.flatMap(({ lines }) => lines.map(({ path, line }) => `${path}:${line}`))
    expect(places).toHaveLength(4501)
    expect(new Set(places).size).toBe(4501)
  })

  test('end on abort', async () => {
    const control = new AbortController()
    const slices = findText(runtimeOf(), QUERY, control.signal)
    await slices.next()
    control.abort()
    await expect(slices.next()).rejects.toThrow()
    expect((await slices.next()).done).toBe(true)
  })
})

describe('opening a file by name, in detail', () => {
  test('accepts a line number', async () => {
    await ask()
    await userEvent.keyboard('a.ts:3')
    await expect.poll(chosen).toBe('src/a.ts')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => here.find('.editor-place').textContent).toBe('Line 3, column 1')
  })

  test('lists recently opened files first, and Escape closes the list', async () => {
    await here.playground.openFile('src/lib/deep.ts')
    await here.playground.openFile('src/page.html')
    await ask()
    await expect.poll(() => options()[0]).toBe('src/lib/deep.ts')
    await userEvent.keyboard('zzz')
    await expect.poll(options).toEqual([])
    expect(quick().querySelector('[role=status]')?.textContent).toContain('No file has such a name')
    await userEvent.keyboard('{Enter}')
    expect(isShown('.quick-open')).toBe(true)
    await userEvent.keyboard('{Escape}')
    expect(isShown('.quick-open')).toBe(false)
    expect(title()).toBe('src/page.html')
  })

  test('leaves Ctrl+P to the terminal', () => {
    const event = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true, cancelable: true })
    here.find('.pane-terminal').dispatchEvent(event)
    expect(event.defaultPrevented).toBe(false)
  })

  test('reports an empty workspace', async () => {
    await here.playground.load('empty', {})
    await userEvent.keyboard('{Control>}p{/Control}')
    await expect.poll(() => here.root.querySelector('.quick-note')?.textContent).toBe('There are no files.')
  })
})
