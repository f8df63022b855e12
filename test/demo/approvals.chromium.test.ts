// @module-tag playground
import '../../demo/src/styles/index.css'
import { defineTool } from 'toolport'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callJson } from '../../demo/src/calls.js'
import type { PresetChoice, PresetParts } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { axeViolations, chooseTool, openPage, paste, type TestPage } from './page.js'

const FILES = {
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ` + name\n}\n',
  'README.md': '# Read me\n',
}
const NOTE = `export default {
  name: 'note',
  description: 'Writes two notes.',
  inputSchema: { type: 'object', properties: {} },
  run: () => Promise.all(['a.txt', 'b.txt'].map((path) => invokeTool('write_file', { path, content: path }).catch(String))),
}
`
const PATIENCE = { timeout: 60_000 }

const touch = defineTool({
  name: 'touch',
  description: 'Writes an empty file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  run: async ({ path }, { workspace }) => {
    await workspace.writeText(String(path), '')
    return 'touched'
  },
})
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
  run: () => 'seen',
})
let release = (): void => undefined
/** Looks when it is let go on. */
const late = defineTool({
  name: 'late',
  description: 'Looks later.',
  inputSchema: { type: 'object', properties: {} },
  async run(_, { invoke }) {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return (await invoke?.('look', {}))?.ok ? 'looked' : 'did not look'
  },
})
/** A preset with rules of its own, about a tool that reads too. */
const strictParts = (): PresetParts => ({
  preset: { name: 'strict', tools: [touch, look, late], validation: 'strict' },
  policy: {
    tools: [
      { tools: 'look', action: 'ask', reason: 'looking is private' },
      { tools: 'touch', action: 'allow' },
    ],
  },
})
const standard = presetChoices[0] as PresetChoice
const strict: PresetChoice = { name: 'strict', about: 'Rules of its own.', load: async () => strictParts }
const zeroclaw = presetChoices.find(({ name }) => name === 'zeroclaw') as PresetChoice

let here: TestPage

async function open(files: Readonly<Record<string, string>> = FILES, presets: readonly PresetChoice[] = [standard]): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search)
  here = await openPage({ files, name: 'test files', presets })
}

afterEach(async () => {
  await here.close()
  history.replaceState(null, '', location.pathname + location.search)
})

const policy = () => page.getByRole('combobox', { name: 'Which calls run' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const asked = (): boolean => !here.find('.approval').hidden
const card = (): string => here.root.querySelector('.approval:not([hidden]) .call-card')?.textContent ?? ''
const outcome = (): string => here.root.querySelector('.result:not([hidden]):not(.patch-view) .result-outcome')?.textContent ?? ''
const listed = (): (string | null)[] => here.texts('.past-call .call-status')
const exists = (path: string): Promise<boolean> => here.playground.session.workspace.exists(path)
const read = async (path: string): Promise<string> => (await here.playground.session.workspace.readText(path)).text
const isAsked = (): Promise<void> => expect.poll(card, PATIENCE).not.toBe('')
/** As somebody does who looks at the question: what is pressed sooner was not meant for it. */
const pressWhenRead = async (key: string): Promise<void> => {
  const shown = performance.now()
  await expect.poll(() => performance.now() - shown).toBeGreaterThan(500)
  await userEvent.keyboard(key)
}
const run = (): Promise<void> => userEvent.keyboard('{Control>}{Enter}{/Control}')

async function choosePreset(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Preset' }).selectOptions(name)
  await expect.poll(() => here.root.querySelector('.preset-select')?.hasAttribute('aria-busy'), PATIENCE).toBe(false)
}

/** The words of a denial, as they are shown beside what the model reads. */
function denial(): string {
  const [message, hint] = here.texts('.failure > p')
  expect(here.find('.failure-code').textContent).toContain('Denied: the model reads these words.')
  return `Error: ${message}\n${hint}`
}

/** The form of a change, with the focus in it. */
async function fillEdit(): Promise<void> {
  await chooseTool('edit_file')
  await page.getByLabelText('path', { exact: true }).fill('src/greet.ts')
  await page.getByLabelText('old_string', { exact: true }).fill('Hello')
  await page.getByLabelText('new_string', { exact: true }).fill('Hi')
}

async function fillWrite(path: string, content = 'x'): Promise<void> {
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill(path)
  paste(here.root.querySelector('.tool-form textarea'), content)
  page.getByLabelText('path', { exact: true }).element().focus()
}

describe('which calls run', () => {
  test('is all of them at first: what somebody runs, runs at once', async () => {
    await open()
    await expect.element(policy()).toHaveValue('allow')
    await fillEdit()
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^okedit_file/)
    expect(asked()).toBe(false)
    expect(await read('src/greet.ts')).toContain('Hi')
  })

  test('may be those that only read: others are denied unasked, and the denial is shown as the model reads it', async () => {
    await open()
    await policy().selectOptions('Read only')
    await fillWrite('new.txt')
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^deniedwrite_file/)
    expect(asked()).toBe(false)
    expect(await exists('new.txt')).toBe(false)
    const words = denial()
    expect(words).toMatch(/^Error: Cannot run "write_file": /)
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(here.find('.result-panel:not([hidden])').textContent).toBe(words)
    await chooseTool('read_file')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^okread_file/)
  })

  test('is asked about none of what the page does by itself', async () => {
    await open()
    await policy().selectOptions('Ask first')
    const { runtime } = here.playground.session
    expect(await runtime.execute({ name: 'write_file', input: { path: 'by-page.txt', content: '' } })).toMatchObject({ ok: true })
    expect(asked()).toBe(false)
    await chooseTool('apply_patch')
    paste(here.root.querySelector('.tool-form textarea'), '*** Begin Patch\n*** Add File: p.txt\n+p\n*** End Patch\n')
    await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    await expect.poll(() => here.find('.patch-view').textContent, PATIENCE).toContain('Nothing is changed yet.')
    expect(asked()).toBe(false)
    // In earnest it is asked about, in the place of the preview.
    await button('Apply').click()
    await isAsked()
    await button('Approve').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^okapply_patch/)
    expect(await exists('p.txt')).toBe(true)
  })
})

describe('a call that is asked about', () => {
  test('shows what it would change, and runs when it is approved, by keys alone', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillEdit()
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-added'), PATIENCE).toEqual(['+  return `Hi, ` + name'])
    expect(here.texts('.approval .diff-removed')).toEqual(['-  return `Hello, ` + name'])
    expect(card()).toContain('edit_file')
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(listed()).toEqual([])
    await expect.poll(() => here.find('.running').textContent).toBe('Waiting for you')
    await expect.element(button('Approve')).toHaveFocus()
    await pressWhenRead('{Enter}')
    await expect.poll(outcome, PATIENCE).toMatch(/^okedit_file/)
    expect(await read('src/greet.ts')).toContain('Hi')
    expect(asked()).toBe(false)
    // Where one was is where one is again.
    await expect.element(page.getByLabelText('new_string', { exact: true })).toHaveFocus()
    await expect.element(policy()).toHaveValue('ask')
  })

  test('does nothing when it is denied, and says what the model would read', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillEdit()
    await button('Run').click()
    await isAsked()
    await userEvent.keyboard('{Tab}')
    await expect.element(button('Deny')).toHaveFocus()
    await pressWhenRead('{Enter}')
    await expect.poll(outcome, PATIENCE).toMatch(/^deniededit_file/)
    await expect.element(button('Run')).toHaveFocus()
    expect(denial()).toContain('Cannot run "edit_file": the approval it needs was not given: it may change something\n')
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(here.find('.result-panel:not([hidden])').textContent).toBe(denial())
    await page.getByRole('tab', { name: 'Data' }).click()
    expect(await read('src/greet.ts')).toContain('Hello')
    expect(listed()).toEqual(['denied'])
    await expect.element(page.getByLabelText('new_string', { exact: true })).toHaveValue('Hi')
  })

  test('is denied by Escape, and given up by Cancel and by Escape in the form', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('new.txt')
    await run()
    await isAsked()
    await userEvent.keyboard('{Escape}')
    await expect.poll(listed, PATIENCE).toEqual(['denied'])
    await run()
    await isAsked()
    await button('Cancel').click()
    await expect.poll(listed, PATIENCE).toEqual(['aborted', 'denied'])
    expect(asked()).toBe(false)
    await expect.element(button('Run')).toHaveFocus()
    await run()
    await isAsked()
    page.getByLabelText('path', { exact: true }).element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(listed, PATIENCE).toEqual(['aborted', 'aborted', 'denied'])
    expect(asked()).toBe(false)
    await expect.element(page.getByLabelText('path', { exact: true })).toHaveFocus()
    expect(await exists('new.txt')).toBe(false)
  })

  test('runs with all that follow by "Allow all"', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('one.txt')
    await run()
    await isAsked()
    await button('Allow all').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^okwrite_file/)
    await expect.element(policy()).toHaveValue('allow')
    await page.getByLabelText('path', { exact: true }).fill('two.txt')
    await run()
    await expect.poll(listed, PATIENCE).toEqual(['ok', 'ok'])
    expect(asked()).toBe(false)
  })

  test('shows a command as it is, and what a deletion takes away', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await chooseTool('bash')
    await page.getByLabelText('command', { exact: true }).fill('echo "<b>two</b>" > two.txt')
    await run()
    await isAsked()
    expect(here.find('.approval .card-box').textContent).toBe('echo "<b>two</b>" > two.txt')
    await button('Approve').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^okbash/)
    expect(await read('two.txt')).toBe('<b>two</b>\n')
    await chooseTool('delete_file')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-removed'), PATIENCE).toEqual(['-# Read me'])
    await userEvent.keyboard('{Escape}')
    await expect.poll(outcome, PATIENCE).toMatch(/^denieddelete_file/)
    expect(await exists('README.md')).toBe(true)
  })

  test('does not count the time in which somebody thinks about it', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('new.txt')
    const began = performance.now()
    await run()
    await isAsked()
    const shown = performance.now()
    await expect.poll(() => performance.now() - shown).toBeGreaterThan(1500)
    await button('Approve').click()
    await expect.poll(listed, PATIENCE).toEqual(['ok'])
    const [time = ''] = here.texts('.past-call .call-time')
    const [, value = '', unit] = /^([\d.]+) (ms|s)$/.exec(time ?? '') ?? []
    expect(Number(value) * (unit === 's' ? 1000 : 1)).toBeLessThan(performance.now() - began - 1400)
  })

  test('may be huge or hostile: it is text, and the page stays quick', async () => {
    await open()
    await policy().selectOptions('Ask first')
    const hostile = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>\n'
    await fillWrite('page.html', hostile)
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-added'), PATIENCE).toEqual([`+${hostile.trimEnd()}`])
    expect(here.root.querySelectorAll('.approval img, .approval script')).toHaveLength(0)
    await userEvent.keyboard('{Escape}')
    await expect.poll(listed, PATIENCE).toEqual(['denied'])
    await fillWrite('page.html', hostile + 'a line of some length\n'.repeat(150_000))
    await run()
    await isAsked()
    expect(card()).toContain('<script>')
    expect(card().length).toBeLessThan(10_000)
    expect(here.root.querySelectorAll('.approval img, .approval script')).toHaveLength(0)
    await button('Approve').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^okwrite_file/)
    expect((await read('page.html')).startsWith(hostile)).toBe(true)
    expect('hacked' in globalThis).toBe(false)
  })

  test('that a tool makes by itself is asked about too, one after the other', async () => {
    await open({ ...FILES, '.toolport/tools/note.mjs': NOTE })
    await expect.element(page.getByRole('radio', { name: 'note', exact: true })).toBeInTheDocument()
    await policy().selectOptions('Ask first')
    await chooseTool('note')
    await run()
    await isAsked()
    expect(card()).toContain('note')
    await button('Approve').click()
    await expect.poll(card, PATIENCE).toContain('A call that note makes.')
    expect(here.root.querySelectorAll('.approval .call-card')).toHaveLength(1)
    expect(card()).toContain('a.txt')
    await button('Approve').click()
    await expect.poll(card, PATIENCE).toContain('b.txt')
    await button('Deny').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^oknote/)
    expect([await exists('a.txt'), await exists('b.txt')]).toEqual([true, false])
    expect(here.find('.result-panel').textContent).toContain('the approval it needs was not given')
    // Said once, it holds for those that wait already.
    await run()
    await isAsked()
    await button('Allow all').click()
    await expect.poll(listed, PATIENCE).toEqual(['ok', 'ok'])
    expect(await exists('b.txt')).toBe(true)
  })

  test('goes with its workspace', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('new.txt')
    await run()
    await isAsked()
    await here.playground.load('other', { 'a.txt': 'a\n' })
    await expect.poll(asked).toBe(false)
    await expect.element(button('Run')).toHaveAttribute('aria-disabled', 'false')
    expect(listed()).toEqual([])
    await fillWrite('new.txt')
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^okwrite_file/)
  })
})

describe('what a preset wants approved', () => {
  test('by its rules is asked, whatever is chosen, with its reason', async () => {
    await open(FILES, [standard, strict])
    await choosePreset('strict')
    await chooseTool('look')
    await run()
    await isAsked()
    expect(card()).toContain('Looking is private.')
    await expect.element(button('Allow all')).not.toBeInTheDocument()
    await button('Deny').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^deniedlook/)
    expect(denial()).toContain('looking is private')
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^oklook/)
    // What its rules allow is the person's to allow.
    await chooseTool('touch')
    await page.getByLabelText('path', { exact: true }).fill('touched')
    await run()
    await expect.poll(outcome, PATIENCE).toMatch(/^oktouch/)
    await policy().selectOptions('Ask first')
    await run()
    await isAsked()
    expect(card()).not.toContain('private')
    await userEvent.keyboard('{Escape}')
    await expect.poll(outcome, PATIENCE).toMatch(/^deniedtouch/)
  })

  test('is told where nobody sees it, and takes nobody away', async () => {
    await open(FILES, [standard, strict])
    await choosePreset('strict')
    await chooseTool('late')
    await run()
    await expect.poll(() => here.find('.running').textContent, PATIENCE).toMatch(/^Running/)
    await page.getByRole('tab', { name: 'Agent', exact: true }).click()
    page.getByLabelText('Message to the agent').element().focus()
    release()
    await expect.poll(() => here.find('.notice').textContent, PATIENCE).toContain('look waits for your approval, in Tools.')
    await expect.element(page.getByLabelText('Message to the agent')).toHaveFocus()
    await page.getByRole('tab', { name: 'Tools', exact: true }).click()
    await expect.poll(card, PATIENCE).toContain('A call that late makes.')
    await button('Approve').click()
    await expect.poll(outcome, PATIENCE).toMatch(/^oklate/)
    expect(here.find('.result-panel').textContent).toBe('looked')
  })

  test('by a security policy that its tools ask is asked, and denied in its own words', async () => {
    await open(FILES, [standard, zeroclaw])
    await choosePreset('zeroclaw')
    await chooseTool('shell')
    await button('One that you are asked about').click()
    await run()
    await isAsked()
    expect(card()).toContain('The command has medium risk and needs an approval.')
    expect(here.find('.approval .card-box').textContent).toBe('git commit -m "A change"')
    await button('Deny').click()
    await expect.poll(outcome, PATIENCE).toContain('shell')
    expect(here.find('.failure-message').textContent).toBe(
      'Command blocked by security policy: the command has medium risk and needs an approval',
    )
    // What is approved runs: there is no repository here, which git says.
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(() => here.find('.failure-message').textContent, PATIENCE).toContain('Execution failed: exit code 128')
  })

  test('and the person too is one question, not two', async () => {
    await open(FILES, [standard, zeroclaw])
    await choosePreset('zeroclaw')
    await policy().selectOptions('Ask first')
    await chooseTool('shell')
    await button('One that you are asked about').click()
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(() => here.root.querySelector('.failure-message')?.textContent, PATIENCE).toContain('exit code 128')
    expect(listed()).toHaveLength(1)
  })
})

test('the raw call is what was sent, to be copied', async () => {
  await open()
  await fillEdit()
  await run()
  await expect.poll(outcome, PATIENCE).toMatch(/^okedit_file/)
  await page.getByRole('tab', { name: 'Call' }).click()
  const input = { path: 'src/greet.ts', edits: [{ old_string: 'Hello', new_string: 'Hi' }] }
  expect(here.find('.result-panel:not([hidden]) pre').textContent).toBe(callJson({ tool: 'edit_file', input }))
  expect(JSON.parse(callJson({ tool: 'edit_file', input }))).toEqual({ name: 'edit_file', input })
  await expect.element(button('Copy what is shown')).toBeVisible()
})

describe('accessibility', () => {
  test.each(['light', 'dark'])('no violation with a question, and nothing wider than a phone, %s', async (theme) => {
    await open()
    document.documentElement.dataset.theme = theme
    onTestFinished(() => void delete document.documentElement.dataset.theme)
    await policy().selectOptions('Ask first')
    await fillEdit()
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-added').length, PATIENCE).toBe(1)
    expect(await axeViolations()).toEqual([])
    await page.viewport(390, 844)
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await button('Deny').click()
    await expect.poll(listed, PATIENCE).toEqual(['denied'])
    expect(await axeViolations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  })
})
