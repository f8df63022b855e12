// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { around, hunkAt } from '../../demo/src/patch/excerpt.js'
import { fileDiffs } from '../../demo/src/patch/file-diffs.js'
import { createSession } from '../../demo/src/session.js'
import { axeViolations, chooseTool, openPage, paste, type TestPage } from './page.js'

const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'src/twice.ts': 'one\nsame\ntwo\nsame\n',
  'docs/old.md': '# Old\n',
  'docs/move me.md': 'first\nsecond\n',
  'gone.txt': 'bye\n',
  'data.bin': new Uint8Array([0, 1, 2, 255]),
}

const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
const CHANGE = envelope('*** Update File: src/greet.ts', '@@', '-  return `Hello, ` + name', '+  return `Good morning, ` + name')

let here: TestPage

async function begin(preset = 'standard'): Promise<void> {
  history.replaceState(null, '', preset === 'standard' ? location.pathname + location.search : `#preset=${preset}`)
  here = await openPage({ files: FILES, name: 'test files' })
  await chooseTool('apply_patch')
}

beforeEach(() => begin())

afterEach(async () => {
  await here.close()
  history.replaceState(null, '', location.pathname + location.search)
})

const field = (): Element | null => here.root.querySelector('.tool-form textarea')
const status = (): string => here.root.querySelector('.patch-view:not([hidden]) .result-outcome')?.textContent ?? ''
const button = (name: string) => page.getByRole('button', { name, exact: true })
const body = (): string => here.find('.patch-scroll').textContent ?? ''
const read = async (path: string): Promise<string> => (await here.playground.session.workspace.readText(path)).text
const outcome = (): string => here.root.querySelector('.result:not(.patch-view):not([hidden]) .result-outcome')?.textContent ?? ''

async function preview(patch: string): Promise<string> {
  paste(field(), patch)
  await userEvent.click(here.find('.pane-tools [aria-keyshortcuts*=Shift]'))
  await expect.poll(status, { timeout: 30_000 }).not.toBe('')
  await expect.element(button('Run')).toHaveAttribute('aria-disabled', 'false')
  return status()
}

