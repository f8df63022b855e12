// @module-tag playground
import '../../demo/src/styles/index.css'
import { NetworkError } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { createLightningFs } from 'toolport/adapters/lightning-fs'
import { createOpfs } from 'toolport/adapters/opfs'
import { collectBytes, gzip, writeTar } from 'toolport/archive'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { exportFile } from '../../demo/src/archives/archives.js'
import { type Home, homeChoices } from '../../demo/src/homes/homes.js'
import { forgetHome, knownHomes } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { cloneFailure } from '../../demo/src/new-workspace/clone-failures.js'
import { readWish } from '../../demo/src/new-workspace/clone-wish.js'
import { FakeContainer } from '../adapters/webcontainer-fake.js'
import { service } from '../service.js'
import { axeViolations, openPage, type TestPage } from './page.js'

const { origin, main, topic } = await service('git')
const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Open now\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }
const MIB = 1024 * 1024

// The real one comes from its vendor's site.
vi.mock('@webcontainer/api', () => ({ WebContainer: { boot: async () => new FakeContainer().api } }))

let shown: TestPage

async function open(): Promise<void> {
  shown = await openPage({ files: FILES, name: 'open now', remember: true })
}

beforeEach(async () => {
  localStorage.removeItem('toolport.workspaces')
  await open()
})

afterEach(async () => {
  await shown.close()
  localStorage.removeItem('toolport.workspaces')
})

const newName = (): string => `test-${crypto.randomUUID()}`
const dialog = () => page.getByRole('dialog', { name: 'Workspace' })
const detail = (): string => shown.find('.workspace-detail').textContent ?? ''
const nameShown = (): string | null => shown.find('.workspace-name').textContent
const problem = (): string => shown.find('.dialog-problem').textContent ?? ''
const notice = (): string => shown.find('.notice').textContent ?? ''
const files = (): Promise<Record<string, unknown>> => shown.playground.session.workspace.files()
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const isOpen = (): boolean => shown.root.querySelector('dialog[aria-labelledby]')?.hasAttribute('open') ?? false

async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  // Its part for new workspaces is loaded with the first opening.
  await expect.element(dialog().getByLabelText('Lives in')).toBeVisible()
}

async function target({ kind, name }: Home): Promise<void> {
  await dialog().getByLabelText('Lives in').selectOptions(kind)
  await dialog().getByLabelText('Called').fill(name)
}

function forgetAfterwards(home: Home): void {
  onTestFinished(async () => {
    await shown.close()
    await deleteHome(home)
    forgetHome(home)
  })
}

/** As after a reload. */
async function again(): Promise<void> {
  await shown.close()
  await open()
}

async function databases(): Promise<(string | undefined)[]> {
  return (await indexedDB.databases()).map(({ name }) => name)
}

async function stays(): Promise<void> {
  expect(nameShown()).toBe('open now')
  expect(await files()).toEqual(FILES)
}

