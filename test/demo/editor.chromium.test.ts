// @module-tag playground
import '../../demo/src/styles/index.css'
import { Text } from '@codemirror/state'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createDraftStore } from '../../demo/src/editor/drafts.js'
import { createEditorPane, type EditorPane } from '../../demo/src/editor/editor-pane.js'
import { languageOf } from '../../demo/src/editor/languages.js'
import { joinChanges } from '../../demo/src/editor/three-way.js'
import { createSession, type Session } from '../../demo/src/session.js'
import fc from '../fast-check.js'
import { axeViolations, openPage, type TestPage } from './page.js'

const LONG = Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`).join('')
const FILES = {
  'README.md': '# Read me\n',
  'src/a.ts': 'export const a = 1\nexport const b = 2\nexport const c = 3\nexport const d = 4\nexport const e = 5\n',
  'src/b.ts': 'export const other = "b"\n',
  'crlf.txt': new TextEncoder().encode('\ufeffone\r\ntwo\r\n'),
  'mixed.txt': 'one\r\ntwo\nthree\r\n',
  'long.txt': LONG,
}

let here: TestPage

beforeEach(async () => {
  localStorage.removeItem('toolport.drafts')
  localStorage.removeItem('toolport.workspaces')
  here = await openPage({ files: FILES, name: 'edited' })
  // The one that the page begins with.
  here.find('.editor-tab-close').click()
})

afterEach(async () => {
  await here.close()
  delete document.documentElement.dataset.theme
  localStorage.removeItem('toolport.drafts')
})

const workspace = (): Session['workspace'] => here.playground.session.workspace
const read = async (path: string): Promise<string> => (await workspace().readText(path)).text
const button = (name: string) => page.getByRole('button', { name, exact: true })
const tabs = (): (string | null)[] => [...here.root.querySelectorAll('.editor-tab')].map((tab) => tab.getAttribute('aria-label'))
const shownTab = (): string | undefined => here.root.querySelector<HTMLElement>('.editor-tab[aria-selected=true]')?.dataset.path
const lines = (): string[] => here.texts('.cm-line').map((line) => line ?? '')
const said = (): string => here.find('.editor-said').textContent ?? ''
const bar = (): string | undefined => here.root.querySelector('.editor-bar:not([hidden]) p')?.textContent ?? undefined

/** Opens a file and waits until it can be edited. */
async function edit(path: string): Promise<void> {
  await here.playground.openFile(path)
  await expect.poll(() => here.root.querySelector('.cm-content')?.getAttribute('aria-label')).toBe(`Text of ${path}`)
  expect(here.find('.editor-host').hidden).toBe(false)
}

/** Types at the end of a line (1-based). */
async function typeAt(line: number, text: string): Promise<void> {
  const target = here.root.querySelector(`.cm-line[data-line="${line}"]`)
  if (!target) throw new Error(`Line ${line} is not shown`)
  await userEvent.click(target)
  await userEvent.keyboard(`{End}${text.replace(/[[{]/g, '$&$&')}`)
}

const save = (): Promise<void> => userEvent.keyboard('{Control>}s{/Control}')

/** What another one does: a tool, by the page's own way. */
async function change(path: string, before: string, after: string): Promise<void> {
  const { runtime } = here.playground.session
  const result = await runtime.execute({ name: 'edit_file', input: { path, edits: [{ old_string: before, new_string: after }] } })
  expect(result.ok).toBe(true)
}

/** The page looks for what has changed, as after any call. */
async function noticed(): Promise<void> {
  page.getByRole('radio', { name: 'write_file', exact: true }).element().focus()
  await userEvent.keyboard(' ')
  await page.getByLabelText('path', { exact: true }).fill('noticed.txt')
  await page.getByLabelText('content', { exact: true }).fill('x')
  await button('Run').click()
  await expect.element(page.getByRole('treeitem', { name: 'noticed.txt, added' })).toBeVisible()
}

describe('tabs', () => {
  test('hold the open files, walked and closed with the keyboard', async () => {
    await edit('src/a.ts')
    await edit('src/b.ts')
    expect(tabs()).toEqual(['a.ts', 'b.ts'])
    here.find('.editor-tab[tabindex="0"]').focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(shownTab()).toBe('src/a.ts')
    await expect.poll(() => lines()[0]).toBe('export const a = 1')
    await userEvent.keyboard('{ArrowLeft}')
    expect(shownTab()).toBe('src/b.ts')
    await userEvent.keyboard('{Home}{Delete}')
    await expect.poll(tabs).toEqual(['b.ts'])
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('b.ts')
    await userEvent.keyboard('{Delete}')
    await expect.element(page.getByText('Choose a file')).toBeVisible()
    expect(here.root.querySelector('[role=treeitem][aria-selected=true]')).toBeNull()
  })

  test('show what is not saved, and ask before it is closed', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await expect.poll(tabs).toEqual(['a.ts, not saved'])
    await userEvent.click(here.find('.editor-tab-close'))
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(tabs()).toEqual(['a.ts, not saved'])
    await userEvent.click(here.find('.editor-tab-close'))
    await page.getByRole('dialog', { name: 'Save a.ts?' }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(tabs).toEqual([])
    expect(await read('src/a.ts')).toContain('export const a = 1 // mine\n')

    await edit('src/a.ts')
    await typeAt(1, ' again')
    await userEvent.click(here.find('.editor-tab-close'))
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await expect.poll(tabs).toEqual([])
    expect(await read('src/a.ts')).not.toContain('again')
  })

  test('keep their height when somebody goes into the text', async () => {
    await page.viewport(1024, 700)
    await edit('src/a.ts')
    const before = here.find('.editor-foot').offsetHeight
    here.find('.cm-content').focus()
    expect(getComputedStyle(here.find('.editor-hint')).display).toBe('block')
    expect(here.find('.editor-foot').offsetHeight).toBe(before)
  })

  test('each have their own history and cursor', async () => {
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

  test('follow a directory that is moved, with what is not saved', async () => {
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

describe('saving', () => {
  test('writes the text, tells so, marks the line, and can be undone from the timeline', async () => {
    await edit('src/a.ts')
    await typeAt(2, ' // mine')
    await save()
    await expect.poll(said).toBe('Saved src/a.ts')
    expect(await read('src/a.ts')).toBe(FILES['src/a.ts'].replace('b = 2', 'b = 2 // mine'))
    await expect.element(page.getByRole('treeitem', { name: 'a.ts, modified' })).toBeVisible()
    expect(here.texts('.line.is-changed')).toEqual(['export const b = 2 // mine'])
    await expect.poll(tabs).toEqual(['a.ts'])
    await typeAt(2, ' again')
    await save()
    await expect.poll(() => read('src/a.ts')).toContain('again')
    const kept = (await workspace().checkpoints()).find(({ label }) => label === 'Before saving src/a.ts')
    await workspace().restore(kept?.id ?? '')
    expect(await read('src/a.ts')).toBe(FILES['src/a.ts'].replace('b = 2', 'b = 2 // mine'))
  })

  test.each([
    ['crlf.txt', '\ufeffone!\r\ntwo\r\n'],
    ['mixed.txt', 'one\r\ntwo\nthree\r\n'.replace('two', 'two!')],
  ])('keeps line endings and a byte order mark: %s', async (path, expected) => {
    await edit(path)
    await typeAt(path === 'crlf.txt' ? 1 : 2, '!')
    await save()
    await expect.poll(said).toBe(`Saved ${path}`)
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode((await workspace().readBytes(path)).bytes)).toBe(expected)
  })

  test('does not write over what it has not seen', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await workspace().writeText('src/a.ts', 'theirs\n')
    await save()
    await expect.poll(said).toContain('Not saved')
    expect(await read('src/a.ts')).toBe('theirs\n')
    await expect.poll(bar).toContain('1 place was changed by both')
    await expect.element(button('Save the merge')).toBeVisible()
  })

  test('runs what is seen', async () => {
    await workspace().writeText('run.js', 'console.log("before")\n')
    await edit('run.js')
    await typeAt(1, '; console.log("after")')
    await button('Run this file').click()
    await expect.poll(() => here.root.querySelector('.run-output')?.textContent).toBe('before\nafter\n')
  })
})

describe('what changes underneath', () => {
  test('is followed by a text that is saved, cursor and place kept', async () => {
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

  test('comes into view where nobody is at work in the text', async () => {
    await edit('long.txt')
    await change('long.txt', 'line 300\n', 'line 300, changed\n')
    await noticed()
    await expect.poll(() => here.texts('.line.is-fresh')).toEqual(['line 300, changed'])
  })

  test('is put together with what is not saved, place by place', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await change('src/a.ts', 'e = 5', 'e = 50')
    await noticed()
    await expect.poll(tabs).toEqual(['a.ts, not saved, changed underneath'])
    await button('Merge').click()
    expect(bar()).toContain('Both changes fit together')
    expect(lines()).toEqual(expect.arrayContaining(['export const a = 1 // mine', 'export const e = 50']))
    await button('Save the merge').click()
    await expect.poll(said).toContain('Saved src/a.ts')
    expect(await read('src/a.ts')).toBe(FILES['src/a.ts'].replace('a = 1', 'a = 1 // mine').replace('e = 5', 'e = 50'))
    await expect.poll(bar).toBeUndefined()
  })

  test('and clashes is chosen from, place by place', async () => {
    await edit('src/a.ts')
    // However long the lines are, what can be done is in sight.
    await typeAt(1, ` // mine, ${'long '.repeat(50)}`)
    await change('src/a.ts', 'a = 1', 'a = 100')
    await noticed()
    await button('Merge').click()
    expect(bar()).toContain('1 place was changed by both')
    const pane = here.find('.editor-host').getBoundingClientRect()
    for (const name of ['Keep mine', 'Take theirs']) {
      const { left, right } = here.find(`.chunk-${name === 'Keep mine' ? 'accept' : 'reject'}`).getBoundingClientRect()
      expect(left >= pane.left && right <= pane.right, name).toBe(true)
    }
    expect(here.find('.cm-deletedChunk').textContent).toContain('export const a = 100')
    await button('Take theirs').click()
    expect(here.root.querySelector('.cm-deletedChunk')).toBeNull()
    await button('Save the merge').click()
    await expect.poll(tabs).toEqual(['a.ts'])
    expect(await read('src/a.ts')).toContain('export const a = 100\n')
  })

  test('gives way to mine, and stays in the timeline', async () => {
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

  test('takes the place of mine, which undo brings back', async () => {
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

  test('by the same change leaves nothing to do', async () => {
    await edit('src/a.ts')
    await typeAt(1, '0')
    await change('src/a.ts', 'a = 1', 'a = 10')
    await noticed()
    await expect.poll(tabs).toEqual(['a.ts'])
    expect(bar()).toBeUndefined()
  })

  test('by deletion keeps what is not saved, to be saved again', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await workspace().remove('src/a.ts')
    await noticed()
    await expect.poll(bar).toContain('This file was deleted')
    expect(lines()[0]).toBe('export const a = 1 // mine')
    await button('Save it again').click()
    await expect.poll(said).toBe('Saved src/a.ts')
    expect(await read('src/a.ts')).toContain('// mine')
    await expect.poll(bar).toBeUndefined()
  })
})

test('of very many characters that do not show, the first hundred of a line are marked', async () => {
  await here.playground.session.workspace.writeText('hidden.txt', `${'\u200ba'.repeat(40)}\n${'\u200ba'.repeat(300)}\n`)
  await edit('hidden.txt')
  const marks = (line: number): number => here.root.querySelectorAll(`.cm-line[data-line="${line}"] .cm-specialChar`).length
  await expect.poll(() => [marks(1), marks(2)]).toEqual([40, 100])
})

test('what is not saved is shown beside what is, and put back', async () => {
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

describe('unsaved text', () => {
  async function again(): Promise<void> {
    await here.close()
    here = await openPage({ files: FILES, name: 'edited', remember: true })
  }

  beforeEach(again)

  test('is offered again after a reload, and is the text as it was left', async () => {
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await again()
    await expect.poll(bar).toBe('Not saved when this page was left: a.ts.')
    await button('Open').click()
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // mine')
    expect(tabs()).toContain('a.ts, not saved')
    await save()
    await expect.poll(said).toBe('Saved src/a.ts')
    await again()
    expect(bar()).toBeUndefined()
  })

  test.each(['Open', 'Discard'])('leaves the focus in the editor when the offer is gone by %s', async (name) => {
    createDraftStore('toolport.drafts').put('memory:edited', { path: 'src/a.ts', text: 'x', base: '', time: 1, visit: 'before' })
    await again()
    await expect.poll(bar).toContain('Not saved')
    button(name).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => bar() ?? '').not.toContain('Not saved')
    await expect.poll(() => here.find('.pane-view').contains(document.activeElement)).toBe(true)
  })

  test('is offered by its name, in which nothing is hidden', async () => {
    const store = createDraftStore('toolport.drafts')
    for (const [time, name] of ['a\u202eb.txt', 'c', 'd', 'e'].entries()) {
      store.put('memory:edited', { path: `lib/${name}`, text: 'x', base: '', time, visit: 'before' })
    }
    await again()
    await expect.poll(bar).toBe('Not saved when this page was left: a⟨U+202E⟩b.txt, c, d and 1 more.')
  })

  test('is merged where the file is another one by now', async () => {
    const store = createDraftStore('toolport.drafts')
    const base = FILES['src/a.ts'].replace('e = 5', 'e = before')
    store.put('memory:edited', { path: 'src/a.ts', text: base.replace('a = 1', 'a = 7'), base, time: Date.now(), visit: 'before' })
    await again()
    await button('Open').click()
    await expect.poll(bar).toContain('changed underneath')
    await button('Merge').click()
    await button('Save the merge').click()
    await expect.poll(() => read('src/a.ts')).toBe(FILES['src/a.ts'].replace('a = 1', 'a = 7'))
  })

  test('of a file that is gone can be saved', async () => {
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

  test('stays kept while it is not asked for, whatever is typed meanwhile', async () => {
    const draft = { path: 'src/a.ts', text: 'from before\n', time: Date.now(), visit: 'before' }
    createDraftStore('toolport.drafts').put('memory:edited', draft)
    await again()
    await edit('src/a.ts')
    await typeAt(1, ' // since')
    await here.close()
    expect(createDraftStore('toolport.drafts').list('memory:edited')).toEqual([
      draft,
      expect.objectContaining({ text: expect.stringContaining('// since') }),
    ])
    here = await openPage({ files: FILES, name: 'edited', remember: true })
    await edit('src/a.ts')
    await typeAt(1, ' // now')
    await button('Open').click()
    // The latest; what was typed now is one step back.
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // since')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => lines()[0]).toBe('export const a = 1 // now')
  })

  test('is forgotten when it is discarded', async () => {
    createDraftStore('toolport.drafts').put('memory:edited', { path: 'src/a.ts', text: 'x', time: Date.now(), visit: 'before' })
    await again()
    await button('Discard').click()
    await again()
    expect(bar()).toBeUndefined()
  })
})

describe('drafts', () => {
  test('are bounded: the base goes first, then the text is refused', () => {
    const store = createDraftStore()
    const big = 'x'.repeat(1_500_000)
    const draft = { path: 'a', text: big, time: 1, visit: '1' }
    expect(store.put('w', { ...draft, base: big })).toBe(true)
    expect(store.list('w')).toEqual([draft])
    expect(store.put('other', { ...draft, path: 'b' })).toBe(false)
    expect(store.put('w', { ...draft, time: 2 })).toBe(true)
    store.remove('w', draft)
    expect(store.list('w')).toEqual([])
  })

  test.each(['null', '3', '{"w": 3}', '{"w": [{"path": 1}]}', '{'])('do not trust what is stored: %s', (stored) => {
    localStorage.setItem('toolport.drafts', stored)
    expect(createDraftStore('toolport.drafts').list('w')).toEqual([])
  })
})

describe('what is not edited', () => {
  let pane: EditorPane | undefined

  async function paneOn(session: Session): Promise<EditorPane> {
    const made = createEditorPane({
      noFile: document.createElement('div'),
      drafts: createDraftStore(),
      isPath: () => false,
      onOpenPath: () => {},
      onCall: async () => {},
      onSaved: async () => {},
      onShow: () => {},
    })
    pane = made
    const holder = document.createElement('div')
    holder.className = 'playground'
    holder.append(made.element)
    document.body.append(holder)
    onTestFinished(() => {
      pane?.dispose()
      holder.remove()
    })
    made.use(session)
    return made
  }

  test('a read-only workspace says so, and refuses to be typed into', async () => {
    const fs = createMemoryFs()
    await createWorkspace({ fs }).writeText('a.txt', 'fixed\n')
    const session = { ...createSession('fixed', {}), workspace: createWorkspace({ fs, policy: { readOnly: true } }) }
    const { element, open, save: tryToSave } = await paneOn(session)
    await open('a.txt')
    await expect.poll(() => element.querySelector('.cm-content')?.getAttribute('aria-readonly')).toBe('true')
    expect(element.querySelector('.editor-bar:not([hidden])')?.textContent).toContain('read-only')
    await userEvent.click(element.querySelector('.cm-line') as Element)
    await userEvent.keyboard('x')
    expect(element.querySelector('.cm-line')?.textContent).toBe('fixed')
    expect(await tryToSave()).toBe(false)
    await session.close()
  })

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

describe('the text', () => {
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

  test.each(Object.keys(SAMPLES))('is coloured by its language: %s', async (path) => {
    await workspace().writeText(path, SAMPLES[path] ?? '')
    await edit(path)
    await expect.poll(() => here.root.querySelectorAll('.cm-line [class^=tok-]').length).toBeGreaterThan(1)
  })

  test('of Markdown has its blocks in their languages', async () => {
    await workspace().writeText('fence.md', 'text\n\n```ts\nexport const a = 1\n```\n')
    await edit('fence.md')
    await expect.poll(() => here.texts('.cm-line[data-line="4"] .tok-keyword')).toEqual(['export', 'const'])
  })

  test('of an unknown kind is plain', async () => {
    expect(await languageOf('notes.unknown')).toBeUndefined()
    expect(await languageOf('Dockerfile')).toBeDefined()
  })

  test.each(['light', 'dark'])('can be read: contrast of at least 4.5, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    const grounds = ['--panel', '--editor-line', '--changed-soft', '--changed-strong', '--added-soft', '--removed-soft']
    const inks = ['--ink', ...['keyword', 'string', 'comment', 'number', 'type', 'call'].map((kind) => `--tok-${kind}`)]
    for (const ground of grounds) {
      for (const ink of inks) expect(contrast(colour(ink), colour(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
    await edit('src/a.ts')
    await typeAt(1, ' // mine')
    await change('src/a.ts', 'a = 1', 'a = 100')
    await noticed()
    expect(await axeViolations()).toEqual([])
    await button('Merge').click()
    expect(await axeViolations()).toEqual([])
    here.find('.cm-content').focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await expect.element(page.getByRole('textbox', { name: 'Find' })).toHaveFocus()
    expect(await axeViolations()).toEqual([])
  })

  test('is searched', async () => {
    await edit('src/a.ts')
    here.find('.cm-content').focus()
    await userEvent.keyboard('{Control>}f{/Control}')
    await userEvent.keyboard('const')
    await expect.poll(() => here.root.querySelectorAll('.cm-searchMatch').length).toBe(5)
    await userEvent.keyboard('{Enter}{Enter}{Escape}')
    expect(here.find('.editor-place').textContent).toBe('Line 2, column 13')
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

describe('two changes of one text', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 6 }).map((lines) => Text.of(['', ...lines]))

  test('are joined: one that nobody else has made is taken, nothing of mine is lost', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(joinChanges(base, base, other).changes.apply(base).toString()).toBe(other.toString())
        expect(joinChanges(base, other, base).changes.apply(other).toString()).toBe(other.toString())
        const same = joinChanges(base, other, other)
        expect([same.changes.apply(other).toString(), same.clashes]).toEqual([other.toString(), 0])
      }),
    )
  })

  test.each([
    ['a b c d e', 'A b c d e', 'a b c d E', 'A b c d E', 0],
    ['a b c d e', 'A b c d e', 'X b c d e', 'A b c d e', 1],
    ['a b c d e', 'a b c d e f', 'X a b c d e', 'X a b c d e f', 0],
    ['a b c d e', 'a c d e', 'a b c d', 'a c d', 0],
    ['a', 'b', 'c', 'b', 1],
  ])('%s: %s and %s', (base, mine, theirs, expected, clashes) => {
    const [one, two, three] = [base, mine, theirs].map((line) => Text.of(line.split(' '))) as [Text, Text, Text]
    const joined = joinChanges(one, two, three)
    expect(joined.changes.apply(two).toJSON().join(' ')).toBe(expected)
    expect(joined.clashes).toBe(clashes)
  })
})

/** A token as red, green and blue, 0 to 1. */
function colour(token: string): [number, number, number] {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const style = document.createElement('span')
  document.body.append(style)
  style.style.color = `var(${token})`
  if (!probe) throw new Error('No canvas')
  probe.fillStyle = getComputedStyle(style).color
  style.remove()
  probe.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data
  return [red / 255, green / 255, blue / 255]
}

function contrast(a: [number, number, number], b: [number, number, number]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(parts: [number, number, number]): number {
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
