// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { enter, find, lastRow, open, playground, prompt, root, rows, type, withPlayground } from './terminal-page.js'

withPlayground()

function paste(text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  find('.xterm-helper-textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
}

describe('terminal commands', () => {
  test('change the files of the page, which shows the changes', async () => {
    await playground.openFile('src/greet.ts')
    await open()
    await enter('mkdir out && cd out && echo hi > a.txt && cat a.txt', 'workspace/out')
    expect(rows().slice(-3)).toEqual(['workspace $ mkdir out && cd out && echo hi > a.txt && cat a.txt', 'hi', 'workspace/out $'])
    await expect.element(page.getByRole('treeitem', { name: 'out, holds changes' })).toBeVisible()
    await enter('sed -i s/Hello/Bye/ ../src/greet.ts', 'workspace/out')
    expect([...root.querySelectorAll('.line.is-changed')].map((one) => one.textContent)).toEqual(['export const greeting = "Bye"'])
    expect(find('.pane-files .pane-foot').textContent).toBe('2 changes: 1 added, 1 modified')
  })

  test('stop at Ctrl+C, and the shell continues', async () => {
    await open()
    await type('echo before; while :; do :; done')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    await userEvent.keyboard('{Control>}c{/Control}')
    await prompt('workspace')
    expect(rows().at(-2)).toMatch(/\^C$/)
    expect(page.getByRole('button', { name: 'Stop' }).elements()).toHaveLength(0)
    await enter('echo after')
    expect(rows().at(-2)).toBe('after')
  })
})

describe('the terminal line', () => {
  test('can be taken from the history, which keeps the typed text', async () => {
    await open()
    await enter('echo one')
    await enter('echo two')
    await type('ec')
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect.poll(lastRow).toBe('workspace $ echo one')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    await expect.poll(lastRow).toBe('workspace $ ec')
    await userEvent.keyboard('{Control>}c{/Control}')
    await prompt('workspace')
    expect(rows().at(-2)).toBe('workspace $ ec^C')
    await userEvent.keyboard('{ArrowUp}{Enter}')
    await expect.poll(() => rows().slice(-2)).toEqual(['two', 'workspace $'])
  })

  test('accepts a multi-row paste with wide characters and tabs, and runs it at Enter', async () => {
    await open()
    paste('echo 日本語\nprintf "a\tb|%s\\n" 語 🙂')
    await expect.poll(lastRow).toMatch(/^> printf/)
    await userEvent.keyboard('{ArrowUp}{End}{Backspace}{Enter}')
    await expect.poll(() => rows().slice(-4)).toEqual(['日本', 'a       b|語', 'a       b|🙂', 'workspace $'])
  })
})
