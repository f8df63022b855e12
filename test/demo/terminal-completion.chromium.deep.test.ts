// @module-tag playground
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { completed, input, press, tab } from './terminal-completion-page.js'
import { enter, find, lastRow, open, playground, prompt, root, rows, type, withPlayground } from './terminal-page.js'

withPlayground({
  'src/greet.ts': 'export const greeting = "Hello"\n',
  'src/grip.ts': 'export {}\n',
  'src/deep/one.txt': 'one\n',
  'README.md': '# Read me\n',
  'my file.txt': 'mine\n',
  'my folder/odd $name "x".txt': 'odd\n',
  '.env': 'A=1\n',
})

const isFocused = (): boolean => document.activeElement === input()

describe('Tab completion in detail', () => {
  test('is relative to the terminal’s directory', async () => {
    await open()
    await enter('touch ~/homely.txt; cd src', 'workspace/src')
    expect(await completed('cat gree')).toBe('cat greet.ts _')
    expect(await completed('cat ../REA')).toBe('cat ../README.md _')
    expect(await completed('cat ~/hom')).toBe('cat ~/homely.txt _')
    expect(await completed('cd d')).toBe('cd deep/_')
  })

  test('completes commands, also in a pipe, and names known to the session', async () => {
    await open()
    expect(await completed('base6')).toBe('base64 _')
    expect(await completed('ls | base6')).toBe('ls | base64 _')
    expect(await completed('true && base6')).toBe('true && base64 _')
    expect(await completed('echo $(base6')).toBe('echo $(base64 _')
    expect(await completed('find . | xargs base6')).toBe('find . | xargs base64 _')
    await enter('my_function() { echo f; }; MY_OWN_VARIABLE=1')
    expect(await completed('my_fu')).toBe('my_function _')
    expect(await completed('echo $MY_OW', '._')).toBe('echo $MY_OWN_VARIABLE._')
  })

  test('completion in another terminal uses that terminal’s state', async () => {
    await open()
    await enter('only_here() { :; }; cd src', 'workspace/src')
    await userEvent.click(page.getByRole('button', { name: 'New terminal' }))
    await prompt('workspace')
    await enter('only_there() { :; }')
    expect(await completed('only_')).toBe('only_there _')
    expect(await completed('cat src/gree')).toBe('cat src/greet.ts _')
  })

  test('escapes spaces and special characters for the open quotes, as the shell reads them', async () => {
    await open()
    expect(await completed('cat my\\ fi')).toBe('cat my\\ file.txt _')
    expect(await completed("cat 'my fi")).toBe("cat 'my file.txt' _")
    expect(await completed('cat "my folder/o')).toBe('cat "my folder/odd \\$name \\"x\\".txt" _')
    for (const start of ['cat my\\ folder/o', 'cat "my folder/o', "cat 'my folder/o"]) {
      await type(start)
      await tab()
      await expect.poll(lastRow).toMatch(/\.txt/)
      await userEvent.keyboard('{Enter}')
      await expect.poll(() => rows().slice(-2)).toEqual(['odd', 'workspace $'])
    }
  })

  test('works in the middle of a line', async () => {
    await open()
    await type('cat REA | wc -l')
    await userEvent.keyboard('{ArrowLeft>8/}')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat README.md | wc -l')
    await type('src/greet.ts ')
    await expect.poll(lastRow).toBe('workspace $ cat README.md src/greet.ts | wc -l')
  })

  test('finds new files that the page does not know yet', async () => {
    await open()
    await playground.session.workspace.writeText('made-beside.txt', '')
    expect(await completed('cat made')).toBe('cat made-beside.txt _')
  })
})

