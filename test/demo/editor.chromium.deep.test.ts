// @module-tag playground
import '../../demo/src/styles/index.css'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createDraftStore } from '../../demo/src/editor/drafts.js'
import { createSession } from '../../demo/src/session.js'
import {
  again,
  bar,
  button,
  change,
  edit,
  here,
  lines,
  noticed,
  paneOn,
  read,
  said,
  save,
  tabs,
  typeAt,
  useEditorPage,
  workspace,
} from './editor-page.js'

useEditorPage()

describe('editor tabs', () => {
  test('keep their height when the text gets the focus', async () => {
    await page.viewport(1024, 700)
    await edit('src/a.ts')
    const before = here.find('.editor-foot').offsetHeight
    here.find('.cm-content').focus()
    expect(getComputedStyle(here.find('.editor-hint')).display).toBe('block')
    expect(here.find('.editor-foot').offsetHeight).toBe(before)
  })

  test('have their own history and cursor', async () => {
    await edit('src/a.ts')
    await typeAt(2, ' // a')
    await edit('src/b.ts')
    await typeAt(1, ' // b')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => lines()[0]).toBe('export const other = "b"')
    await userEvent.keyboard('{Control>}z{/Control}')
    await edit('src/a.ts')
    expect(lines()[1]).toBe('export const b = 2 // a')
    expect(here.find('.editor-place').textContent).toBe('Line 2, column 24')
    here.find('.cm-content').focus()
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => lines()[1]).toBe('export const b = 2')
    expect(tabs()).toEqual(['a.ts', 'b.ts'])
  })

  test('follow a moved directory, with unsaved text', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // kept')
    page.getByRole('radio', { name: 'move_file', exact: true }).element().focus()
    await userEvent.keyboard(' ')
    await page.getByLabelText('from', { exact: true }).fill('src')
    await page.getByLabelText('to', { exact: true }).fill('lib')
    await button('Run').click()
    await expect.poll(() => here.find('.file-title').textContent).toBe('lib/a.ts')
    expect(lines()[0]).toBe('export const a = 1 // kept')
    await save()
    await expect.poll(() => read('lib/a.ts')).toContain('// kept')
  })
})

describe('saving in the editor', () => {
  test('happens before a file is run', async () => {
    await workspace().writeText('run.js', 'console.log("before")\n')
    await edit('run.js')
    await typeAt(1, '; console.log("after")')
    await button('Run this file').click()
    await expect.poll(() => here.root.querySelector('.run-output')?.textContent).toBe('before\nafter\n')
  })
})

describe('a change of an open file', () => {
  test('updates a saved text, and keeps cursor and scroll position', async () => {
    await edit('long.txt')
    const scroller = here.find('.cm-scroller')
    await typeAt(3, '')
    await change('long.txt', 'line 1\n', 'line 0\nline 1\n')
    await change('long.txt', 'line 300\n', 'line 300, changed\n')
    const top = scroller.scrollTop
    await here.playground.openFile('long.txt')
    await expect.poll(() => lines()[0]).toBe('line 0')
    expect(here.find('.editor-place').textContent).toBe('Line 4, column 7')
    expect(scroller.scrollTop).toBe(top)
    await expect.poll(tabs).toEqual(['long.txt'])
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(lines()[0]).toBe('line 0')
  })

  test('scrolls into view if nobody works in the text', async () => {
    await edit('long.txt')
    await change('long.txt', 'line 300\n', 'line 300, changed\n')
    await noticed()
    await expect.poll(() => here.texts('.line.is-fresh')).toEqual(['line 300, changed'])
  })

  test('can be overridden by the unsaved text, and stays in the timeline', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await change('src/a.ts', 'a = 1', 'a = 100')
    await noticed()
    await button('Keep mine').click()
    await expect.poll(said).toContain('in the timeline')
    expect(await read('src/a.ts')).toContain('export const a = 1 // mine\n')
    const kept = (await workspace().checkpoints()).findLast(({ label }) => label === 'Before saving src/a.ts')
    await workspace().restore(kept?.id ?? '')
    expect(await read('src/a.ts')).toContain('export const a = 100\n')
  })

  test('can replace the unsaved text, which undo restores', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await change('src/a.ts', 'a = 1', 'a = 100')
    await noticed()
    await button('Use theirs').click()
    await expect.poll(() => lines()[0]).toBe('export const a = 100')
    expect(tabs()).toEqual(['a.ts'])
    here.find('.cm-content').focus()
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // mine')
    expect(tabs()).toEqual(['a.ts, not saved'])
  })

  test('equal to the unsaved text needs no action', async () => {
    await edit('src/a.ts')
    await typeAt(1, '0')
    await change('src/a.ts', 'a = 1', 'a = 10')
    await noticed()
    await expect.poll(tabs).toEqual(['a.ts'])
    expect(bar()).toBeUndefined()
  })
})

test('the editor marks only the first hundred invisible characters of a line', async () => {
  await here.playground.session.workspace.writeText('hidden.txt', `${'\u200ba'.repeat(40)}\n${'\u200ba'.repeat(300)}\n`)
  await edit('hidden.txt')
  const marks = (line: number): number => here.root.querySelectorAll(`.cm-line[data-line="${line}"] .cm-specialChar`).length
  await expect.poll(() => [marks(1), marks(2)]).toEqual([40, 100])
})

