// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { labels, moment, openTimeline, shown, text, useTimelinePage, write } from './timeline-page.js'

useTimelinePage()

describe('the timeline in detail', () => {
  test('names a checkpoint after the newest call that follows it, but keeps names of the user', async () => {
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

  test('offers no undo if starting over changed nothing', async () => {
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => shown.find('.notice').textContent).toContain('The files are as they were loaded.')
    expect(shown.texts('.notice button')).toEqual([''])
  })

  test('mentions that unsaved text stays', async () => {
    await shown.playground.openFile('src/a.ts')
    await page.getByRole('textbox', { name: 'Text of src/a.ts' }).click()
    await userEvent.keyboard('x')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect
      .poll(() => shown.find('.notice').textContent)
      .toContain('The files are as they were loaded. The editor still has 1 text that is not saved.')
  })

  test('records changes of the terminal and of other presets', async () => {
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

  test('never interprets names or contents as HTML', async () => {
    const name = '<img src=x onerror=hacked=1>.txt'
    await write(name, '<script>hacked = 1</script>\n')
    await openTimeline()
    await moment(/^Opened/).click()
    await expect.poll(() => shown.texts('.moment-changes li')).toEqual([`created${name}`])
    expect(shown.root.querySelectorAll('img, script')).toHaveLength(0)
  })
})