describe('several completions in detail', () => {
  test('are listed below a long line, and announced to screen readers', async () => {
    await open()
    const words = `echo ${'0123456789 '.repeat(14)}`
    await type(`${words}src/ end`)
    await userEvent.keyboard('{ArrowLeft>4/}')
    await tab()
    await tab()
    await expect.poll(() => rows().join('\n')).toContain('deep/     greet.ts  grip.ts')
    await expect.poll(() => find('.xterm .live-region').textContent).toContain('greet.ts  grip.ts')
    await type('X')
    await expect.poll(() => rows().slice(-2).join('')).toContain('src/X end')
    // The line above the list is still complete.
    expect(
      rows()
        .join('')
        .match(/src\/ end/g),
    ).toHaveLength(1)
  })

  test('above a hundred are shown only after a confirmation', async () => {
    const { workspace } = playground.session
    await Promise.all(Array.from({ length: 120 }, (_, index) => workspace.writeText(`many/file-${index}`, '')))
    await open()
    await type('cat many/')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat many/file-')
    await tab()
    await expect.poll(lastRow).toBe('Display all 120 possibilities? (y or n)')
    await type('n')
    await expect.poll(lastRow).toBe('workspace $ cat many/file-')
    await tab()
    await tab()
    await expect.poll(lastRow).toBe('Display all 120 possibilities? (y or n)')
    await userEvent.keyboard('{Control>}c{/Control}')
    await prompt('workspace')
    await type('cat many/file-1')
    await tab()
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat many/file-1')
    await expect.poll(() => rows().join(' ')).toContain('file-119')
    await userEvent.keyboard('{Control>}c{/Control}')
    await prompt('workspace')
    await type('cat many/file-')
    await tab()
    await tab()
    await expect.poll(lastRow).toMatch(/^Display all/)
    await type('y')
    await expect.poll(lastRow).toBe('workspace $ cat many/file-')
    await expect.poll(() => rows().join(' ')).toContain('file-99')
  })

  test('completions of 10,000 files arrive without blocking the page', async () => {
    const { workspace } = playground.session
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => workspace.writeText(`many/file-${index}`, '')))
    await open()
    await type('cat many/file-77')
    const turns = countTurns()
    await tab()
    await tab()
    await expect.poll(lastRow).toBe('Display all 111 possibilities? (y or n)')
    await type('n')
    await expect.poll(lastRow).toBe('workspace $ cat many/file-77')
    expect(turns()).toBeGreaterThan(2)
  })

  test('completions without a match do nothing, which is announced', async () => {
    await open()
    await type('cat nothing-like-it')
    await tab()
    await expect.poll(() => find('.terminal-panel [role=status]').textContent).toBe('Nothing to complete this with')
    expect(lastRow()).toBe('workspace $ cat nothing-like-it')
    await type('!')
    await expect.poll(() => find('.terminal-panel [role=status]').textContent).toBe('')
  })
})

/** Counts how often the page's event loop gets to a timer. */
function countTurns(): () => number {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  return () => {
    clearInterval(timer)
    return turns
  }
}

describe('a late completion in detail', () => {
  test('is dropped by Ctrl+C, together with a waiting Enter', async () => {
    await open()
    await type('cat REA')
    press('Tab', 9)
    press('Enter', 13)
    press('c', 67, true)
    await prompt('workspace')
    expect(rows().slice(-2)).toEqual(['workspace $ cat REA^C', 'workspace $'])
    await enter('echo after')
    expect(rows().at(-2)).toBe('after')
  })

  test('is awaited by Enter', async () => {
    await open()
    await type('cat REA')
    press('Tab', 9)
    press('Enter', 13)
    await expect.poll(() => rows().slice(-3)).toEqual(['workspace $ cat README.md', '# Read me', 'workspace $'])
  })
})

describe('leaving the terminal by keyboard', () => {
  test('Tab stays in a typed line; Escape then Tab leaves, and so does Shift+Tab', async () => {
    await open()
    await type('cat REA')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat README.md')
    expect(isFocused()).toBe(true)
    await userEvent.keyboard('{Escape}{Tab}')
    expect(isFocused()).toBe(false)
    expect(find('.pane-terminal .terminal-body').contains(document.activeElement)).toBe(false)
    input().focus()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(isFocused()).toBe(false)
    // The line has stayed, and Tab completes again.
    input().focus()
    await type('src/gree')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat README.md src/greet.ts')
    const hint = input().getAttribute('aria-describedby') ?? ''
    const help = document.getElementById(hint)
    expect(help?.textContent).toContain('Esc Tab leaves')
    await expect.element(page.elementLocator(help ?? input())).toBeVisible()
  })

  test('Tab leaves an empty line, also while a program runs, and typed-ahead text is completed in turn', async () => {
    await open()
    await tab()
    expect(isFocused()).toBe(false)
    input().focus()
    await type('while [ ! -e go ]; do sleep 0.05; done')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    await tab()
    expect(isFocused()).toBe(false)
    input().focus()
    await type('cat REA')
    await tab()
    expect(isFocused()).toBe(true)
    await playground.session.workspace.writeText('go', '')
    await expect.poll(lastRow).toBe('workspace $ cat README.md')
  })
})

describe('the terminal history', () => {
  test('is searched with Ctrl+R', async () => {
    await open()
    await enter('echo one')
    await enter('echo two')
    await type('draft')
    await userEvent.keyboard('{Control>}r{/Control}')
    await type('ech')
    await expect.poll(lastRow).toBe('search "ech": echo two')
    await userEvent.keyboard('{Control>}r{/Control}')
    await expect.poll(lastRow).toBe('search "ech": echo one')
    await userEvent.keyboard('{Escape}')
    await expect.poll(lastRow).toBe('workspace $ draft')
    await userEvent.keyboard('{Control>}r{/Control}')
    await type('echo o')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => rows().slice(-3)).toEqual(['workspace $ echo one', 'one', 'workspace $'])
    await userEvent.keyboard('{Control>}r{/Control}')
    await type('nowhere')
    await expect.poll(lastRow).toMatch(/^nothing with "nowhere":/)
    await userEvent.keyboard('{Control>}c{/Control}')
    await prompt('workspace')
    await userEvent.keyboard('{Control>}r{/Control}')
    await type('two')
    await userEvent.keyboard('{End}!')
    await expect.poll(lastRow).toBe('workspace $ echo two!')
    expect(root.querySelectorAll('.terminal-tab')).toHaveLength(1)
  })
})
