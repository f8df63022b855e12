// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { enter, find, isOpen, lastRow, open, playground, prompt, root, rows, type, withPlayground } from './terminal-page.js'

withPlayground()

describe('terminal commands in detail', () => {
  test('are calls of bash in the session of the form', async () => {
    await open()
    await enter('export NAME=Ada; cd src', 'workspace/src')
    await userEvent.click(page.getByRole('tab', { name: 'History 1' }))
    await userEvent.click(find('.past-call'))
    await userEvent.click(page.getByRole('tab', { name: 'Call' }))
    const call: unknown = JSON.parse(find('.result-panel:not([hidden]) pre').textContent ?? '')
    expect(call).toEqual({ name: 'bash', input: { command: 'export NAME=Ada; cd src' } })
    await page.getByLabelText('command', { exact: true }).fill('echo $NAME; cd ..')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await prompt('workspace')
    await userEvent.click(page.getByRole('tab', { name: 'As the model reads it' }))
    expect(find('.result-panel:not([hidden])').textContent).toContain('Ada')
  })

  test('show errors in another colour, and a non-zero exit code', async () => {
    await open()
    await enter('cat missing.txt; exit 3')
    const [wrong] = root.querySelectorAll('.xterm-rows .xterm-fg-1')
    expect(wrong?.textContent?.replaceAll('\u00a0', ' ')).toContain('missing.txt')
    expect(rows().at(-2)).toBe('exit 3')
  })

  test('start the next prompt on a new row', async () => {
    await open()
    await enter(`printf 'no line end'`)
    expect(rows().at(-2)).toBe('no line end')
  })

  test('stream their output', async () => {
    await open()
    await type('echo first; while [ ! -e go ]; do sleep 0.1; done; echo last >&2')
    await userEvent.keyboard('{Enter}')
    await expect.poll(lastRow).toBe('first')
    await playground.session.workspace.writeText('go', '')
    await prompt('workspace')
    expect(rows().slice(-3)).toEqual(['first', 'last', 'workspace $'])
  })

  test('wait when they are typed while another runs', async () => {
    await open()
    await type('sleep 0.3; echo one')
    await userEvent.keyboard('{Enter}')
    await type('echo two')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => rows().slice(-4)).toEqual(['one', 'workspace $ echo two', 'two', 'workspace $'])
  })

  test('start in a new session with another workspace', async () => {
    await open()
    await enter('cd src', 'workspace/src')
    await playground.load('other', { 'b.txt': 'b\n' })
    await prompt('workspace')
    expect(rows()).toHaveLength(2)
    await enter('ls')
    expect(rows().at(-2)).toBe('b.txt')
  })
})

describe('the terminal line in detail', () => {
  test('continues while a quote is open', async () => {
    await open()
    await type("echo 'one")
    await userEvent.keyboard('{Enter}')
    await expect.poll(lastRow).toBe('>')
    await enter("two'")
    expect(rows().slice(-5)).toEqual(["workspace $ echo 'one", "> two'", 'one', 'two', 'workspace $'])
  })

  test('accepts text without key events, as from dictation', async () => {
    await open()
    const input = { inputType: 'insertText', data: 'echo 🙂', bubbles: true, composed: true }
    find('.xterm-helper-textarea').dispatchEvent(new InputEvent('input', input))
    await enter('!')
    expect(rows().slice(-3)).toEqual(['workspace $ echo 🙂!', '🙂!', 'workspace $'])
  })

  test('can be edited where it wraps, and survives a resize', async () => {
    await open()
    const long = `echo ${'0123456789'.repeat(15)}`
    await type(long)
    await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}')
    await type(' start')
    const wrapped = (): string => rows().slice(1).join('')
    await expect.poll(wrapped).toBe(`workspace $ ${long.replace('echo', 'echo start')}`)
    await page.viewport(1000, 800)
    await expect.poll(() => rows().length).toBe(3)
    await expect.poll(wrapped).toBe(`workspace $ ${long.replace('echo', 'echo start')}`)
    await page.viewport(1300, 800)
    await type('!')
    await expect.poll(wrapped).toBe(`workspace $ ${long.replace('echo', 'echo start!')}`)
    await userEvent.keyboard('{Control>}l{/Control}')
    await expect.poll(() => rows()[0]).toMatch(/^workspace \$ echo start!/)
  })

  test('is the only row after clear', async () => {
    await open()
    await enter('seq 60')
    await type('clear')
    await userEvent.keyboard('{Enter}')
    await expect.poll(rows).toEqual(['workspace $'])
    await enter('echo again')
    await userEvent.click(page.getByRole('button', { name: 'Clear the terminal' }))
    await expect.poll(rows).toEqual(['workspace $'])
  })
})

describe('the terminal pane', () => {
  test('opens and closes by keys, and Tab leaves it', async () => {
    await open()
    const input = find('.xterm-helper-textarea')
    expect(document.activeElement).toBe(input)
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(find('.pane-terminal .pane-head').contains(document.activeElement)).toBe(true)
    input.focus()
    await userEvent.keyboard('{Tab}')
    expect(find('.terminal-body').contains(document.activeElement)).toBe(false)
    input.focus()
    await userEvent.keyboard('{Control>}`{/Control}')
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(find('.terminal-switch'))
    expect(find('.terminal-switch').getAttribute('aria-expanded')).toBe('false')
  })

  test('gets the focus by its key while open, and returns it', async () => {
    await open()
    const text = page.getByRole('textbox', { name: 'Text of README.md' })
    await expect.element(text).toBeVisible()
    text.element().focus()
    await userEvent.keyboard('{Control>}`{/Control}')
    expect(isOpen()).toBe(true)
    await expect.poll(() => document.activeElement).toBe(find('.xterm-helper-textarea'))
    await userEvent.keyboard('{Control>}`{/Control}')
    expect(isOpen()).toBe(false)
    await expect.element(text).toHaveFocus()
  })

  test('is made higher and lower by keys', async () => {
    await open()
    const shown = (): number => root.querySelectorAll('.xterm-rows > div').length
    const before = shown()
    find('.pane-terminal .split-handle').focus()
    await userEvent.keyboard('{Home}')
    await expect.poll(shown).toBeGreaterThan(before)
    await userEvent.keyboard('{End}')
    await expect.poll(shown).toBeLessThan(before)
  })

  test('has the colours of the theme', async () => {
    document.documentElement.dataset.theme = 'light'
    await open()
    const ink = (): string => getComputedStyle(find('.xterm-rows')).color
    const light = ink()
    document.documentElement.dataset.theme = 'dark'
    await expect.poll(ink).not.toBe(light)
    expect(ink()).toBe(getComputedStyle(document.body).color)
  })

  test.each(['light', 'dark'])('has readable colours, %s', (theme) => {
    document.documentElement.dataset.theme = theme
    const ground = luminance('--panel')
    for (let index = 0; index < 16; index += 1) {
      const [bright, dark] = [luminance(`--term-${index}`), ground].sort((a, b) => b - a) as [number, number]
      expect((bright + 0.05) / (dark + 0.05), `--term-${index}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})

/** Relative luminance of a colour token, as WCAG defines it. */
function luminance(token: string): number {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  root.append(probe)
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  probe.remove()
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
