// @module-tag playground
import '../../demo/src/styles/index.css'
import { createGit } from 'toolport/adapters/git'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { exportFile } from '../../demo/src/archives/archives.js'
import { knownHomes } from '../../demo/src/homes/known-homes.js'
import {
  again,
  button,
  choose,
  clone,
  databases,
  depthOf,
  detail,
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
  useImportsPage,
} from './imports-page.js'

useImportsPage()

describe('cloning a git repository', () => {
  test('gives a new workspace in memory with the newest commit', async () => {
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

  test('a repository with paths outside the workspace is rejected and leaves no workspace', async () => {
    const home = { kind: 'indexeddb', name: newName() } as const
    await fillIn({ Address: `${origin}/hostile.git`, 'Branch or tag': 'slash-in-name' })
    await target(home)
    await clone()
    await expect.poll(problem).toContain('../escaped.txt')
    await expect.poll(databases).not.toContain(`toolport:${home.name}`)
    expect(knownHomes()).toEqual([])
    await stays()
  })
})

describe('opening an archive as a new workspace', () => {
  test('an archive with a used name is rejected and keeps the existing one', async () => {
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
})

describe('opening a folder or an empty workspace', () => {
  const picker = Object.getOwnPropertyDescriptor(window, 'showDirectoryPicker')
  afterEach(() => {
    if (picker) Object.defineProperty(window, 'showDirectoryPicker', picker)
  })

  const pick = (choose: () => Promise<FileSystemDirectoryHandle>): void => {
    Object.defineProperty(window, 'showDirectoryPicker', { configurable: true, value: choose })
  }

  test('a folder becomes a persistent workspace; without a choice the dialog stays', async () => {
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

  test('an empty workspace has no files and the given name', async () => {
    await openDialog()
    await target({ kind: 'memory', name: 'blank' })
    await button('Empty').click()
    await expect.poll(nameShown).toBe('blank')
    expect(await files()).toEqual({})
    await shown.playground.session.runtime.call('write_file', { path: 'a.txt', content: 'a\n' })
    expect(await files()).toEqual({ 'a.txt': 'a\n' })
  })
})
