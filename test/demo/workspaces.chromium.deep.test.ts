// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createDraftStore } from '../../demo/src/editor/drafts.js'
import { copyWorkspace } from '../../demo/src/homes/copy-workspace.js'
import { choiceOf, type Home } from '../../demo/src/homes/homes.js'
import {
  addHome,
  begunHomes,
  forgetHome,
  isKnown,
  knownHomes,
  lastHome,
  noteBegun,
  rememberHome,
} from '../../demo/src/homes/known-homes.js'
import { openSession } from '../../demo/src/homes/open-session.js'
import { beginFilling } from '../../demo/src/homes/unfinished.js'
import { createNotice } from '../../demo/src/notice.js'
import { createSession, type Files, type Session, type Workspace } from '../../demo/src/session.js'
import { createWorkspaceActions } from '../../demo/src/workspace-actions.js'
import {
  again,
  asksToLeave,
  choose,
  detail,
  FILES,
  forgetAfterwards,
  KEPT,
  newName,
  openDialog,
  problem,
  shown,
  useWorkspacesPage,
  writeNote,
} from './workspaces-page.js'

useWorkspacesPage()

describe('a persistent workspace in detail', () => {
  test('stays unchanged when another is opened, and can be opened again from the list', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await choose('IndexedDB', home.name)
    await expect.poll(detail).toContain('in IndexedDB')
    await openDialog()
    await page.getByRole('radio', { name: 'In memory' }).click()
    await page.getByRole('button', { name: 'Move into memory' }).click()
    await expect.poll(detail).toContain('in memory')
    await shown.playground.session.runtime.call('write_file', { path: 'README.md', content: 'in memory only\n' })
    expect(lastHome()).toBeUndefined()
    await openDialog()
    await page.getByRole('button', { name: `Open ${home.name}, IndexedDB` }).click()
    await page.getByRole('button', { name: 'Leave and lose them' }).click()
    await expect.poll(detail).toContain('in IndexedDB')
    expect((await shown.playground.session.workspace.readText('README.md')).text).toBe('# Kept\n')
  })
})

describe('a temporary workspace in detail', () => {
  test('is not replaced by a sample, a persistent workspace or a folder without a question', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await shown.playground.move(home)
    await shown.playground.load('mine', FILES)
    await writeNote()
    const question = page.getByRole('dialog', { name: 'Leave “mine” and lose its changes?' })
    const stay = async (): Promise<void> => {
      await expect.element(question).toBeVisible()
      await page.getByRole('button', { name: 'Stay here' }).click()
      await expect.element(question).not.toBeInTheDocument()
      expect(Object.keys(await shown.playground.session.workspace.files())).toContain('note.txt')
    }
    await openDialog()
    for (const name of [/^Open the sample A data-cleaning task/, `Open ${home.name}, IndexedDB`]) {
      await page.getByRole('button', { name }).click()
      await stay()
      // The dialog stays open, because it offers to keep the workspace.
      await expect.element(page.getByRole('dialog', { name: 'Workspace' })).toBeVisible()
    }
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    const picker = Object.getOwnPropertyDescriptor(window, 'showDirectoryPicker')
    onTestFinished(() => void (picker && Object.defineProperty(window, 'showDirectoryPicker', picker)))
    const storage = await navigator.storage.getDirectory()
    const folder = await storage.getDirectoryHandle(newName(), { create: true })
    onTestFinished(() => storage.removeEntry(folder.name))
    Object.defineProperty(window, 'showDirectoryPicker', { configurable: true, value: async () => folder })
    await page.getByRole('button', { name: 'Open a folder' }).click()
    await stay()

    // A copy that is lost with the tab counts all changes since the original's beginning.
    await shown.playground.move({ kind: 'memfs', name: 'mine' })
    expect(asksToLeave()).toBe(true)
    await openDialog()
    await page.getByRole('button', { name: /^Open the sample A data-cleaning task/ }).click()
    await page.getByRole('button', { name: 'Leave and lose them' }).click()
    await expect.element(page.getByRole('treeitem', { name: 'check.js' })).toBeVisible()
    expect(asksToLeave()).toBe(false)
  })

  test('makes the browser ask on leaving while there is text that no reload restores', async () => {
    const type = async (): Promise<void> => {
      await shown.playground.openFile('src/a.ts')
      await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
      await userEvent.keyboard('// not saved')
    }
    await type()
    // A reload opens this workspace again, and offers the unsaved text.
    expect(asksToLeave()).toBe(false)
    await shown.playground.load('another', FILES)
    expect(asksToLeave()).toBe(false)
    await type()
    expect(asksToLeave()).toBe(true)
  })

  test('can be made persistent, and is then left without a question', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await choose('IndexedDB', home.name)
    await expect.poll(detail).toContain('in IndexedDB')
    await writeNote()
    expect(asksToLeave()).toBe(false)
  })
})

