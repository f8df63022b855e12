// @module-tag playground
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeViolations, openPage, type TestPage } from './page.js'

const FILES = { 'src/a.ts': 'export const a = 1\n', 'README.md': '# Title\n', 'bytes.bin': Uint8Array.of(0, 1, 255) }

let shown: TestPage

beforeEach(async () => {
  shown = await openPage({ files: FILES })
})

afterEach(() => shown.close())

/** A call of the page, as the Run button makes it. */
async function write(path: string, content: string): Promise<void> {
  page.getByRole('radio', { name: 'write_file', exact: true }).element().focus()
  await userEvent.keyboard(' ')
  await page.getByLabelText('path', { exact: true }).fill(path)
  await page.getByLabelText('content', { exact: true }).fill(content)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.poll(() => shown.root.querySelector('.pill')?.textContent).toBe('ok')
  await expect.poll(async () => (await shown.playground.session.workspace.readText(path)).text).toBe(content)
}

const openTimeline = (): Promise<void> => page.getByRole('tab', { name: 'Timeline' }).click()
const labels = (): (string | null)[] => shown.texts('.moment-label')
const moment = (name: string | RegExp) => page.getByRole('button', { name })
const text = async (path: string): Promise<string> => (await shown.playground.session.workspace.readText(path)).text