describe('storages that are gone with the tab', () => {
  test('memfs takes what is open now, and the tools work on it', async () => {
    await openDialog()
    await page.getByRole('radio', { name: 'memfs' }).click()
    await button('Move into memfs').click()
    await expect.poll(detail).toContain('in memfs')
    await expect.poll(notice).toContain('a copy in memfs')
    const { runtime, workspace } = shown.playground.session
    expect(workspace.fs.name).toBe('memfs')
    await runtime.call('edit_file', { path: 'src/a.ts', edits: [{ old_string: '1', new_string: '2' }] })
    const { stdout } = (await runtime.call('bash', { command: 'cat src/a.ts && mv src lib && ls' })) as { stdout: string }
    expect(stdout).toBe('export const a = 2\nREADME.md\nbytes.bin\nlib\n')
    await shown.playground.session.startOver()
    expect(await files()).toEqual(FILES)
    // It is not one of those that are kept.
    expect(knownHomes()).toEqual([])
    await again()
    expect(detail()).toContain('in memory')
  })

  test('a copy keeps links, permission bits and empty directories', async () => {
    const { workspace } = shown.playground.session
    await workspace.symlink('src/a.ts', 'link')
    await workspace.mkdir('empty/inner')
    await workspace.setMeta('src/a.ts', { mode: 0o755 })
    await shown.playground.move({ kind: 'memfs', name: 'copy' })
    const copy = shown.playground.session.workspace
    expect(await copy.readlink('link')).toBe('src/a.ts')
    expect((await copy.lstat('src/a.ts')).mode).toBe(0o755)
    expect((await copy.stat('empty/inner')).kind).toBe('dir')
    expect(await files()).toEqual(FILES)
  })

  test('WebContainer is there on a page that is isolated and online', async () => {
    expect(crossOriginIsolated && navigator.onLine).toBe(true)
    await openDialog()
    await page.getByRole('radio', { name: 'WebContainer' }).click()
    await button('Move into WebContainer').click()
    await expect.poll(detail).toContain('in a WebContainer')
    const { runtime, workspace } = shown.playground.session
    expect(workspace.fs.name).toBe('webcontainer')
    await runtime.call('write_file', { path: 'new.txt', content: 'n\n' })
    expect(await files()).toEqual({ ...FILES, 'new.txt': 'n\n' })
  })

  test('WebContainer says what it needs where it cannot be had', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => void vi.restoreAllMocks())
    await openDialog()
    const radio = page.getByRole('radio', { name: 'WebContainer' })
    await expect.element(radio).toBeDisabled()
    await expect.element(page.getByText('Needs a page that is online and cross-origin isolated.')).toBeVisible()
    expect(page.getByRole('link', { name: 'Playground with WebContainer' }).element().getAttribute('href')).toBe('webcontainer.html')
    expect(shown.root.querySelector('option[value="webcontainer"]')?.hasAttribute('disabled')).toBe(true)
  })
})