/** Enough files that copying takes a while. */
const MANY = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`part-${at % 60}/${at}.txt`, `${at}\n`]))
const progress = () => page.getByText(/^Putting the files there: [\d,]+ files$/)

async function databasesOf({ name }: Home): Promise<unknown[]> {
  return (await indexedDB.databases()).filter((one) => one.name?.includes(name))
}

describe('making a workspace persistent, in detail', () => {
  test('is cancelled when the dialog is closed, without leftovers', async () => {
    await shown.playground.load('many', MANY)
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await choose('IndexedDB', home.name)
    await expect.element(progress()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => page.getByRole('dialog', { name: 'Workspace' }).query()).toBeNull()
    await expect.poll(() => databasesOf(home)).toEqual([])
    expect(detail()).toContain('in memory')
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
  })

  test('disables the dialog except its stop button', async () => {
    await shown.playground.load('many', MANY)
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await choose('IndexedDB', home.name)
    await expect.element(progress()).toBeVisible()
    const enabled = '.dialog button:not([inert] *, .dialog-head *)'
    expect(shown.texts(enabled)).toEqual(['Cancel'])
    // Click at once: the copy may end before a command reaches the page.
    shown.find(enabled).click()
    await expect.poll(problem).toBe('It was stopped: everything is as it was.')
    expect(detail()).toContain('in memory')
    expect(knownHomes()).toEqual([])
    expect(await databasesOf(home)).toEqual([])
    expect(document.activeElement?.textContent).toBe('Keep here')
  })

  test('asks before it stops running programs', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    const call = shown.playground.session.runtime.execute({ name: 'bash', input: { command: 'sleep 250; echo late > late.txt' } })
    await choose('IndexedDB', home.name)
    const question = page.getByRole('dialog', { name: 'Stop what is running in “workspace”?' })
    await expect.element(question).toBeVisible()
    // Progress of a long operation would be shown by then.
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(shown.find('.task-progress').hidden).toBe(true)
    await question.getByRole('button', { name: 'Stay here' }).click()
    await expect.element(question).not.toBeInTheDocument()
    expect(detail()).toContain('in memory')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
    await page.getByRole('button', { name: 'Stop it and go on' }).click()
    await expect.poll(detail).toContain('in IndexedDB')
    await call
  })

  test('includes changes that programs make meanwhile', async () => {
    const made = (files: Files): Session => createSession('copied', { files })
    const [from, to] = [made({ 'a.txt': 'a', 'gone.txt': 'gone', 'old/b.txt': 'b' }), made({})]
    onTestFinished(async () => void (await Promise.all([from.close(), to.close()])))
    const work = ['write later.txt', 'rename', 'write last.txt']
    const changeIt = async (): Promise<void> => {
      const { workspace } = from
      const step = work.shift()
      if (step === 'rename') await workspace.move('old', 'new')
      else if (step) await workspace.writeText(step.slice(6), step)
      if (step === 'write later.txt') await workspace.remove('gone.txt')
    }
    // Makes a change between any two steps of the copy.
    const { workspace } = from
    const diff: Workspace['diff'] = async (a, b) => {
      const found = await workspace.diff(a, b)
      await changeIt()
      return found
    }
    const watched = new Proxy(workspace, {
      get(target, key) {
        const part: unknown = key === 'diff' ? diff : Reflect.get(target, key, target)
        return typeof part === 'function' ? part.bind(target) : part
      },
    })
    const original = { ...from, workspace: watched }
    const { follow } = await copyWorkspace(original, to.workspace, { tell: () => void changeIt() })
    expect(work).toEqual([])
    expect(await follow()).toBe(false)
    await from.workspace.writeText('when it ends.txt', 'x')
    expect(await follow()).toBe(true)
    await expect(to.workspace.readText('when it ends.txt')).resolves.toMatchObject({ text: 'x' })
    await to.workspace.remove('when it ends.txt')
    expect(await to.workspace.files()).toEqual({
      'a.txt': 'a',
      'new/b.txt': 'b',
      'later.txt': 'write later.txt',
      'last.txt': 'write last.txt',
    })
  })

  test('can be stopped at the last moment, without leftovers', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    const before = shown.playground.session
    const actions = createWorkspaceActions({
      current: () => before,
      change: async (next, { signal } = {}) => {
        stop.abort(new Error('stopped'))
        await next.close()
        signal?.throwIfAborted()
        return undefined
      },
      lookAgain: async () => undefined,
      notice: createNotice(),
      packages: undefined,
      leaving: { onUnload: () => undefined, mayLeave: async () => true, mayGoOn: async () => true, goesOn: () => undefined },
      drafts: createDraftStore(),
    })
    const stop = new AbortController()
    await expect(actions.move(home, { signal: stop.signal, tell: () => undefined })).rejects.toThrow('stopped')
    expect(knownHomes()).toEqual([])
    expect(begunHomes()).toEqual([])
    await expect.poll(() => databasesOf(home)).toEqual([])
  })

  test('asks about leaving once the new one exists, and leaves nothing behind if the user stays', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    const before = shown.playground.session
    let asked = 0
    const actions = createWorkspaceActions({
      current: () => before,
      change: async () => Promise.reject(new Error('It was taken up')),
      lookAgain: async () => undefined,
      notice: createNotice(),
      packages: undefined,
      leaving: { onUnload: () => undefined, mayLeave: async () => ++asked < 0, mayGoOn: async () => true, goesOn: () => undefined },
      drafts: createDraftStore(),
    })
    const fails = actions.create(home, { name: 'x', fill: async () => Promise.reject(new Error('There is no such repository')) })
    await expect(fails).rejects.toThrow('There is no such repository')
    expect(asked).toBe(0)
    const fill = async (workspace: Workspace): Promise<string> => {
      await workspace.writeText('a.txt', 'x')
      return ''
    }
    expect(await actions.create(home, { name: 'x', fill })).toBe(false)
    expect(asked).toBe(1)
    expect([...knownHomes(), ...begunHomes()]).toEqual([])
    await expect.poll(() => databasesOf(home)).toEqual([])
  })

  test.each(['a new one', 'a kept one'])('closes the new one again if the question cannot be shown: %s', async (which) => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    const before = shown.playground.session
    const actions = createWorkspaceActions({
      current: () => before,
      change: async () => Promise.reject(new Error('It was taken up')),
      lookAgain: async () => undefined,
      notice: createNotice(),
      packages: undefined,
      leaving: {
        onUnload: () => undefined,
        mayLeave: async () => Promise.reject(new Error('The question could not be loaded')),
        mayGoOn: async () => true,
        goesOn: () => undefined,
      },
      drafts: createDraftStore(),
    })
    if (which === 'a new one') {
      const fails = actions.create(home, { name: 'x', fill: async (workspace) => workspace.writeText('a.txt', 'x').then(() => '') })
      await expect(fails).rejects.toThrow('The question could not be loaded')
      await expect.poll(() => databasesOf(home)).toEqual([])
      return
    }
    const opened = async (): Promise<Session> =>
      openSession(home, { fill: async (workspace) => void (await workspace.writeText('a.txt', 'x')), packages: undefined })
    await (await opened()).close()
    addHome(home)
    await expect(actions.move(home)).rejects.toThrow('The question could not be loaded')
    // The workspace can be opened again, unchanged.
    const again = await opened()
    expect(await again.workspace.files()).toEqual({ 'a.txt': 'x' })
    await again.close()
  })

  test('deleting a persistent workspace removes its drafts', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await choose('IndexedDB', home.name)
    await expect.poll(detail).toContain('in IndexedDB')
    localStorage.setItem(
      'toolport.drafts',
      JSON.stringify({ [`indexeddb:${home.name}`]: [{ path: 'README.md', text: 'x', time: 1, visit: 'before/1' }] }),
    )
    await shown.playground.load('other', FILES)
    await openDialog()
    await page.getByRole('button', { name: `Delete ${home.name}` }).click()
    await page.getByRole('button', { name: /for good/ }).click()
    await expect.poll(() => knownHomes().length).toBe(0)
    await expect.poll(() => localStorage.getItem('toolport.drafts')).toBe('{}')
  })
})

