// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import {
  asked,
  button,
  card,
  choosePreset,
  exists,
  FILES,
  fillWrite,
  here,
  isAsked,
  listed,
  open,
  outcome,
  policy,
  read,
  release,
  run,
  standard,
  strict,
  useApprovalsPage,
} from './approvals-page.js'
import { chooseTool, paste } from './page.js'

useApprovalsPage()

const NOTE = `export default {
  name: 'note',
  description: 'Writes two notes.',
  inputSchema: { type: 'object', properties: {} },
  run: () => Promise.all(['a.txt', 'b.txt'].map((path) => invokeTool('write_file', { path, content: path }).catch(String))),
}
`

const zeroclaw = presetChoices.find(({ name }) => name === 'zeroclaw') as PresetChoice

describe('approval policy of the page', () => {
  test('does not apply to calls that the page itself makes', async () => {
    await open()
    await policy().selectOptions('Ask first')
    const { runtime } = here.playground.session
    expect(await runtime.execute({ name: 'write_file', input: { path: 'by-page.txt', content: '' } })).toMatchObject({ ok: true })
    expect(asked()).toBe(false)
    await chooseTool('apply_patch')
    paste(here.root.querySelector('.tool-form textarea'), '*** Begin Patch\n*** Add File: p.txt\n+p\n*** End Patch\n')
    await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
    await expect.poll(() => here.find('.patch-view').textContent).toContain('Nothing is changed yet.')
    expect(asked()).toBe(false)
    // Applying the patch asks for approval. The question takes the place of the preview.
    await button('Apply').click()
    await isAsked()
    await button('Approve').click()
    await expect.poll(outcome).toMatch(/^okapply_patch/)
    expect(await exists('p.txt')).toBe(true)
  })
})

describe('a call that needs approval', () => {
  test('runs together with all later ones after "Allow all"', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('one.txt')
    await run()
    await isAsked()
    await button('Allow all').click()
    await expect.poll(outcome).toMatch(/^okwrite_file/)
    await expect.element(policy()).toHaveValue('allow')
    await page.getByLabelText('path', { exact: true }).fill('two.txt')
    await run()
    await expect.poll(listed).toEqual(['ok', 'ok'])
    expect(asked()).toBe(false)
  })

  test('shows a command verbatim, and the content of a deletion', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await chooseTool('bash')
    await page.getByLabelText('command', { exact: true }).fill('echo "<b>two</b>" > two.txt')
    await run()
    await isAsked()
    expect(here.find('.approval .card-box').textContent).toBe('echo "<b>two</b>" > two.txt')
    await button('Approve').click()
    await expect.poll(outcome).toMatch(/^okbash/)
    expect(await read('two.txt')).toBe('<b>two</b>\n')
    await chooseTool('delete_file')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-removed')).toEqual(['-# Read me'])
    await userEvent.keyboard('{Escape}')
    await expect.poll(outcome).toMatch(/^denieddelete_file/)
    expect(await exists('README.md')).toBe(true)
  })

  test('does not count the time of the decision', async () => {
    await open()
    await policy().selectOptions('Ask first')
    await fillWrite('new.txt')
    const began = performance.now()
    await run()
    await isAsked()
    const shown = performance.now()
    await expect.poll(() => performance.now() - shown).toBeGreaterThan(1500)
    await button('Approve').click()
    await expect.poll(listed).toEqual(['ok'])
    const [time = ''] = here.texts('.past-call .call-time')
    const [, value = '', unit] = /^([\d.]+) (ms|s)$/.exec(time ?? '') ?? []
    expect(Number(value) * (unit === 's' ? 1000 : 1)).toBeLessThan(performance.now() - began - 1400)
  })

  test('a call with huge or hostile input is shown as text, and the page stays fast', async () => {
    await open()
    await policy().selectOptions('Ask first')
    const hostile = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>\n'
    await fillWrite('page.html', hostile)
    await run()
    await isAsked()
    await expect.poll(() => here.texts('.approval .diff-added')).toEqual([`+${hostile.trimEnd()}`])
    expect(here.root.querySelectorAll('.approval img, .approval script')).toHaveLength(0)
    await userEvent.keyboard('{Escape}')
    await expect.poll(listed).toEqual(['denied'])
    await fillWrite('page.html', hostile + 'a line of some length\n'.repeat(150_000))
    await run()
    await isAsked()
    expect(card()).toContain('<script>')
    expect(card().length).toBeLessThan(10_000)
    expect(here.root.querySelectorAll('.approval img, .approval script')).toHaveLength(0)
    await button('Approve').click()
    await expect.poll(outcome).toMatch(/^okwrite_file/)
    expect((await read('page.html')).startsWith(hostile)).toBe(true)
    expect('hacked' in globalThis).toBe(false)
  })

  test('made by a tool needs its own approval, one after the other', async () => {
    await open({ ...FILES, '.toolport/tools/note.mjs': NOTE })
    await expect.element(page.getByRole('radio', { name: 'note', exact: true })).toBeInTheDocument()
    await policy().selectOptions('Ask first')
    await chooseTool('note')
    await run()
    await isAsked()
    expect(card()).toContain('note')
    await button('Approve').click()
    await expect.poll(card).toContain('A call that note makes.')
    expect(here.root.querySelectorAll('.approval .call-card')).toHaveLength(1)
    expect(card()).toContain('a.txt')
    await button('Approve').click()
    await expect.poll(card).toContain('b.txt')
    await button('Deny').click()
    await expect.poll(outcome).toMatch(/^oknote/)
    expect([await exists('a.txt'), await exists('b.txt')]).toEqual([true, false])
    expect(here.find('.result-panel').textContent).toContain('the required approval was not given')
    // "Allow all" also approves the calls that are already waiting.
    await run()
    await isAsked()
    await button('Allow all').click()
    await expect.poll(listed).toEqual(['ok', 'ok'])
    expect(await exists('b.txt')).toBe(true)
  })

  test('ends with its workspace', async () => {
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
    await expect.poll(outcome).toMatch(/^okwrite_file/)
  })
})