describe('a git repository', () => {
  async function fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
    await openDialog()
    if (
      !page
        .getByLabelText('Address')
        .elements()
        .some((field) => field.checkVisibility())
    )
      await button('Git repository').click()
    for (const [label, text] of Object.entries(fields)) await dialog().getByLabelText(label).fill(text)
  }
  const clone = (): Promise<void> => button('Clone').click()
  const depthOf = async (): Promise<number> => (await createGit({ workspace: shown.playground.session.workspace }).log()).length

  test('is cloned into a new workspace in memory, with its newest commit', async () => {
    await fillIn({ Address: `${origin}/repo.git` })
    await userEvent.keyboard('{Enter}')
    await expect.poll(nameShown).toBe('repo')
    await expect.poll(notice).toMatch(/^main of 127\.0\.0\.1:\d+\/repo\.git is cloned, at [0-9a-f]{7}: 6 files\./)
    expect(notice()).toContain(main[0]?.slice(0, 7))
    expect(isOpen()).toBe(false)
    expect(detail()).toContain('in memory')
    await expect.element(page.getByRole('tab', { name: 'README.md' })).toBeVisible()
    const { workspace } = shown.playground.session
    expect(await workspace.readlink('link')).toBe('src/deep/code.ts')
    expect((await workspace.stat('run.sh')).mode).toBe(0o755)
    expect(await depthOf()).toBe(1)
    expect(await createGit({ workspace }).status()).toEqual([])
  })

  test('is cloned at a branch, with its whole history, into a workspace that is kept', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await fillIn({ Address: `${origin}/repo.git`, 'Branch or tag': 'topic', Commits: '' })
    await target(home)
    await clone()
    await expect.poll(nameShown).toBe(home.name)
    await again()
    expect(nameShown()).toBe(home.name)
    const git = createGit({ workspace: shown.playground.session.workspace })
    expect(await git.currentBranch()).toBe('topic')
    expect((await git.log())[0]?.oid).toBe(topic)
    expect(await depthOf()).toBe(main.length - 2)
    expect(await git.status()).toEqual([])
  })

  test('comes through a CORS proxy, and the server itself is not asked', async () => {
    await fillIn({ Address: 'http://127.0.0.1:1/repo.git', 'CORS proxy': `${origin}/cors-proxy/` })
    await clone()
    await expect.poll(notice).toContain('main of 127.0.0.1:1/repo.git is cloned')
    const { text } = await shown.playground.session.workspace.readText('.git/config')
    expect(text).toContain('url = http://127.0.0.1:1/repo.git')
    expect(text).not.toContain('cors-proxy')
  })

  test('that is empty gives an empty workspace', async () => {
    await fillIn({ Address: `${origin}/empty.git` })
    await clone()
    await expect.poll(notice).toContain('It has no commits yet')
  })

  test.each([
    ['/missing.git', 'There is no repository at 127.0.0.1'],
    ['/auth/repo.git', 'asks for a name and a password'],
    ['/status-403/repo.git', 'forbids it (status 403)'],
    ['/status-503/repo.git', 'answered with status 503'],
    ['/no-cors/repo.git', 'does not let pages of other sites ask it (CORS)'],
    ['/page/repo.git', 'does not answer as a git server does'],
    ['/broken/repo.git', 'broke off'],
    ['/short/repo.git', 'not whole'],
  ])('that cannot be had, %s: that is said, and what is open stays', async (path, words) => {
    await fillIn({ Address: origin + path })
    await clone()
    await expect.poll(problem).toContain('Nothing was cloned. ')
    expect(problem()).toContain(words)
    expect(problem()).not.toMatch(/p4ssw0rd|corsProxy|maxBytes|"credentials"/)
    expect(isOpen()).toBe(true)
    await stays()
  })

  test('without such a branch, or behind a proxy that is not there: that is said', async () => {
    await fillIn({ Address: `${origin}/repo.git`, 'Branch or tag': 'nowhere' })
    await clone()
    await expect.poll(problem).toContain('has no branch or tag “nowhere”')
    await dialog().getByLabelText('CORS proxy').fill('http://127.0.0.1:1')
    await clone()
    await expect.poll(problem).toContain('The proxy 127.0.0.1:1 could not be reached')
    await stays()
  })

  test('whose paths lead out is refused, and nothing is left of a workspace that was to be kept', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    await fillIn({ Address: `${origin}/hostile.git`, 'Branch or tag': 'slash-in-name' })
    await target(home)
    await clone()
    await expect.poll(problem).toContain('../escaped.txt')
    await expect.poll(databases).not.toContain(`toolport:${home.name}`)
    expect(knownHomes()).toEqual([])
    await stays()
  })

  test('that takes long shows how far it is, and is stopped by its button and by closing the dialog', async () => {
    const progress = () => page.getByRole('progressbar', { name: 'Progress of the clone' })
    await fillIn({ Address: `${origin}/slow/repo.git` })
    await clone()
    await expect.element(progress()).toBeVisible()
    await expect.poll(() => shown.find('.clone-step').textContent).toMatch(/Receiving: \d+ B/)
    expect(await axeViolations()).toEqual([])
    await button('Cancel').click()
    await expect.poll(problem).toBe('Stopped. Nothing was cloned.')
    expect(isOpen()).toBe(true)
    await clone()
    await expect.element(progress()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(isOpen).toBe(false)
    await stays()
    await fillIn({ Address: `${origin}/repo.git` })
    await clone()
    await expect.poll(nameShown).toBe('repo')
  })

  test.each([
    ['Address', '', 'Give the address of a repository.'],
    ['Address', 'git@example.com:ada/project.git', 'cannot use SSH'],
    ['Address', 'ssh://example.com/ada/project.git', 'cannot use SSH'],
    ['Address', 'file:///etc/passwd', 'That is no address'],
    ['Address', 'https://ada:s3cret@example.com/a.git', 'Leave them out'],
    ['Address', 'http://example.com/a.git', 'asks https:// addresses'],
    ['Commits', '-1', 'a whole number from 1'],
    ['CORS proxy', 'javascript:alert(1)', 'That is no address'],
  ])('%s "%s" is refused at its field', async (label, text, words) => {
    await fillIn({ Address: `${origin}/repo.git`, [label]: text })
    await clone()
    const field = dialog().getByLabelText(label).element()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
    expect(field.closest('.dialog-row')?.textContent).toContain(words)
    await stays()
  })

  test('is named by its address, to which https:// is added', () => {
    const fields = { branch: ' ', depth: '2', proxy: 'https://proxy.example/?' }
    const wish = readWish({ ...fields, address: ' git.example.com/ada/my.project.git?key=1 ' })
    expect(wish).toEqual({
      url: 'https://git.example.com/ada/my.project.git?key=1',
      label: 'git.example.com/ada/my.project.git',
      name: 'my.project',
      ref: undefined,
      depth: 2,
      proxy: 'https://proxy.example/?',
    })
  })

  test('that is too large is refused with the limit', () => {
    const wish = readWish({ address: 'https://git.example.com/a.git', branch: '', depth: '1', proxy: '' })
    const { message } = cloneFailure(new NetworkError('too_large', 'Cannot fetch it: it is larger than 67108864 bytes'), wish, true)
    expect(message).toBe('Nothing was cloned. An answer is larger than 64.0 MiB, the most that this page takes: ask for fewer commits.')
  })
})