describe('a workspace that was incomplete when the page was left', () => {
  /** Leaves a workspace half filled, as a tab does that is closed meanwhile. */
  async function leaveHalf(home: Home): Promise<void> {
    const fs = await choiceOf(home.kind).create(home.name)
    await fs.open?.()
    await beginFilling(fs, home)
    await fs.write('/half.txt', new Uint8Array(3))
    await fs.flush()
    await fs.close()
  }

  test.each(KEPT)('an incomplete workspace in %s is recreated completely under its name', async (kind, _, place) => {
    const home = { kind, name: newName() }
    forgetAfterwards(home)
    await leaveHalf(home)
    await shown.playground.move(home)
    expect(detail()).toContain(place)
    expect(await shown.playground.session.workspace.files()).toEqual(FILES)
    await again()
    expect(await shown.playground.session.workspace.files()).toEqual(FILES)
  })

  test.each(KEPT)('an incomplete workspace in %s is removed when the dialog is opened next', async (kind) => {
    const home = { kind, name: newName() }
    forgetAfterwards(home)
    await leaveHalf(home)
    await openDialog()
    await expect.poll(() => begunHomes()).toEqual([])
    expect(knownHomes()).toEqual([])
    const fs = await choiceOf(kind).create(home.name)
    await fs.open?.()
    expect(await fs.readdir('/')).toEqual([])
    await fs.close()
  })

  test('differs from a complete but forgotten one, which is listed and opened', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await shown.playground.move(home)
    await shown.playground.load('other', { 'x.txt': 'x\n' })
    localStorage.removeItem('toolport.workspaces')
    await choose('IndexedDB', home.name)
    await expect.poll(problem).toContain('already')
    expect(detail()).toContain('in memory')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await openDialog()
    await page.getByRole('button', { name: `Open ${home.name}, IndexedDB` }).click()
    await expect.poll(detail).toContain('in IndexedDB')
    expect(await shown.playground.session.workspace.files()).toEqual(FILES)
  })
})

