// @module-tag playground
import '../../demo/src/styles/index.css'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { begin, button, CHANGE, envelope, here, outcome, preview, read, status, usePatchPage } from './patch-page.js'

usePatchPage()

describe('the patch preview', () => {
  test('shows each file and each kind of change without changing anything', async () => {
    const patch = envelope(
      '*** Update File: src/greet.ts',
      '@@',
      '-  return `Hello, ` + name',
      '+  return `Good morning, ` + name',
      '*** Add File: notes/new.md',
      '+# New',
      '+--- not a header',
      '*** Add File: empty.txt',
      '*** Delete File: gone.txt',
      '*** Delete File: data.bin',
      '*** Update File: docs/move me.md',
      '*** Move to: docs/moved.md',
      '@@',
      ' first',
      '-second',
      '+2nd',
    )
    expect(await preview(patch)).toBe('fits6 files+4−3Nothing is changed yet.')
    expect(here.texts('.patch-file > summary')).toEqual([
      'Changedsrc/greet.ts+1−1',
      'Newnotes/new.md+2',
      'Newempty.txt',
      'Deletedgone.txt−1',
      'Deleteddata.bin',
      'Renameddocs/move me.md → docs/moved.md+1−1',
    ])
    expect(here.texts('.patch-view .diff-added')).toEqual(['+  return `Good morning, ` + name', '+# New', '+--- not a header', '+2nd'])
    expect(here.texts('.patch-view .diff-removed')).toEqual(['-  return `Hello, ` + name', '-bye', '-second'])
    expect(here.texts('.patch-body > .patch-note')).toEqual([
      'An empty file.',
      'A file without lines to show: it is empty, binary or a link.',
    ])
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(here.texts('.past-call')).toEqual([])
    expect(here.root.querySelector('.tree-mark')).toBeNull()
  })

  test('is applied as shown and replaced by the result', async () => {
    expect(await preview(CHANGE)).toContain('fits')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(here.find('.patch-view').hidden).toBe(true)
    expect(await read('src/greet.ts')).toContain('Good morning')
    await expect.element(page.getByRole('treeitem', { name: 'greet.ts, modified' })).toBeVisible()
    await expect.element(page.getByRole('tab', { name: 'Data' })).toHaveFocus()
    expect(here.texts('.call-tool')).toEqual(['apply_patch'])
  })
})

describe('a patch that does not match', () => {
  test('shows the hunk and the closest match, which can be opened', async () => {
    const patch = envelope(
      '*** Delete File: gone.txt',
      '*** Update File: src/greet.ts',
      '@@',
      '-  return `Hallo, ` + name',
      '+  return name',
    )
    expect(await preview(patch)).toContain('does not fit')
    expect(here.find('.patch-view .failure-message').textContent).toContain('has lines that are not in the file')
    expect(here.find('.patch-view .failure-code').textContent).toBe('no_match')
    expect(here.texts('.patch-part')).toEqual(['Hunk 1 of src/greet.ts', 'What comes nearest: src/greet.ts, line 2'])
    expect(here.texts('.patch-view .diff-line')).toEqual([
      '@@',
      '-  return `Hallo, ` + name',
      '+  return name',
      '   return `Hello, ` + name',
    ])
    expect([...here.root.querySelectorAll('.patch-view .diff-line')].map((line) => line.getAttribute('data-number'))).toEqual([
      '4',
      '5',
      '6',
      '2',
    ])
    expect(button('Apply').elements()).toHaveLength(0)
    await button('src/greet.ts, line 2').click()
    await expect.poll(() => here.texts('.line.is-fresh')).toEqual(['  return `Hello, ` + name'])
    expect(await here.playground.session.workspace.exists('gone.txt')).toBe(true)
  })

  test('outside the workspace is rejected before it is applied', async () => {
    await preview(envelope('*** Add File: ../secrets.txt', '+no'))
    expect(status()).toContain('cannot be applied')
    expect(here.find('.patch-view .failure-code').textContent).toBe('path_outside_workspace')
  })
})

describe('an outdated preview', () => {
  test('is not applied if files changed unseen', async () => {
    await preview(CHANGE)
    await here.playground.session.workspace.writeText('docs/old.md', 'other\n')
    await button('Apply').click()
    await expect.poll(status).toContain('Files have changed.')
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(here.texts('.past-call')).toEqual([])
  })
})

describe('the patch preview with loaf', () => {
  beforeEach(async () => {
    await here.close()
    await begin('loaf')
  })

  test('is computed by the standard tool, and loaf applies it', async () => {
    expect(await preview(CHANGE)).toBe('fits1 file+1−1Nothing is changed yet.')
    expect(here.texts('.patch-scroll > .patch-note')[0]).toContain('where loaf takes the first')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patchloaf/)
    expect(await read('src/greet.ts')).toContain('Good morning')
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(here.find('.result-panel:not([hidden])').textContent).toContain('Success. Updated the following files:')
  })
})