describe('approval required by a preset', () => {
  test('shows its question if it is out of view, without moving the focus', async () => {
    await open(FILES, [standard, strict])
    await choosePreset('strict')
    await chooseTool('late')
    await run()
    await expect.poll(() => here.find('.running').textContent).toMatch(/^Running/)
    await page.getByRole('tab', { name: 'Agent', exact: true }).click()
    page.getByLabelText('Message to the agent').element().focus()
    release()
    await expect.poll(() => here.find('.notice').textContent).toContain('look waits for your approval, in Tools.')
    await expect.element(page.getByLabelText('Message to the agent')).toHaveFocus()
    await page.getByRole('tab', { name: 'Tools', exact: true }).click()
    await expect.poll(card).toContain('A call that late makes.')
    await button('Approve').click()
    await expect.poll(outcome).toMatch(/^oklate/)
    expect(here.find('.result-panel').textContent).toBe('looked')
  })

  test('approval required by its security policy is asked, and a denial has its own message', async () => {
    await open(FILES, [standard, zeroclaw])
    await choosePreset('zeroclaw')
    await chooseTool('shell')
    await button('One that you are asked about').click()
    await run()
    await isAsked()
    expect(card()).toContain('The command has medium risk and needs approval.')
    expect(here.find('.approval .card-box').textContent).toBe('git commit -m "A change"')
    await button('Deny').click()
    await expect.poll(outcome).toContain('shell')
    expect(here.find('.failure-message').textContent).toBe(
      'Command blocked by security policy: the command has medium risk and needs approval',
    )
    // The approved command runs and fails, because there is no git repository here.
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(() => here.find('.failure-message').textContent).toContain('Execution failed: exit code 128')
  })

  test('approval required by the preset and the page is one question, not two', async () => {
    await open(FILES, [standard, zeroclaw])
    await choosePreset('zeroclaw')
    await policy().selectOptions('Ask first')
    await chooseTool('shell')
    await button('One that you are asked about').click()
    await run()
    await isAsked()
    await button('Approve').click()
    await expect.poll(() => here.root.querySelector('.failure-message')?.textContent).toContain('exit code 128')
    expect(listed()).toHaveLength(1)
  })
})
