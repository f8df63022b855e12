// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callJson } from '../../demo/src/calls.js'
import {
  asked,
  button,
  card,
  choosePreset,
  exists,
  FILES,
  fillEdit,
  fillWrite,
  here,
  isAsked,
  listed,
  open,
  outcome,
  policy,
  read,
  run,
  standard,
  strict,
  useApprovalsPage,
} from './approvals-page.js'
import { chooseTool } from './page.js'

useApprovalsPage()

/** Waits as long as a person reads the question, because keys that are pressed sooner are ignored. */
const pressWhenRead = async (key: string): Promise<void> => {
  const shown = performance.now()
  await expect.poll(() => performance.now() - shown).toBeGreaterThan(500)
  await userEvent.keyboard(key)
}

/** The text of a denial, which is shown beside the model view. */
function denial(): string {
  const [message, hint] = here.texts('.failure > p')
  expect(here.find('.failure-code').textContent).toContain('Denied: the model reads these words.')
  return `Error: ${message}\n${hint}`
}

describe('approval policy of the page', () => {
  test('"Read only" denies other calls unasked, and shows the denial as the model gets it', async () => {
    await open()
    await policy().selectOptions('Read only')
    await fillWrite('new.txt')
    await run()
    await expect.poll(outcome).toMatch(/^deniedwrite_file/)
    expect(asked()).toBe(false)
    expect(await exists('new.txt')).toBe(false)
    const words = denial()
    expect(words).toMatch(/^Error: Cannot run "write_file": /)
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(here.find('.result-panel:not([hidden])').textContent).toBe(words)
    await chooseTool('read_file')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await run()
    await expect.poll(outcome).toMatch(/^okread_file/)
  })
})

describe('a call that needs approval', () => {
  test('shows its change, and runs after approval by keyboard', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillEdit()
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-added')).toEqual(['+  return `Hi, ` + name'])
    expect(here.texts('.approval .diff-removed')).toEqual(['-  return `Hello, ` + name'])
    expect(card()).toContain('edit_file')
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(listed()).toEqual([])
    await expect.poll(() => here.find('.running').textContent).toBe('Waiting for you')
    await expect.element(button('Approve')).toHaveFocus()
    await pressWhenRead('{Enter}')
    await expect.poll(outcome).toMatch(/^okedit_file/)
    expect(await read('src/greet.ts')).toContain('Hi')
    expect(asked()).toBe(false)
    // The focus returns to where it was before the question.
    await expect.element(page.getByLabelText('new_string', { exact: true })).toHaveFocus()
    await expect.element(policy()).toHaveValue('ask')
  })

  test('does nothing after a denial, and shows the text for the model', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillEdit()
    await button('Run').click()
    await isAsked()
    await userEvent.keyboard('{Tab}')
    await expect.element(button('Deny')).toHaveFocus()
    await pressWhenRead('{Enter}')
    await expect.poll(outcome).toMatch(/^deniededit_file/)
    await expect.element(button('Run')).toHaveFocus()
    expect(denial()).toContain('Cannot run "edit_file": the required approval was not given: it may change something\n')
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(here.find('.result-panel:not([hidden])').textContent).toBe(denial())
    await page.getByRole('tab', { name: 'Data' }).click()
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(listed()).toEqual(['denied'])
    await expect.element(page.getByLabelText('new_string', { exact: true })).toHaveValue('Hi')
  })

  test('is denied by Escape, and cancelled by Cancel or by Escape in the form', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('new.txt')
    await run()
    await isAsked()
    await userEvent.keyboard('{Escape}')
    await expect.poll(listed).toEqual(['denied'])
    await run()
    await isAsked()
    await button('Cancel').click()
    await expect.poll(listed).toEqual(['aborted', 'denied'])
    expect(asked()).toBe(false)
    await expect.element(button('Run')).toHaveFocus()
    await run()
    await isAsked()
    page.getByLabelText('path', { exact: true }).element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(listed).toEqual(['aborted', 'aborted', 'denied'])
    expect(asked()).toBe(false)
    await expect.element(page.getByLabelText('path', { exact: true })).toHaveFocus()
    expect(await exists('new.txt')).toBe(false)
  })
})

describe('approval required by a preset', () => {
  test('approval required by its rules is asked with its reason, whatever the page’s policy', async () => {
    await open(FILES, [standard, strict])
    await choosePreset('strict')
    await chooseTool('look')
    await run()
    await isAsked()
    expect(card()).toContain('Looking is private.')
    await expect.element(button('Allow all')).not.toBeInTheDocument()
    await button('Deny').click()
    await expect.poll(outcome).toMatch(/^deniedlook/)
    expect(denial()).toContain('looking is private')
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(outcome).toMatch(/^oklook/)
    // The preset's rules do not override the user's policy: a rule allows `touch`, but with "Ask first" the user is asked.
    await chooseTool('touch')
    await page.getByLabelText('path', { exact: true }).fill('touched')
    await run()
    await expect.poll(outcome).toMatch(/^oktouch/)
    await policy().selectOptions('Ask first')
    await run()
    await isAsked()
    expect(card()).not.toContain('private')
    await userEvent.keyboard('{Escape}')
    await expect.poll(outcome).toMatch(/^deniedtouch/)
  })
})

test('the raw call is what was sent, and can be copied', async () => {
  await open()
  await fillEdit()
  await run()
  await expect.poll(outcome).toMatch(/^okedit_file/)
  await page.getByRole('tab', { name: 'Call' }).click()
  const input = { path: 'src/greet.ts', edits: [{ old_string: 'Hello', new_string: 'Hi' }] }
  expect(here.find('.result-panel:not([hidden]) pre').textContent).toBe(callJson({ tool: 'edit_file', input }))
  expect(JSON.parse(callJson({ tool: 'edit_file', input }))).toEqual({ name: 'edit_file', input })
  await expect.element(button('Copy what is shown')).toBeVisible()
})