describe('an archive as a new workspace', () => {
  function choose(file: File): void {
    const input = shown.find('input[aria-label="Archive for a new workspace"]') as HTMLInputElement
    const transfer = new DataTransfer()
    transfer.items.add(file)
    input.files = transfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  test.each(['zip', 'tar.gz', 'snapshot'] as const)('%s: what is in it and nothing else, kept under its name', async (kind) => {
    const archive = await exportFile(shown.playground.session.workspace, kind)
    await shown.playground.load('another', { 'own.txt': 'stays where it is\n' })
    const home = { kind: 'opfs', name: newName() } as const
    forgetAfterwards(home)
    await openDialog()
    await target({ kind: 'opfs', name: '' })
    choose(new File([archive], `${home.name}.${kind === 'snapshot' ? 'toolport' : kind}`))
    await expect.poll(nameShown).toBe(home.name)
    await expect.poll(notice).toContain('3 files of ')
    expect(shown.find('.task-bar').getAttribute('aria-label')).toBe(`Making “${home.name}”`)
    expect(await files()).toEqual(FILES)
    await again()
    expect(await files()).toEqual(FILES)
  })

  test('whose name is taken is refused, and what has the name stays', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await shown.playground.move(home)
    const archive = await exportFile(shown.playground.session.workspace, 'zip')
    await shown.playground.session.workspace.writeText('mine.txt', 'm\n')
    await shown.playground.load('open now', FILES)
    await openDialog()
    await target(home)
    choose(new File([archive], 'again.zip'))
    await expect.poll(problem).toContain(`There is a workspace “${home.name}” in IndexedDB already.`)
    await stays()
    await shown.playground.move(home)
    expect(await files()).toEqual({ ...FILES, 'mine.txt': 'm\n' })
  })

  test('that leads out, grows beyond all bounds or is none is refused in words, and leaves nothing', async () => {
    const zeros = { path: 'zeros', kind: 'file', size: 20 * MIB, content: new Uint8Array(20 * MIB) } as const
    const bomb = await collectBytes(gzip(writeTar([zeros])))
    const out = await collectBytes(writeTar([{ path: 'aa/escaped', kind: 'file', size: 1, content: Uint8Array.of(1) }]))
    // The writer refuses such names, so the reader is shown one that was changed afterwards.
    renameInTar(out, '../escaped')
    const home = { kind: 'indexeddb', name: newName() } as const
    await openDialog()
    await target(home)
    for (const [bytes, words] of [
      [bomb, 'more than the limit of 200 times'],
      [out, '"../escaped"'],
      [new TextEncoder().encode('no archive at all'), 'hostile.tar.gz is no archive that can be read here: tar (also gzipped), zip and'],
    ] as const) {
      choose(new File([bytes as Uint8Array<ArrayBuffer>], 'hostile.tar.gz'))
      await expect.poll(problem).toContain(words)
      await expect.poll(databases).not.toContain(`toolport:${home.name}`)
      await stays()
    }
    const huge = new File([], 'huge.tar')
    Object.defineProperty(huge, 'size', { value: 300 * MIB })
    choose(huge)
    await expect.poll(problem).toContain('It has 300.0 MiB: archives of up to 256.0 MiB are taken.')
    await stays()
  })
})

/** Puts another name, of the same length, into the first header. */
function renameInTar(tar: Uint8Array, name: string): void {
  tar.set(new TextEncoder().encode(name))
  tar.fill(0x20, 148, 156)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
}

