// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { jobs, state, tabs } from './jobs-page.js'
import { enter, find, lastRow, open, playground, prompt, rows, type, withPlayground } from './terminal-page.js'

withPlayground()

test('an ended job has no stop button', async () => {
  await open()
  await type('read line && echo "$line" &\n')
  await expect.poll(() => jobs().length).toBe(1)
  await userEvent.click(find('.job-open'))
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await expect.element(stop).toBeVisible()
  await userEvent.keyboard('done{Enter}')
  await expect.poll(state).toContain('ended')
  await expect.element(stop).not.toBeInTheDocument()
})

describe('several terminals in detail', () => {
  test('run in parallel and are stopped separately', async () => {
    await open()
    await type('echo waits; while [ ! -e go ]; do sleep 0.05; done; echo went')
    await userEvent.keyboard('{Enter}')
    await expect.poll(lastRow).toBe('waits')
    await userEvent.click(page.getByRole('button', { name: 'New terminal' }))
    await prompt('workspace')
    await type('while :; do sleep 0.05; done')
    await userEvent.keyboard('{Enter}{Control>}c{/Control}')
    await prompt('workspace')
    await enter('touch go')
    await userEvent.click(page.getByRole('tab', { name: '1', exact: true }))
    await expect.poll(() => rows().slice(-2)).toEqual(['went', 'workspace $'])
  })

  test('can be closed, except the first, and selected by keyboard', async () => {
    await open()
    const close = page.getByRole('button', { name: 'Close this terminal' })
    expect(close.elements()).toHaveLength(0)
    await userEvent.click(page.getByRole('button', { name: 'New terminal' }))
    await prompt('workspace')
    find('.terminal-tab[aria-selected=true]').focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(document.activeElement?.textContent).toBe('1')
    await userEvent.keyboard('{End}')
    expect(document.activeElement?.textContent).toBe('2')
    await userEvent.click(close)
    expect(tabs()).toEqual(['1'])
    await enter('echo here')
    expect(rows().at(-2)).toBe('here')
  })

  test('share one history', async () => {
    await open()
    await enter('echo first terminal')
    await userEvent.click(page.getByRole('button', { name: 'New terminal' }))
    await prompt('workspace')
    await userEvent.keyboard('{ArrowUp}')
    await expect.poll(lastRow).toBe('workspace $ echo first terminal')
  })

  test('are closed when another workspace opens', async () => {
    await open()
    await userEvent.click(page.getByRole('button', { name: 'New terminal' }))
    await prompt('workspace')
    await enter('sleep 60 &')
    await expect.poll(() => jobs().length).toBe(1)
    await playground.load('other', { 'b.txt': 'b\n' })
    await prompt('workspace')
    expect(tabs()).toEqual(['1'])
    await expect.poll(jobs).toEqual([])
  })
})

describe('background jobs in detail', () => {
  test('are listed with their output and end', async () => {
    await open()
    await enter('(echo begun; while [ ! -e go ]; do sleep 0.05; done; echo "all done"; exit 3) &')
    await expect.poll(() => jobs()[0]).toMatch(/^\(echo begun.* \| running \| begun$/)
    await enter('touch go')
    await expect.poll(() => jobs()[0]).toMatch(/ \| ended with 3 \| all done$/)
    expect(find('.job').classList.contains('is-failed')).toBe(true)
  })

  test('run the last command of a line, after the commands before it ran in the terminal', async () => {
    await open()
    await enter('cd src; NAME=one; echo "in front"; sleep 0.1 && echo "of $NAME in $PWD" > ../later.txt &', 'workspace/src')
    expect(rows().slice(-3, -1)).toEqual(['in front', expect.stringMatching(/ runs in the background$/)])
    await enter('while [ ! -s ../later.txt ]; do sleep 0.05; done; cat ../later.txt # R&', 'workspace/src')
    expect(rows().at(-2)).toMatch(/^of one in .*\/src$/)
    expect(jobs()).toHaveLength(1)
  })

  test('show their changes in the tree', async () => {
    await open()
    await enter('sleep 0.3 && mkdir made-later && echo x &')
    await expect.element(page.getByRole('treeitem', { name: 'made-later' })).toBeVisible()
  })

  test('receive the end of input by Ctrl+D', async () => {
    await open()
    await enter('wc -l &')
    await expect.poll(state).toBe('running')
    await userEvent.click(find('.job-open'))
    await expect.poll(() => rows()[0]).toBe('$ wc -l')
    await type('one')
    await userEvent.keyboard('{Enter}{Control>}d{/Control}')
    await expect.poll(rows).toEqual(['$ wc -l', 'one', '1', 'ended with 0'])
  })

  test('are stopped from the list or from their terminal', async () => {
    await open()
    await enter('sleep 61 &')
    await userEvent.click(page.getByRole('button', { name: 'Stop sleep 61' }))
    await expect.poll(state).toMatch(/^stopped/)
    find('.xterm-helper-textarea').focus()
    await enter('sleep 62 &')
    await expect.poll(() => jobs()[0]).toBe('sleep 62 | running')
    await userEvent.click(find('.job-open'))
    await userEvent.click(page.getByRole('button', { name: 'Stop', exact: true }))
    await expect.poll(lastRow).toMatch(/^stopped/)
  })
})