test('unsaved changes are shown beside the saved text and can be reverted', async () => {
  await edit('src/a.ts')
  expect(button('Changes').elements()).toHaveLength(0)
  await typeAt(1, '0')
  await typeAt(5, '0')
  await button('Changes').click()
  await expect.element(button('Changes')).toHaveAttribute('aria-pressed', 'true')
  expect(here.texts('.cm-deletedChunk del, .cm-deletedChunk .cm-deletedLine')).toContain('export const a = 1')
  await button('Put back').nth(0).click()
  expect(lines()).toContain('export const a = 1')
  await button('Put back').click()
  await expect.poll(tabs).toEqual(['a.ts'])
})

describe('an unsaved draft', () => {
  beforeEach(again)

  test.each(['Open', 'Discard'])('leaves the focus in the editor after %s', async (name) => {
    createDraftStore('toolport.drafts').put('memory:edited', { path: 'src/a.ts', text: 'x', base: '', time: 1, visit: 'before' })
    await again()
    await expect.poll(bar).toContain('Not saved')
    button(name).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => bar() ?? '').not.toContain('Not saved')
    await expect.poll(() => here.find('.pane-view').contains(document.activeElement)).toBe(true)
  })

  test('is offered by name, with invisible characters escaped', async () => {
    const store = createDraftStore('toolport.drafts')
    for (const [time, name] of ['a\u202eb.txt', 'c', 'd', 'e'].entries()) {
      store.put('memory:edited', { path: `lib/${name}`, text: 'x', base: '', time, visit: 'before' })
    }
    await again()
    await expect.poll(bar).toBe('Not saved when this page was left: a⟨U+202E⟩b.txt, c, d and 1 more.')
  })

  test('an unsaved draft of a deleted file can be saved', async () => {
    createDraftStore('toolport.drafts').put('memory:edited', {
      path: 'gone.txt',
      text: 'still here',
      base: '',
      time: Date.now(),
      visit: 'before',
    })
    await again()
    await button('Open').click()
    await button('Save it again').click()
    await expect.poll(() => workspace().exists('gone.txt')).toBe(true)
    expect(await read('gone.txt')).toBe('still here')
  })

  test('is forgotten when it is discarded', async () => {
    createDraftStore('toolport.drafts').put('memory:edited', { path: 'src/a.ts', text: 'x', time: Date.now(), visit: 'before' })
    await again()
    await button('Discard').click()
    await again()
    expect(bar()).toBeUndefined()
  })
})

describe('read-only views', () => {
  test('a huge text is shown in pages', async () => {
    const session = createSession('huge', { files: { 'huge.txt': 'a line of text\n'.repeat(180_000) } })
    const { element, open } = await paneOn(session)
    await open('huge.txt')
    expect(element.querySelector('.editor-bar:not([hidden])')?.textContent).toContain('larger than 2 MiB')
    expect(element.querySelector('.code .line')?.textContent).toBe('a line of text')
    expect(element.querySelector('.more')).not.toBeNull()
    await open('none.txt')
    expect(element.textContent).toContain('This file is gone')
    expect(element.querySelector('.cm-content:not([hidden] *)')).toBeNull()
    await session.close()
  })
})

describe('the text of the editor', () => {
  const SAMPLES: Readonly<Record<string, string>> = {
    'a.ts': '// note\nexport class Thing<T> { run(): string { return `x` + /re/.source + 12 } }\n',
    'a.jsx': 'const x = <p className="y">{1}</p>\n',
    'a.json': '{"key": [1, true, null, "text"]}\n',
    'a.css': '/* c */\n.a:hover { color: #fff; width: 2px }\n',
    'a.html': '<!doctype html><p class="x">text</p><!-- c -->\n',
    'a.md': '# Title\n\n**strong** `code` [link](x)\n\n```js\nconst a = 1\n```\n',
    'a.py': '# c\ndef f(x):\n    return "s" + 1\n',
    'a.rs': '// c\nfn main() -> u32 { let x = "s"; 1 }\n',
    'a.yaml': 'key: value # c\nlist:\n  - 1\n',
    'a.sh': '# c\nfor x in a; do echo "$x"; done\n',
    'a.toml': '# c\n[table]\nkey = "v"\n',
    'a.sql': "select 1 from t where x = 'y' -- c\n",
  }

  test('is highlighted by language', async () => {
    for (const [path, text] of Object.entries(SAMPLES)) {
      await workspace().writeText(path, text)
      await edit(path)
      await expect.poll(() => here.root.querySelectorAll('.cm-line [class^=tok-]').length).toBeGreaterThan(1)
    }
  })

  test('Markdown text highlights code blocks by language', async () => {
    await workspace().writeText('fence.md', 'text\n\n```ts\nexport const a = 1\n```\n')
    await edit('fence.md')
    await expect.poll(() => here.texts('.cm-line[data-line="4"] .tok-keyword')).toEqual(['export', 'const'])
  })

  test('is left with Escape and Tab; Tab alone indents', async () => {
    await edit('src/a.ts')
    const content = here.find('.cm-content')
    expect(document.getElementById(content.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Escape, then Tab')
    await typeAt(1, '')
    await userEvent.keyboard('{Home}{Tab}')
    expect(lines()[0]).toBe('  export const a = 1')
    expect(document.activeElement).toBe(content)
    await userEvent.keyboard('{Escape}{Tab}')
    expect(document.activeElement).not.toBe(content)
    expect(lines()[0]).toBe('  export const a = 1')
  })
})