describe('the preview of a patch', () => {
  test('shows each file and each kind of change, and changes nothing', async () => {
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

  test('shows what git diffs have more: copies, renames without a change, files that take the place of others', async () => {
    const git = 'diff --git a/docs/old.md b/docs/copy.md\nsimilarity index 100%\ncopy from docs/old.md\ncopy to docs/copy.md\n'
    const rename = 'diff --git a/gone.txt b/here.txt\nsimilarity index 100%\nrename from gone.txt\nrename to here.txt\n'
    await preview(git + rename)
    expect(here.texts('.patch-file > summary')).toEqual(['Copieddocs/old.md → docs/copy.md', 'Renamedgone.txt → here.txt'])
    expect(here.texts('.patch-body > .patch-note')).toEqual(['The content stays as it is.', 'The content stays as it is.'])
    await button('Close the preview').click()
    await preview(envelope('*** Add File: gone.txt', '+new'))
    expect(body()).toContain('It takes the place of a file that is there.')
  })

  test('is applied as it was seen, and gives way to the result', async () => {
    expect(await preview(CHANGE)).toContain('fits')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(here.find('.patch-view').hidden).toBe(true)
    expect(await read('src/greet.ts')).toContain('Good morning')
    await expect.element(page.getByRole('treeitem', { name: 'greet.ts, modified' })).toBeVisible()
    await expect.element(page.getByRole('tab', { name: 'Data' })).toHaveFocus()
    expect(here.texts('.call-tool')).toEqual(['apply_patch'])
  })

  test('that renames the open file leaves it open under its new name', async () => {
    await here.playground.openFile('gone.txt')
    const patch = 'diff --git a/gone.txt b/docs/here.txt\nsimilarity index 100%\nrename from gone.txt\nrename to docs/here.txt\n'
    await preview(patch)
    expect(here.find('.pane-view').textContent).toContain('gone.txt')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(here.find('.pane-view').textContent).toContain('docs/here.txt')
    expect(here.find('.pane-view').textContent).toContain('bye')
  })

  test('is applied in earnest, even where the form says dry_run', async () => {
    await userEvent.click(here.find('.options > summary'))
    await userEvent.click(page.getByLabelText('dry_run', { exact: true }))
    await preview(CHANGE)
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(await read('src/greet.ts')).toContain('Good morning')
  })

  test('works by keys alone', async () => {
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

  test('is there for tools that take a patch only, and goes with the tool', async () => {
    await preview(CHANGE)
    await chooseTool('edit_file')
    expect(here.find('.patch-view').hidden).toBe(true)
    expect(button('Preview').elements()).toHaveLength(0)
    await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    expect(here.find('.patch-view').hidden).toBe(true)
  })
})

describe('a patch that does not fit', () => {
  test('is told with its hunk and what comes nearest, which opens', async () => {
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

  test('because it fits twice names the places', async () => {
    expect(await preview(envelope('*** Update File: src/twice.ts', '@@', '-same', '+other'))).toContain('does not fit')
    expect(here.texts('.patch-places button')).toEqual(['line 2', 'line 4'])
    await button('line 4').click()
    await expect.poll(() => here.root.querySelector('.line.is-fresh')?.getAttribute('data-line')).toBe('4')
  })

  test('because it is no patch marks where it breaks off', async () => {
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

  test('outside the workspace is refused before it is applied', async () => {
    await preview(envelope('*** Add File: ../secrets.txt', '+no'))
    expect(status()).toContain('cannot be applied')
    expect(here.find('.patch-view .failure-code').textContent).toBe('path_outside_workspace')
  })
})

describe('a preview goes out of date', () => {
  test('with the text, and holds again when that is as it was', async () => {
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

  test('with the files, when the terminal changes them', async () => {
    await preview(CHANGE)
    await userEvent.keyboard('{Control>}`{/Control}')
    await expect.poll(() => here.root.querySelector('.xterm-rows')?.textContent, { timeout: 30_000 }).toContain('workspace $')
    await userEvent.keyboard('ls{Enter}')
    await expect.poll(() => here.texts('.past-call').length, { timeout: 30_000 }).toBe(1)
    expect(status()).toContain('fits')
    await userEvent.keyboard('echo more >> docs/old.md{Enter}')
    await expect.poll(status, { timeout: 30_000 }).toBe('out of dateFiles have changed.')
    await button('Preview again').click()
    await expect.poll(status).toContain('fits')
  })

  test('when it is applied, where files have changed unseen: then nothing is', async () => {
    await preview(CHANGE)
    await here.playground.session.workspace.writeText('docs/old.md', 'other\n')
    await button('Apply').click()
    await expect.poll(status).toContain('Files have changed.')
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(here.texts('.past-call')).toEqual([])
  })
})

describe('a large patch', () => {
  test('of many files is drawn a page at a time, and says what is left out', async () => {
    const files = Array.from({ length: 3000 }, (_, index) => `*** Add File: many/file-${index}.txt\n+a line of ${index}`)
    expect(await preview(envelope(...files))).toBe('fits3,000 filesNothing is changed yet.')
    expect(here.root.querySelectorAll('.patch-file')).toHaveLength(100)
    expect(here.texts('.patch-scroll > .patch-note')[0]).toContain('up to 32 KiB')
    await button('Show 100 more of 2,900 files').click()
    expect(here.root.querySelectorAll('.patch-file')).toHaveLength(200)
    await button('Apply').click()
    await expect.poll(outcome, { timeout: 60_000 }).toMatch(/^ok/)
    expect(await read('many/file-2999.txt')).toBe('a line of 2999\n')
  }, 180_000)

  test('of many lines is drawn a page at a time', async () => {
    const lines = Array.from({ length: 8000 }, () => '+x')
    await preview(envelope('*** Add File: long.txt', ...lines))
    expect(here.root.querySelectorAll('.patch-view .diff-line')).toHaveLength(1000)
    await button('Show 1,000 more of 8,001 lines').click()
    expect(here.root.querySelectorAll('.patch-view .diff-line')).toHaveLength(2000)
  })

  test('without sense is refused, in whatever shape it comes', async () => {
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

describe('with loaf', () => {
  beforeEach(async () => {
    await here.close()
    await begin('loaf')
  })

  test('the standard tool shows what it would do, and loaf does it', async () => {
    expect(await preview(CHANGE)).toBe('fits1 file+1−1Nothing is changed yet.')
    expect(here.texts('.patch-scroll > .patch-note')[0]).toContain('where loaf takes the first')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patchloaf/)
    expect(await read('src/greet.ts')).toContain('Good morning')
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(here.find('.result-panel:not([hidden])').textContent).toContain('Success. Updated the following files:')
  })

  test('what fits twice is told with what loaf does', async () => {
    await preview(envelope('*** Update File: src/twice.ts', '@@', '-same', '+other'))
    expect(body()).toContain('loaf itself takes the first of these places.')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toMatch(/^okapply_patchloaf/)
    expect(await read('src/twice.ts')).toBe('one\nother\ntwo\nsame\n')
  })

  test('a last line break that loaf adds is told beforehand', async () => {
    await here.playground.session.workspace.writeText('gone.txt', 'bye')
    await preview(envelope('*** Update File: gone.txt', '@@', '-bye', '+ciao'))
    expect(here.texts('.patch-scroll > .patch-note')[0]).toContain('does not add a last line break that a changed file lacks, as loaf does')
    await button('Apply').click()
    await expect.poll(outcome).toMatch(/^okapply_patchloaf/)
    expect(await read('gone.txt')).toBe('ciao\n')
  })

  test('files before a failure are said to be changed only where loaf changes them', async () => {
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

describe('accessibility', () => {
  test.each(['light', 'dark'])('no violation, %s', async (theme) => {
    document.documentElement.dataset.theme = theme
    await preview(CHANGE)
    expect(await axeViolations()).toEqual([])
    paste(field(), envelope('*** Update File: src/twice.ts', '@@', '-sane', '+other'))
    expect(await axeViolations()).toEqual([])
    await button('Preview again').click()
    await expect.poll(status).toContain('does not fit')
    expect(await axeViolations()).toEqual([])
  })

  test('nothing is wider than a phone', async () => {
    await page.viewport(390, 844)
    await preview(CHANGE)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    expect(await axeViolations()).toEqual([])
    const { left, right } = here.find('.patch-actions').getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(390)
  })
})

describe('the parts of it', () => {
  test('a diff is taken apart by counted lines, whatever the files hold', async () => {
    const tricky = '--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/x b/x\nrename to y\n[diff cut at 1 bytes]\n'
    const session = createSession('test', { files: { 'a.txt': tricky, 'b "q".txt': 'one\n' } })
    const patch = envelope(
      '*** Update File: a.txt',
      '@@',
      ' --- a/x',
      '-+++ b/x',
      '+--- b/y',
      ' @@ -1 +1 @@',
      '*** Update File: b "q".txt',
      '@@',
      '-one',
      '+two',
    )
    const { output } = await session.runtime.execute({ name: 'apply_patch', input: { patch, dry_run: true } })
    const files = fileDiffs(output, (path) => session.workspace.relative(path))
    expect(files.map(({ path, added, removed, cut }) => [path, added, removed, cut])).toEqual([
      ['/workspace/a.txt', 1, 1, false],
      ['/workspace/b "q".txt', 1, 1, false],
    ])
    expect(files[0]?.diff).toBe('@@ -1,5 +1,5 @@\n --- a/x\n-+++ b/x\n+--- b/y\n @@ -1 +1 @@\n diff --git a/x b/x\n rename to y')
    await session.close()
  })

  test('nothing is made of what is no output of the tool', () => {
    for (const output of [undefined, null, 'text', {}, { changes: 1 }]) expect(fileDiffs(output, String)).toEqual([])
  })

  test('a hunk ends where the next part begins', () => {
    const texts = (patch: string, line: number): string[] => hunkAt(patch, line).map(({ text }) => text)
    expect(texts('@@\n-a\n+b\n@@\n-c', 1)).toEqual(['@@', '-a', '+b'])
    expect(texts('@@\r\n-a\r\n*** End of File\r\n*** End Patch', 1)).toEqual(['@@', '-a', '*** End of File'])
    expect(texts('@@ -1 +1 @@\n--- a\n-b\n--- a/x\n+++ b/x\n', 1)).toEqual(['@@ -1 +1 @@', '--- a', '-b'])
    expect(texts('a\nb', 9)).toEqual([])
    expect(hunkAt('+x\n'.repeat(1000), 1)).toHaveLength(40)
    expect(around('1\n2\n3\n4\n5\n6\n7', 4).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6])
    expect(around('1\n2\n3\n4', 1).map(({ number }) => number)).toEqual([1, 2, 3])
  })
})
