// @module-tag playground
import '../../demo/src/styles/index.css'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { chooseTool, paste } from './page.js'
import { begin, button, CHANGE, envelope, field, here, outcome, preview, read, status, usePatchPage } from './patch-page.js'

usePatchPage()

const body = (): string => here.find('.patch-scroll').textContent ?? ''

describe('the patch preview in detail', () => {
  test('shows git copies, pure renames, and files that replace others', async () => {
    const git = 'diff --git a/docs/old.md b/docs/copy.md\nsimilarity index 100%\ncopy from docs/old.md\ncopy to docs/copy.md\n'
    const rename = 'diff --git a/gone.txt b/here.txt\nsimilarity index 100%\nrename from gone.txt\nrename to here.txt\n'
    await preview(git + rename)
    expect(here.texts('.patch-file > summary')).toEqual(['Copieddocs/old.md → docs/copy.md', 'Renamedgone.txt → here.txt'])
    expect(here.texts('.patch-body > .patch-note')).toEqual(['The content stays as it is.', 'The content stays as it is.'])
    await button('Close the preview').click()
    await preview(envelope('*** Add File: gone.txt', '+new'))
    expect(body()).toContain('It takes the place of a file that is there.')
  })

  test('keeps the open file open under its new name', async () => {
    await here.playground.openFile('gone.txt')
    const patch = 'diff --git a/gone.txt b/docs/here.txt\nsimilarity index 100%\nrename from gone.txt\nrename to docs/here.txt\n'
    await preview(patch)
    expect(here.find('.pane-view').textContent).toContain('gone.txt')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(here.find('.pane-view').textContent).toContain('docs/here.txt')
    expect(here.find('.pane-view').textContent).toContain('bye')
  })

  test('can be applied even if the form has dry_run', async () => {
    await userEvent.click(here.find('.options > summary'))
    await userEvent.click(page.getByLabelText('dry_run', { exact: true }))
    await preview(CHANGE)
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(await read('src/greet.ts')).toContain('Good morning')
  })

  test('works by keyboard', async () => {
    paste(field(), CHANGE)
    if (field() instanceof HTMLTextAreaElement) (field() as HTMLTextAreaElement).focus()
    await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    await expect.poll(status).toContain('fits')
    button('Apply').element().focus()
    await userEvent.keyboard('{Tab}{Tab}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('What the patch would do')
    await userEvent.keyboard('{Tab}{Enter}')
    expect(here.root.querySelectorAll('.patch-file[open]')).toHaveLength(0)
    button('Close the preview').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Preview')).toHaveFocus()
    expect(here.find('.patch-view').hidden).toBe(true)
    expect(await read('src/greet.ts')).toContain('Hello')
  })

  test('exists only for tools whose input is a patch', async () => {
    await preview(CHANGE)
    await chooseTool('edit_file')
    expect(here.find('.patch-view').hidden).toBe(true)
    expect(button('Preview').elements()).toHaveLength(0)
    await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    expect(here.find('.patch-view').hidden).toBe(true)
  })
})

describe('a patch that does not match, in detail', () => {
  test('an ambiguous patch lists the places', async () => {
    expect(await preview(envelope('*** Update File: src/twice.ts', '@@', '-same', '+other'))).toContain('does not fit')
    expect(here.texts('.patch-places button')).toEqual(['line 2', 'line 4'])
    await button('line 4').click()
    await expect.poll(() => here.root.querySelector('.line.is-fresh')?.getAttribute('data-line')).toBe('4')
  })

  test('a malformed patch marks the invalid line', async () => {
    expect(await preview(envelope('*** Update File: src/twice.ts', '@@', ' one', '*** Rename File: x'))).toContain('cannot be applied')
    expect(here.texts('.patch-view .is-wrong')).toEqual(['*** Rename File: x'])
    expect(here.texts('.patch-part')).toEqual(['Where the patch breaks off'])
    await button('Close the preview').click()
    expect(await preview('')).toContain('cannot be applied')
    expect(body()).toContain('it is empty')
    await button('Close the preview').click()
    await preview('{"patch": "hello"}')
    expect(body()).toContain('Cannot apply the patch')
  })
})

describe('an outdated preview, in detail', () => {
  test('results from an edited patch, and is valid again after undo', async () => {
    await preview(CHANGE)
    paste(field(), `${CHANGE} `)
    expect(status()).toBe('out of dateThe patch was edited.')
    expect(button('Apply').elements()).toHaveLength(0)
    paste(field(), CHANGE)
    expect(status()).toContain('fits')
    await button('Clear').click()
    expect(status()).toContain('out of date')
    paste(field(), envelope('*** Delete File: gone.txt'))
    await button('Preview again').click()
    await expect.poll(status).toContain('fits')
    expect(here.texts('.patch-file > summary')).toEqual(['Deletedgone.txt−1'])
  })

  test('results from changes in the terminal', async () => {
    await preview(CHANGE)
    await userEvent.keyboard('{Control>}`{/Control}')
    await expect.poll(() => here.root.querySelector('.xterm-rows')?.textContent).toContain('workspace $')
    await userEvent.keyboard('ls{Enter}')
    await expect.poll(() => here.texts('.past-call').length).toBe(1)
    expect(status()).toContain('fits')
    await userEvent.keyboard('echo more >> docs/old.md{Enter}')
    await expect.poll(status).toBe('out of dateFiles have changed.')
    await button('Preview again').click()
    await expect.poll(status).toContain('fits')
  })
})

describe('a large patch preview', () => {
  test('a preview of many files is drawn page by page, with the number of others', async () => {
    const files = Array.from({ length: 3000 }, (_, index) => `*** Add File: many/file-${index}.txt\n+a line of ${index}`)
    expect(await preview(envelope(...files))).toBe('fits3,000 filesNothing is changed yet.')
    expect(here.root.querySelectorAll('.patch-file')).toHaveLength(100)
    expect(here.texts('.patch-scroll > .patch-note')[0]).toContain('up to 32 KiB')
    await button('Show 100 more of 2,900 files').click()
    expect(here.root.querySelectorAll('.patch-file')).toHaveLength(200)
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^ok/)
    expect(await read('many/file-2999.txt')).toBe('a line of 2999\n')
  }, 180_000)

  test('a preview of many lines is drawn page by page', async () => {
    const lines = Array.from({ length: 8000 }, () => '+x')
    await preview(envelope('*** Add File: long.txt', ...lines))
    expect(here.root.querySelectorAll('.patch-view .diff-line')).toHaveLength(1000)
    await button('Show 1,000 more of 8,001 lines').click()
    expect(here.root.querySelectorAll('.patch-view .diff-line')).toHaveLength(2000)
  })

  test('an invalid patch is rejected in any form', async () => {
    const texts = ['x'.repeat(400_000), '@@\n'.repeat(50_000), `*** Begin Patch\n${'-\n'.repeat(50_000)}`, '\0\uD800'.repeat(10_000)]
    for (const text of texts) {
      expect(await preview(text), text.slice(0, 20)).toContain('cannot be applied')
      expect(body().length).toBeLessThan(5000)
      await button('Close the preview').click()
    }
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toMatch(/^invalid_input/)
    expect((here.find('.past-call .call-summary').textContent ?? '').length).toBeLessThan(200)
  }, 240_000)
})