describe('a folder and nothing', () => {
  const picker = Object.getOwnPropertyDescriptor(window, 'showDirectoryPicker')
  afterEach(() => {
    if (picker) Object.defineProperty(window, 'showDirectoryPicker', picker)
  })

  const pick = (choose: () => Promise<FileSystemDirectoryHandle>): void => {
    Object.defineProperty(window, 'showDirectoryPicker', { configurable: true, value: choose })
  }

  test('a folder becomes a workspace that is kept; without a choice the dialog stays', async () => {
    const storage = await navigator.storage.getDirectory()
    const folder = await storage.getDirectoryHandle(newName(), { create: true })
    onTestFinished(() => storage.removeEntry(folder.name, { recursive: true }))
    const writer = await (await folder.getFileHandle('notes.md', { create: true })).createWritable()
    await writer.write('# Notes\n')
    await writer.close()
    const home = { kind: 'lightning-fs', name: newName() } as const
    forgetAfterwards(home)
    await openDialog()
    await target(home)
    pick(() => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')))
    await button('Folder as new…').click()
    await expect.poll(() => shown.find('dialog').getAttribute('aria-busy')).toBeNull()
    expect(isOpen()).toBe(true)
    await stays()
    pick(async () => folder)
    await button('Folder as new…').click()
    await expect.poll(nameShown).toBe(home.name)
    await expect.poll(notice).toContain('Your folder itself is never changed.')
    await again()
    expect(await files()).toEqual({ 'notes.md': '# Notes\n' })
  })

  test('an empty workspace is empty, and has the name that it was given', async () => {
    await openDialog()
    await target({ kind: 'memory', name: 'blank' })
    await button('Empty').click()
    await expect.poll(nameShown).toBe('blank')
    expect(await files()).toEqual({})
    await shown.playground.session.runtime.call('write_file', { path: 'a.txt', content: 'a\n' })
    expect(await files()).toEqual({ 'a.txt': 'a\n' })
  })
})

describe('a workspace that another tab has open', () => {
  const OTHERS = {
    indexeddb: (name: string) => createIndexedDbFs({ name }),
    opfs: (name: string) => createOpfs({ name }),
    'lightning-fs': (name: string) => createLightningFs({ name: `toolport-playground-${name}` }),
  }

  test.each(['indexeddb', 'opfs', 'lightning-fs'] as const)('in %s is not opened, made anew or deleted, and that is said', async (kind) => {
    const home = { kind, name: newName() }
    forgetAfterwards(home)
    await shown.playground.move(home)
    await shown.playground.load('open now', FILES)
    const other = OTHERS[kind](home.name)
    await other.open?.()
    onTestFinished(() => other.close())
    const label = homeChoices.find((choice) => choice.kind === kind)?.label ?? ''
    const words = `“${home.name}” is open already, most likely in another tab, and ${label} is for one tab at a time.`
    await openDialog()
    await button(`Open ${home.name}, ${label}`).click()
    await expect.poll(problem).toContain(words)
    await target(home)
    await button('Empty').click()
    await expect.poll(() => shown.find('dialog').getAttribute('aria-busy')).toBeNull()
    expect(problem()).toContain(words)
    await button(`Delete ${home.name}, ${label}`).click()
    await dialog()
      .getByRole('button', { name: /for good/ })
      .click()
    await expect.poll(() => shown.find('dialog').getAttribute('aria-busy')).toBeNull()
    expect(problem()).toContain(words)
    expect(knownHomes()).toHaveLength(1)
    await stays()
    await other.close()
    await button(`Open ${home.name}, ${label}`).click()
    await expect.poll(nameShown).toBe(home.name)
    expect(await files()).toEqual(FILES)
  })
})

describe('the part of the dialog for new workspaces', () => {
  test.each(['light', 'dark'])('has no violation and fits a narrow screen, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await openDialog()
    await button('Git repository').click()
    await dialog().getByLabelText('Address').fill('git@example.com:a')
    await button('Clone').click()
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    expect(shown.find('.dialog-body').scrollWidth).toBeLessThanOrEqual(shown.find('.dialog-body').clientWidth)
  })

  test('says that what is open now is gone, where it is not kept', async () => {
    await openDialog()
    await expect.element(page.getByText('What is open now is not kept')).toBeVisible()
    await button('Close').click()
    const home = { kind: 'indexeddb', name: newName() } as const
    forgetAfterwards(home)
    await shown.playground.move(home)
    await openDialog()
    expect(shown.find('.new-leaving').hidden).toBe(true)
  })
})