describe('the list of known workspaces', () => {
  const home = { kind: 'indexeddb', name: 'known' } as const

  test('removes the "unfinished" note of a workspace that is complete', () => {
    rememberHome(home, 1)
    noteBegun(home)
    addHome(home)
    expect(begunHomes()).toEqual([])
    expect(knownHomes()).toEqual([{ ...home, opened: 1 }])
  })

  test('lasts as long as the page if nothing can be stored', () => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = () => {
      throw new Error('full')
    }
    onTestFinished(() => {
      Storage.prototype.setItem = setItem
      forgetHome(home)
    })
    rememberHome(home, 1)
    expect(isKnown(home)).toBe(true)
  })
})

describe('a workspace that cannot be opened, in detail', () => {
  test('the page starts normally if a stored entry is invalid', async () => {
    for (const stored of [
      '{',
      '[]',
      '{"known":[{"kind":"floppy","name":"a","opened":1}],"last":"floppy:a"}',
      '{"known":7,"last":{}}',
      'null',
    ]) {
      localStorage.setItem('toolport.workspaces', stored)
      await again()
      expect(detail()).toContain('in memory')
    }
  })

  test('a workspace without a name is rejected', async () => {
    await openDialog()
    await page.getByRole('radio', { name: 'IndexedDB' }).click()
    await page.getByLabelText('Name', { exact: true }).fill('  ')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep here' }).click()
    expect(problem()).toBe('Give it a name.')
  })
})