describe('the timeline', () => {
  test('has a moment before each call that wrote, the newest first, and none for one that read', async () => {
    await write('src/a.ts', 'two\n')
    await write('src/b.ts', 'three\n')
    await shown.playground.session.runtime.call('read_file', { path: 'src/a.ts' })
    await openTimeline()
    await expect.poll(labels).toHaveLength(2)
    await expect.poll(labels).toEqual(['Before write_file src/b.ts', 'Opened'])
    expect(shown.find('.timeline .pane-foot').textContent).toBe('2 checkpoints')
    await moment(/^Before write_file/).click()
    await expect.poll(() => shown.find('.pane-moment .file-title').textContent).toBe('Since “Before write_file src/b.ts”')
  })

  test('calls a moment after the newest call that it is before, but keeps the names of the user', async () => {
    const fail = (path: string): Promise<unknown> =>
      shown.playground.session.runtime.execute({ name: 'edit_file', input: { path, edits: [{ old_string: 'nowhere', new_string: '' }] } })
    await openTimeline()
    await write('src/a.ts', 'two\n')
    await fail('src/a.ts')
    await fail('README.md')
    await write('src/b.ts', 'three\n')
    await expect.poll(labels).toEqual(['Before write_file src/b.ts', 'Opened'])
    await page.getByLabelText('What the checkpoint is for').fill('write_file for lunch')
    await userEvent.keyboard('{Enter}')
    await expect.poll(labels).toHaveLength(3)
    await fail('README.md')
    await write('src/c.ts', 'four\n')
    await expect.poll(labels).toEqual(['write_file for lunch', 'Before write_file src/b.ts', 'Opened'])
  })

  test('shows what has changed since a moment, and goes back to it, and forth', async () => {
    await write('src/a.ts', 'two\n')
    await write('src/b.ts', 'three\n')
    await openTimeline()
    await moment(/^Opened/).click()
    await expect.poll(() => shown.texts('.moment-changes li')).toEqual(['modifiedsrc/a.ts', 'createdsrc/b.ts'])
    expect(shown.texts('.pane-moment .diff-added')).toEqual(['+two', '+three'])
    expect(shown.texts('.pane-moment .diff-removed')).toEqual(['-export const a = 1'])
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(() => shown.find('.notice').textContent).toContain('as they were at “Opened”')
    expect(await shown.playground.session.workspace.files()).toEqual(FILES)
    await expect.poll(() => shown.find('.pane-moment .view-body').textContent).toContain('Nothing has changed since')
    expect(shown.find('.side-panel > .pane-foot').textContent).toBe('No changes since it was loaded')
    // The newest one takes it back.
    shown.find('.moments .moment').click()
    await expect.poll(() => shown.texts('.moment-changes li')).toHaveLength(2)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(() => text('src/a.ts').catch(() => '')).toBe('two\n')
    expect(await text('src/b.ts')).toBe('three\n')
  })

  test('is gone back in with a way to undo that, until the next call', async () => {
    await write('src/a.ts', 'two\n')
    await openTimeline()
    await moment(/^Opened/).click()
    const [restore, undo] = [moment('Restore'), page.getByRole('button', { name: 'Undo', exact: true })]
    await restore.click()
    await undo.click()
    await expect.poll(() => shown.find('.notice').textContent).toContain('Undone.')
    expect(await text('src/a.ts')).toBe('two\n')
    await restore.click()
    await expect.poll(() => shown.find('.notice').textContent).toContain('as they were at “Opened”')
    await write('src/b.ts', 'three\n')
    await expect.poll(() => shown.find('.notice').hidden).toBe(true)
  })

  test('offers nothing to undo where starting over has changed nothing', async () => {
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => shown.find('.notice').textContent).toContain('The files are as they were loaded.')
    expect(shown.texts('.notice button')).toEqual([''])
  })

  test('says that texts which are not saved stay', async () => {
    await shown.playground.openFile('src/a.ts')
    await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
    await userEvent.keyboard('x')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect
      .poll(() => shown.find('.notice').textContent)
      .toContain('The files are as they were loaded. The editor still has 1 text that is not saved.')
  })

  test('takes a moment of the user’s own, also while nothing has changed', async () => {
    await openTimeline()
    await page.getByLabelText('What the checkpoint is for').fill('before lunch')
    await userEvent.keyboard('{Enter}')
    await expect.poll(labels).toEqual(['before lunch', 'Opened'])
    await moment('Checkpoint').click()
    await expect.poll(labels).toEqual(['Made by hand', 'before lunch', 'Opened'])
  })

  test('follows what the terminal and other presets do', async () => {
    await shown.playground.session.runtime.call('bash', { command: 'rm README.md && echo new > made.txt' })
    await write('src/a.ts', 'two\n')
    await openTimeline()
    await moment(/^Opened/).click()
    await expect.poll(() => shown.texts('.moment-changes li')).toEqual(['deletedREADME.md', 'createdmade.txt', 'modifiedsrc/a.ts'])
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(() => text('README.md').catch(() => '')).toBe('# Title\n')
  })

  test('opens a changed file from the comparison, and closes it', async () => {
    await write('src/a.ts', 'two\n')
    await openTimeline()
    await moment(/^Opened/).click()
    await page.getByRole('button', { name: 'src/a.ts', exact: true }).click()
    expect(shown.find('.pane-moment').hidden).toBe(true)
    expect(shown.find('.pane-view:not(.pane-moment)').hidden).toBe(false)
    expect(shown.root.querySelector('.moment[aria-current]')).toBeNull()
    await moment(/^Opened/).click()
    await page.getByRole('button', { name: 'Close the comparison' }).click()
    expect(shown.find('.pane-view:not(.pane-moment)').hidden).toBe(false)
  })

  test('never shows names or contents as markup', async () => {
    const name = '<img src=x onerror=hacked=1>.txt'
    await write(name, '<script>hacked = 1</script>\n')
    await openTimeline()
    await moment(/^Opened/).click()
    await expect.poll(() => shown.texts('.moment-changes li')).toEqual([`created${name}`])
    expect(shown.root.querySelectorAll('img, script')).toHaveLength(0)
  })

  test.each(['light', 'dark'])('has no violation, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await write('src/a.ts', 'two\n')
    await openTimeline()
    expect(await axeViolations()).toEqual([])
    await moment(/^Opened/).click()
    await expect.poll(() => shown.texts('.moment-changes li')).toHaveLength(1)
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})