describe('the patch preview with loaf, in detail', () => {
  beforeEach(async () => {
    await here.close()
    await begin('loaf')
  })

  test('shows what loaf does with an ambiguous hunk', async () => {
    await preview(envelope('*** Update File: src/twice.ts', '@@', '-same', '+other'))
    expect(body()).toContain('loaf itself takes the first of these places.')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toMatch(/^okapply_patchloaf/)
    expect(await read('src/twice.ts')).toBe('one\nother\ntwo\nsame\n')
  })

  test('shows the final line break that loaf adds', async () => {
    await here.playground.session.workspace.writeText('gone.txt', 'bye')
    await preview(envelope('*** Update File: gone.txt', '@@', '-bye', '+ciao'))
    expect(here.texts('.patch-scroll > .patch-note')[0]).toContain('does not add a last line break that a changed file lacks, as loaf does')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patchloaf/)
    expect(await read('gone.txt')).toBe('ciao\n')
  })

  test('says that files before a failure change only if loaf changes them', async () => {
    const first = ['*** Add File: new.txt', '+new']
    const said = 'those before this one would be changed'
    for (const rest of [
      ['*** Change File: gone.txt'],
      ['*** Add File: ../out.txt', '+out'],
      ['*** Update File: src/twice.ts', '@@', '-same', '+other'],
    ]) {
      await preview(envelope(...first, ...rest))
      expect(status()).toContain('Nothing is changed.')
      expect(body()).not.toContain(said)
      await button('Close the preview').click()
    }
    await preview(envelope(...first, '*** Update File: src/twice.ts', '@@', '-nothing like it', '+other'))
    expect(body()).toContain(said)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toMatch(/^invalid_input/)
    expect(await read('new.txt')).toBe('new\n')
  })
})

test('the preview keeps its buttons on a phone', async () => {
  await page.viewport(390, 844)
  await preview(CHANGE)
  const { left, right } = here.find('.patch-actions').getBoundingClientRect()
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(390)
})
