import { afterEach, beforeEach, expect, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createDraftStore } from '../../demo/src/editor/drafts.js'
import { createEditorPane, type EditorPane } from '../../demo/src/editor/editor-pane.js'
import type { Session } from '../../demo/src/session.js'
import { openPage, type TestPage } from './page.js'

export const LONG = Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`).join('')
export const FILES = {
  'README.md': '# Read me\n',
  'src/a.ts': 'export const a = 1\nexport const b = 2\nexport const c = 3\nexport const d = 4\nexport const e = 5\n',
  'src/b.ts': 'export const other = "b"\n',
  'crlf.txt': new TextEncoder().encode('\ufeffone\r\ntwo\r\n'),
  'mixed.txt': 'one\r\ntwo\nthree\r\n',
  'long.txt': LONG,
}

export let here: TestPage

export const workspace = (): Session['workspace'] => here.playground.session.workspace
export const read = async (path: string): Promise<string> => (await workspace().readText(path)).text
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const tabs = (): (string | null)[] => [...here.root.querySelectorAll('.editor-tab')].map((tab) => tab.getAttribute('aria-label'))
export const lines = (): string[] => here.texts('.cm-line').map((line) => line ?? '')
export const said = (): string => here.find('.editor-said').textContent ?? ''
export const bar = (): string | undefined => here.root.querySelector('.editor-bar:not([hidden]) p')?.textContent ?? undefined
/** Opens a file and waits until it can be edited. */
export async function edit(path: string): Promise<void> {
  await here.playground.openFile(path)
  await expect.poll(() => here.root.querySelector('.cm-content')?.getAttribute('aria-label')).toBe(`Text of ${path}`)
  expect(here.find('.editor-host').hidden).toBe(false)
}

/** Types at the end of a line (1-based). */
export async function typeAt(line: number, text: string): Promise<void> {
  const target = here.root.querySelector(`.cm-line[data-line="${line}"]`)
  if (!target) throw new Error(`Line ${line} is not shown`)
  await userEvent.click(target)
  await userEvent.keyboard(`{End}${text.replace(/[[{]/g, '$&$&')}`)
}

export const save = (): Promise<void> => userEvent.keyboard('{Control>}s{/Control}')
/** Edits a file as an agent does, with a tool of the page. */
export async function change(path: string, before: string, after: string): Promise<void> {
  const { runtime } = here.playground.session
  const result = await runtime.execute({ name: 'edit_file', input: { path, edits: [{ old_string: before, new_string: after }] } })
  expect(result.ok).toBe(true)
}

/** Makes the page look for changes, as after any call. */
export async function noticed(): Promise<void> {
  page.getByRole('radio', { name: 'write_file', exact: true }).element().focus()
  await userEvent.keyboard(' ')
  await page.getByLabelText('path', { exact: true }).fill('noticed.txt')
  await page.getByLabelText('content', { exact: true }).fill('x')
  await button('Run').click()
  await expect.element(page.getByRole('treeitem', { name: 'noticed.txt, added' })).toBeVisible()
}

/** Opens the page again, as a reload does. */
export async function again(): Promise<void> {
  await here.close()
  here = await openPage({ files: FILES, name: 'edited', remember: true })
}

export let pane: EditorPane | undefined

export async function paneOn(session: Session): Promise<EditorPane> {
  const made = createEditorPane({
    noFile: document.createElement('div'),
    drafts: createDraftStore(),
    isPath: () => false,
    onPreview: () => undefined,
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

/** Registers hooks that open the page before each test and close it afterwards. */
export function useEditorPage(): void {
  beforeEach(async () => {
    localStorage.removeItem('toolport.drafts')
    localStorage.removeItem('toolport.workspaces')
    here = await openPage({ files: FILES, name: 'edited' })
    // Closes the file that the page opens first.
    here.find('.editor-tab-close').click()
  })

  afterEach(async () => {
    await here.close()
    delete document.documentElement.dataset.theme
    localStorage.removeItem('toolport.drafts')
  })
}
