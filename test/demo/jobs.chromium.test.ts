// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createHistoryStore } from '../../demo/src/terminal/history.js'
import { createJobInput } from '../../demo/src/terminal/job-input.js'
import { jobs, state, tabs } from './jobs-page.js'
import { enter, find, lastRow, open, playground, prompt, rows, type, withPlayground } from './terminal-page.js'

withPlayground()

describe('several terminals', () => {
  test('have separate directories and variables, and share the files', async () => {
    await open()
    await enter('cd src; NAME=one', 'workspace/src')
    await userEvent.click(page.getByRole('button', { name: 'New terminal' }))
    await prompt('workspace')
    await enter('echo "[$NAME]" > made.txt; cat made.txt')
    expect(rows().at(-2)).toBe('[]')
    expect(tabs()).toEqual(['1', '2'])
    await userEvent.click(page.getByRole('tab', { name: '1', exact: true }))
    await prompt('workspace/src')
    find('.terminal-panel:not([hidden]) .xterm-helper-textarea').focus()
    await enter('echo "[$NAME] $(cat ../made.txt)"', 'workspace/src')
    expect(rows().at(-2)).toBe('[one] []')
  })
})

describe('background jobs', () => {
  test('started in the form are listed too, and can be opened, written to and interrupted', async () => {
    await open()
    const { runtime } = playground.session
    const command = 'read n; echo "hello $n"; sleep 60'
    await runtime.call('bash', { command, run_in_background: true, session_name: 'greeter' })
    await expect.poll(() => jobs()[0]).toBe('greeter | running')
    await userEvent.click(page.getByRole('button', { name: 'greeter running' }))
    await expect.poll(() => rows()[0]).toBe(`$ ${command}`)
    await type('Adx')
    await userEvent.keyboard('{Backspace}a{Enter}')
    await expect.poll(rows).toEqual([`$ ${command}`, 'Ada', 'hello Ada'])
    expect(tabs()).toEqual(['1', 'greeter'])
    await userEvent.keyboard('{Control>}c{/Control}')
    await expect.poll(lastRow).toBe('ended by SIGINT')
    await expect.poll(state).toBe('ended by SIGINT')
    await userEvent.click(page.getByRole('button', { name: 'Close this terminal' }))
    expect(tabs()).toEqual(['1'])
  })
})

describe('input typed to a job without a terminal', () => {
  function typed(...data: readonly string[]): { readonly echo: string; readonly sent: readonly string[] } {
    let echo = ''
    const sent: string[] = []
    const input = { write: (text: string) => sent.push(text), press: (key: string) => sent.push(`<${key}>`) }
    const take = createJobInput((text) => {
      echo += text
    }, input)
    for (const piece of data) take(piece)
    return { echo, sent }
  }

  test('is sent line by line', () => {
    expect(typed('a', 'b\r', 'c')).toEqual({ echo: 'ab\nc', sent: ['ab\n'] })
    expect(typed('\u001b[200~one\ntwo\u001b[201~')).toEqual({ echo: 'one\ntwo', sent: ['one\n'] })
  })

  test('is erased character by character, wide ones by two columns', () => {
    expect(typed('a語👩‍👩‍👧', '\u007f', '\u007f', '\r')).toEqual({ echo: `a語👩‍👩‍👧${'\b \b'.repeat(4)}\n`, sent: ['a\n'] })
    expect(typed('\u007f')).toEqual({ echo: '', sent: [] })
  })

  test('Ctrl+C discards the line, and Ctrl+D ends only an empty one', () => {
    expect(typed('ab', '\u0003', '\r')).toEqual({ echo: 'ab^C\n\n', sent: ['<ctrl+c>', '\n'] })
    expect(typed('ab', '\u0004').sent).toEqual([])
    expect(typed('\u0004').sent).toEqual(['<ctrl+d>'])
  })
})

test('the history is restored on the next visit, if possible', () => {
  localStorage.removeItem('test.history')
  createHistoryStore('test.history').add('echo kept')
  expect(createHistoryStore('test.history').entries).toEqual(['echo kept'])
  localStorage.setItem('test.history', '{broken')
  expect(createHistoryStore('test.history').entries).toEqual([])
  localStorage.removeItem('test.history')
  expect(createHistoryStore().entries).toEqual([])
})
