// @module-tag playground
import '../../demo/src/styles/index.css'
import { writeTar } from 'toolport/archive'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { held, holdCalls } from './held.js'
import { openPage, type TestPage } from './page.js'

afterEach(() => vi.restoreAllMocks())

describe('a notice shows progress while', () => {
  const FILES = { 'README.md': '# Read me\n', 'src/a.ts': 'export const a = 1\n', 'src/lib/deep.ts': 'export const deep = 1\n' }
  let here: TestPage

  beforeEach(async () => {
    here = await openPage({ files: FILES, name: 'working' })
  })

  afterEach(() => here.close())

  const hold = (method: 'remove' | 'restore' | 'move' | 'writeText' | 'mkdir' | 'readBytes' | 'checkpoint'): (() => void) =>
    holdCalls(here.playground.session.workspace, method)
  const holdTools = (): (() => void) => holdCalls(here.playground.session.runtime, 'call')

  /** Makes the storage wait before its second write. */
  function holdWrites(): () => void {
    const { fs } = here.playground.session.workspace
    const { free, release } = held()
    const own = fs.write.bind(fs)
    let writes = 0
    vi.spyOn(fs, 'write').mockImplementation(async (...args) => {
      writes += 1
      if (writes > 1) await free
      return own(...args)
    })
    return release
  }

  const notice = (): string => here.find('.notice p').textContent ?? ''
  const actions = (): string[] => here.texts('.notice button').filter((text): text is string => text !== null && text !== '')
  const says = (text: string): Promise<void> => expect.poll(notice).toBe(text)
  const files = (): Promise<Record<string, unknown>> => here.playground.session.workspace.files()
  const paths = (): (string | undefined)[] => [...here.root.querySelectorAll<HTMLElement>('[role=treeitem]')].map((row) => row.dataset.path)
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()

  async function deleteFolder(): Promise<void> {
    await page.getByRole('treeitem', { name: 'src' }).click()
    await userEvent.keyboard('{Delete}')
  }

  function drop(...dropped: readonly File[]): void {
    const dataTransfer = new DataTransfer()
    for (const file of dropped) dataTransfer.items.add(file)
    here.root.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }

  async function archive(): Promise<File> {
    const entries = ['new/a.txt', 'new/b.txt', 'new/c.txt'].map((path) => ({
      path,
      kind: 'file' as const,
      size: 1,
      content: Uint8Array.of(65),
    }))
    const parts: BlobPart[] = []
    for await (const part of writeTar(entries)) parts.push(part as Uint8Array<ArrayBuffer>)
    return new File(parts, 'three.tar')
  }

  test('a folder is deleted, and restored', async () => {
    const go = hold('remove')
    await deleteFolder()
    await says('Deleting “src”…')
    expect(actions()).toEqual([])
    go()
    await says('Deleted src')
    const back = hold('restore')
    await press('Undo')
    await says('Taking back: Deleted src…')
    expect(actions()).toEqual([])
    back()
    await says('Taken back: Deleted src')
    expect(await files()).toEqual(FILES)
  })

  test('a folder is renamed', async () => {
    const go = hold('move')
    await page.getByRole('treeitem', { name: 'src' }).click()
    await userEvent.keyboard('{F2}{Control>}a{/Control}lib{Enter}')
    await says('Renaming “src”…')
    go()
    await says('Renamed src to lib')
  })

  test('a file and a folder are created', async () => {
    for (const [button, method, name] of [
      ['New file', 'writeText', 'new.txt'],
      ['New folder', 'mkdir', 'more'],
    ] as const) {
      const go = hold(method)
      await page.getByRole('toolbar', { name: 'Change files' }).getByRole('button', { name: button }).click()
      await userEvent.keyboard(`${name}{Enter}`)
      await says(`Making “${name}”…`)
      go()
      await expect.poll(() => here.find('.notice').hidden).toBe(true)
    }
  })

  test('the files are restored to a checkpoint, and back', async () => {
    await here.playground.session.workspace.writeText('src/a.ts', 'two\n')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: /^Opened/ }).click()
    const go = holdTools()
    await press('Restore')
    await says('Going back to “Opened”…')
    go()
    await says('The files are as they were at “Opened”.')
    vi.restoreAllMocks()
    const back = holdTools()
    await press('Undo')
    await says('Undoing…')
    back()
    await says('Undone.')
  })

  test('the workspace is started over, without an earlier Undo', async () => {
    await here.playground.session.workspace.writeText('src/a.ts', 'two\n')
    await page.getByRole('button', { name: 'Start over' }).click()
    await says('The files are as they were loaded.')
    expect(actions()).toEqual(['Undo'])
    const go = hold('restore')
    await page.getByRole('button', { name: 'Start over' }).click()
    // The notice is hidden at once, because its Undo would now undo something else.
    expect(here.find('.notice').hidden).toBe(true)
    await says('Starting over…')
    go()
    await says('The files are as they were loaded.')
  })

  test('the workspace is started over, but not in another workspace opened meanwhile', async () => {
    await here.playground.session.workspace.writeText('src/a.ts', 'two\n')
    const go = hold('restore')
    await page.getByRole('button', { name: 'Start over' }).click()
    await says('Starting over…')
    await here.playground.load('another', { 'b.txt': 'b' })
    go()
    await expect.poll(() => here.find('.notice').hidden).toBe(true)
    expect(notice()).toBe('')
  })

  test('a dropped archive is imported', async () => {
    const go = holdWrites()
    drop(await archive())
    await expect.poll(notice).toMatch(/^Importing “three.tar”…/)
    expect(actions()).toEqual(['Cancel'])
    go()
    await says('3 files of three.tar are in the workspace now. The timeline takes it back.')
    expect(Object.keys(await files())).toHaveLength(6)
    expect(paths()).toContain('new')
  })

  test('a dropped archive is imported, which can be stopped', async () => {
    const before = paths()
    const go = holdWrites()
    drop(await archive())
    await expect.poll(notice).toMatch(/^Importing “three.tar”…/)
    await press('Cancel')
    await says('Stopping…')
    go()
    await says('The import was stopped. The timeline has the files as they were before it.')
    expect(await files()).toEqual(FILES)
    expect(paths()).toEqual(before)
    expect(actions()).toEqual([])
  })

  test('a dropped archive is imported, and stopping before the first write changes nothing', async () => {
    const { workspace } = here.playground.session
    const { free, release } = held()
    // The import first reads the file to detect its format.
    const { arrayBuffer } = Blob.prototype
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(async function (this: Blob) {
      await free
      return arrayBuffer.call(this)
    })
    drop(await archive())
    await expect.poll(notice).toMatch(/^Importing “three.tar”…/)
    await press('Cancel')
    release()
    await says('The import was stopped. Nothing was changed.')
    expect(await workspace.checkpoints()).toHaveLength(1)
    expect(await files()).toEqual(FILES)
  })

  test.each([
    [['one.txt'], 'Adding “one.txt”…', 'one.txt is in the workspace now. The timeline takes it back.'],
    [['one.txt', 'two.txt'], 'Adding 2 files…', '2 files are in the workspace now. The timeline takes it back.'],
  ])('dropped files are added: %o', async (names, doing, done) => {
    const release = hold('checkpoint')
    drop(...names.map((name) => new File(['x'], name)))
    await says(doing)
    // No Cancel, because some of the files may have been written already.
    expect(actions()).toEqual([])
    release()
    await says(done)
  })

  test('a file is saved', async () => {
    await here.playground.openFile('src/a.ts')
    await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
    await userEvent.keyboard('x')
    const go = hold('writeText')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.poll(() => here.find('.editor-said').textContent).toBe('Saving src/a.ts…')
    go()
    await expect.poll(() => here.find('.editor-said').textContent).toBe('Saved src/a.ts')
  })

  test('a file is saved twice, even if files could not be read in between', async () => {
    await here.playground.openFile('src/a.ts')
    await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
    await userEvent.keyboard('{Control>}{Home}{/Control}x')
    const { session } = here.playground
    const { snapshot } = session
    let looks = 0
    const failed = new Promise<void>((resolve) => {
      window.addEventListener(
        'unhandledrejection',
        (event) => {
          event.preventDefault()
          resolve()
        },
        { once: true },
      )
    })
    Object.assign(session, { snapshot: async () => (++looks === 1 ? Promise.reject(new Error('It broke')) : snapshot()) })
    await userEvent.keyboard('{Control>}s{/Control}')
    await failed
    await userEvent.keyboard('y')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.poll(async () => (await session.workspace.readText('src/a.ts')).text).toBe('xyexport const a = 1\n')
  })

  test('a file opens, and an error is not removed by it', async () => {
    await here.playground.openFile('README.md')
    const release = hold('readBytes')
    const opened = here.playground.openFile('src/a.ts')
    const foot = here.find('.editor-said')
    await expect.poll(() => foot.textContent).toBe('Opening src/a.ts…')
    foot.textContent = 'Not saved: there is no room'
    release()
    await opened
    expect(foot.textContent).toBe('Not saved: there is no room')
  })

  test('a file is opened', async () => {
    const release = hold('readBytes')
    const opened = here.playground.openFile('src/a.ts')
    await expect.poll(() => here.find('.editor-said').textContent).toBe('Opening src/a.ts…')
    release()
    await opened
    expect(here.find('.editor-said').textContent).toBe('')
  })
})
