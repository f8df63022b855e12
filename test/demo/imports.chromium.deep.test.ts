// @module-tag playground
import '../../demo/src/styles/index.css'
import { NetworkError } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { createLightningFs } from 'toolport/adapters/lightning-fs'
import { createOpfs } from 'toolport/adapters/opfs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { exportFile } from '../../demo/src/archives/archives.js'
import { homeChoices } from '../../demo/src/homes/homes.js'
import { knownHomes } from '../../demo/src/homes/known-homes.js'
import { cloneFailure } from '../../demo/src/new-workspace/clone-failures.js'
import { readWish } from '../../demo/src/new-workspace/clone-wish.js'
import { FakeContainer } from '../adapters/webcontainer-fake.js'
import {
  again,
  button,
  choose,
  clone,
  databases,
  depthOf,
  detail,
  dialog,
  FILES,
  files,
  fillIn,
  forgetAfterwards,
  isOpen,
  main,
  nameShown,
  newName,
  notice,
  openDialog,
  origin,
  problem,
  shown,
  stays,
  target,
  topic,
  useImportsPage,
} from './imports-page.js'

useImportsPage()

// The real package is loaded from its vendor's site.
vi.mock('@webcontainer/api', () => ({ WebContainer: { boot: async () => new FakeContainer().api } }))

describe('storages that end with the tab', () => {
  test('memfs takes over the open workspace, and the tools work on it', async () => {
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
    // A workspace in memfs is not listed as stored.
    expect(knownHomes()).toEqual([])
    await again()
    expect(detail()).toContain('in memory')
  })

  test('WebContainer is available on an isolated, online page', async () => {
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

  test('WebContainer says what it needs if it is not available', async () => {
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

describe('cloning a git repository in detail', () => {
  test('uses a branch with its whole history, in a persistent workspace', async () => {
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

  test('uses a CORS proxy and sends nothing to the server itself', async () => {
    await fillIn({ Address: 'http://127.0.0.1:1/repo.git', 'CORS proxy': `${origin}/cors-proxy/` })
    await clone()
    await expect.poll(notice).toContain('main of 127.0.0.1:1/repo.git is cloned')
    const { text } = await shown.playground.session.workspace.readText('.git/config')
    expect(text).toContain('url = http://127.0.0.1:1/repo.git')
    expect(text).not.toContain('cors-proxy')
  })

  test('cloning an empty repository gives an empty workspace', async () => {
    await fillIn({ Address: `${origin}/empty.git` })
    await clone()
    await expect.poll(notice).toContain('It has no commits yet')
  })

  test('reports why it failed, and keeps the open workspace', async () => {
    const reasons = [
      ['/missing.git', 'There is no repository at 127.0.0.1'],
      ['/auth/repo.git', 'asks for a name and a password'],
      ['/status-403/repo.git', 'forbids it (status 403)'],
      ['/status-503/repo.git', 'answered with status 503'],
      ['/no-cors/repo.git', 'does not let pages of other sites ask it (CORS)'],
      ['/page/repo.git', 'does not answer as a git server does'],
      ['/broken/repo.git', 'broke off'],
      ['/short/repo.git', 'not whole'],
    ] as const
    await fillIn({})
    for (const [path, words] of reasons) {
      await dialog()
        .getByLabelText('Address')
        .fill(origin + path)
      await clone()
      await expect.poll(problem).toContain(words)
      expect(problem()).toContain('Nothing was cloned. ')
      expect(problem()).not.toMatch(/p4ssw0rd|corsProxy|maxBytes|"credentials"/)
    }
    expect(isOpen()).toBe(true)
    await stays()
  })

  test('reports a missing branch or an unreachable proxy', async () => {
    await fillIn({ Address: `${origin}/repo.git`, 'Branch or tag': 'nowhere' })
    await clone()
    await expect.poll(problem).toContain('has no branch or tag “nowhere”')
    await dialog().getByLabelText('CORS proxy').fill('http://127.0.0.1:1')
    await clone()
    await expect.poll(problem).toContain('The proxy 127.0.0.1:1 could not be reached')
    await stays()
  })

  test('shows its progress, and is stopped by its button and by closing the dialog', async () => {
    const progress = () => page.getByRole('progressbar', { name: 'Progress of the clone' })
    await fillIn({ Address: `${origin}/slow/repo.git` })
    await clone()
    await expect.element(progress()).toBeVisible()
    await expect.poll(() => shown.find('.clone-step').textContent).toMatch(/Receiving: \d+ B/)
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

  test('reports an invalid field', async () => {
    const refused = [
      ['Address', '', 'Give the address of a repository.'],
      ['Address', 'git@example.com:ada/project.git', 'cannot use SSH'],
      ['Address', 'ssh://example.com/ada/project.git', 'cannot use SSH'],
      ['Address', 'file:///etc/passwd', 'That is no address'],
      ['Address', 'https://ada:s3cret@example.com/a.git', 'Leave them out'],
      ['Address', 'http://example.com/a.git', 'asks https:// addresses'],
      ['Commits', '-1', 'a whole number from 1'],
      ['CORS proxy', 'javascript:alert(1)', 'That is no address'],
    ] as const
    await fillIn({})
    for (const [label, text, words] of refused) {
      for (const [name, value] of Object.entries({ Address: `${origin}/repo.git`, Commits: '1', 'CORS proxy': '', [label]: text }))
        await dialog().getByLabelText(name).fill(value)
      await clone()
      const field = dialog().getByLabelText(label).element()
      expect(field.getAttribute('aria-invalid'), text).toBe('true')
      expect(document.activeElement).toBe(field)
      expect(field.closest('.dialog-row')?.textContent).toContain(words)
    }
    await stays()
  })

  test('takes the name from the URL, and adds https://', () => {
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

  test('cloning a too large repository reports the limit', () => {
    const wish = readWish({ address: 'https://git.example.com/a.git', branch: '', depth: '1', proxy: '' })
    const { message } = cloneFailure(new NetworkError('too_large', 'Cannot fetch it: it is larger than 67108864 bytes'), wish, true)
    expect(message).toBe('Nothing was cloned. An answer is larger than 64.0 MiB, the most that this page takes: ask for fewer commits.')
  })
})

describe('opening an archive as a new workspace in detail', () => {
  test.each(['zip', 'tar.gz', 'snapshot'] as const)('%s: contains exactly its files, under its name', async (kind) => {
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

  test('rejects an invalid or too large one and leaves nothing behind', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    await openDialog()
    await target(home)
    choose(new File(['no archive at all'], 'none.tar.gz'))
    await expect.poll(problem).toContain('none.tar.gz is no archive that can be read here: tar (also gzipped), zip and')
    await expect.poll(databases).not.toContain(`toolport:${home.name}`)
    const huge = new File([], 'huge.tar')
    Object.defineProperty(huge, 'size', { value: 300 * 1024 * 1024 })
    choose(huge)
    await expect.poll(problem).toContain('It has 300.0 MiB: archives of up to 256.0 MiB are taken.')
    await stays()
  })
})

describe('a workspace that is open in another tab', () => {
  const OTHERS = {
    indexeddb: (name: string) => createIndexedDbFs({ name }),
    opfs: (name: string) => createOpfs({ name }),
    'lightning-fs': (name: string) => createLightningFs({ name: `toolport-playground-${name}` }),
  }

  test.each(['indexeddb', 'opfs', 'lightning-fs'] as const)('in %s is not opened, recreated or deleted, with a message', async (kind) => {
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

describe('the dialog for new workspaces', () => {
  test('warns that an unsaved workspace will be lost', async () => {
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
