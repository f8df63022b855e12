// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { FILES, labels, moment, openTimeline, shown, text, useTimelinePage, write } from './timeline-page.js'

useTimelinePage()

describe('the timeline', () => {
  test('has a checkpoint before each call that wrote, newest first, and none before a call that only read', async () => {
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

  test('shows changes since a checkpoint, and restores it and back', async () => {
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
    // The newest checkpoint undoes the restore.
    shown.find('.moments .moment').click()
    await expect.poll(() => shown.texts('.moment-changes li')).toHaveLength(2)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(() => text('src/a.ts').catch(() => '')).toBe('two\n')
    expect(await text('src/b.ts')).toBe('three\n')
  })

  test('restores a checkpoint with an undo until the next call', async () => {
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

  test('creates a checkpoint of the user, even without changes', async () => {
    await openTimeline()
    await page.getByLabelText('What the checkpoint is for').fill('before lunch')
    await userEvent.keyboard('{Enter}')
    await expect.poll(labels).toEqual(['before lunch', 'Opened'])
    await moment('Checkpoint').click()
    await expect.poll(labels).toEqual(['Made by hand', 'before lunch', 'Opened'])
  })
})