describe('the workspace dialog in detail', () => {
  test('shows name and button at the chosen storage, in view, and names the button after its action', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await openDialog()
    for (const label of ['IndexedDB', 'Private file system', 'lightning-fs']) {
      await page.getByRole('radio', { name: label }).click()
      const card = shown.find('.home-card:has(:checked)').getBoundingClientRect()
      const chosen = shown.find('.home-chosen').getBoundingClientRect()
      expect(chosen.top - card.bottom).toBeLessThan(30)
      const body = shown.find('.dialog-body').getBoundingClientRect()
      await expect.poll(() => shown.find('.home-chosen').getBoundingClientRect().bottom - body.bottom).toBeLessThanOrEqual(0.5)
    }
    await page.getByRole('radio', { name: 'IndexedDB' }).click()
    const name = page.getByLabelText('Name', { exact: true })
    expect((name.element() as HTMLInputElement).value).toBe('workspace')
    await name.fill(home.name)
    await page.getByRole('button', { name: 'Keep here' }).click()
    await expect.poll(detail).toContain('in IndexedDB')
    await shown.playground.load('other', FILES)
    await openDialog()
    await page.getByRole('radio', { name: 'IndexedDB' }).click()
    expect((name.element() as HTMLInputElement).value).toBe('other')
    await name.fill(home.name)
    await expect.element(page.getByRole('button', { name: 'Keep here' })).not.toBeInTheDocument()
    await expect.element(page.getByText('is kept there already')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click()
    await expect.poll(() => shown.find('.workspace-name').textContent).toBe(home.name)
  })

  test('shows import and export without scrolling', async () => {
    await openDialog()
    await expect.element(page.getByRole('list', { name: 'Samples' })).toBeVisible()
    const { bottom } = shown.find('.dialog-body').getBoundingClientRect()
    expect(page.getByRole('region', { name: 'Import and export' }).element().getBoundingClientRect().bottom).toBeLessThan(bottom)
  })

  test('starts with the persistent workspaces, if any', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    const headings = (): string[] =>
      [...shown.root.querySelectorAll<HTMLElement>('.dialog-body h3')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.textContent ?? '')
    const others = ['New workspace', 'Import into this workspace', 'Export', 'Where this workspace lives']
    await openDialog()
    await expect.poll(headings).toEqual(others)
    expect(getComputedStyle(shown.find('[aria-label="New workspace"]')).borderTopStyle).toBe('none')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await shown.playground.move(home)
    await shown.playground.load('other', FILES)
    await page.viewport(390, 844)
    await openDialog()
    await expect.poll(headings).toEqual(['Kept in this browser', ...others])
    const openIt = page.getByRole('button', { name: `Open ${home.name}, IndexedDB` })
    await expect.element(openIt).toBeInViewport()
    await userEvent.keyboard('{Tab}{Tab}')
    await expect.element(openIt).toHaveFocus()
  })

  test('shows import errors on a phone at any scroll position', async () => {
    await page.viewport(390, 844)
    await openDialog()
    const archive = page.getByRole('dialog').getByRole('button', { name: 'Archive…' })
    await expect.element(page.getByRole('list', { name: 'Samples' })).toBeVisible()
    archive.element().scrollIntoView()
    expect(shown.find('.dialog-body').scrollTop).toBeGreaterThan(200)
    archive.element().focus()
    const transfer = new DataTransfer()
    transfer.items.add(new File(['no archive at all'], 'broken.zip'))
    const input = shown.find('input[aria-label="Archive to import"]') as HTMLInputElement
    input.files = transfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await expect.poll(problem).toContain('broken.zip is no archive')
    await expect.poll(() => document.activeElement).toBe(archive.element())
    const box = shown.find('.dialog-problem').getBoundingClientRect()
    const body = shown.find('.dialog-body').getBoundingClientRect()
    expect(box.top).toBeGreaterThanOrEqual(body.top)
    expect(box.bottom).toBeLessThanOrEqual(body.bottom)
  })

  test('opens once and modally, however often it is requested', async () => {
    const twice = (name: RegExp): void => {
      for (let times = 0; times < 2; times += 1) (page.getByRole('button', { name }).element() as HTMLElement).click()
    }
    const modal = (): (string | null)[] => shown.texts('dialog:modal h2')
    twice(/^Workspace/)
    await expect.poll(() => shown.root.querySelectorAll('dialog[open]').length).toBe(1)
    expect(modal()).toEqual(['Workspace'])
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    twice(/help/i)
    await expect.poll(modal).toEqual(['Help and keys'])
  })
})
