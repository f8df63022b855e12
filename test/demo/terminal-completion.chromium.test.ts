// @module-tag playground
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { completed, input, press, tab } from './terminal-completion-page.js'
import { lastRow, open, rows, type, withPlayground } from './terminal-page.js'

withPlayground({
  'src/greet.ts': 'export const greeting = "Hello"\n',
  'src/grip.ts': 'export {}\n',
  'src/deep/one.txt': 'one\n',
  'README.md': '# Read me\n',
  'my file.txt': 'mine\n',
  'my folder/odd $name "x".txt': 'odd\n',
  '.env': 'A=1\n',
})

function paste(text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  input().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
}

describe('Tab completion', () => {
  test('completes files with a space, and folders with a slash', async () => {
    await open()
    expect(await completed('cat REA')).toBe('cat README.md _')
    expect(await completed('cat src/de')).toBe('cat src/deep/_')
    expect(await completed('wc < src/gree')).toBe('wc < src/greet.ts _')
    expect(await completed('cat /workspace/REA')).toBe('cat /workspace/README.md _')
    expect(await completed('cat .e')).toBe('cat .env _')
  })
})

describe('several completions', () => {
  test('give their common prefix, and are listed by a second Tab', async () => {
    await open()
    await type('cat src/g')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat src/gr')
    await tab()
    await expect.poll(() => rows().slice(-3)).toEqual(['workspace $ cat src/gr', 'greet.ts  grip.ts', 'workspace $ cat src/gr'])
    await type('e')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat src/greet.ts')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => rows().slice(-2)).toEqual(['export const greeting = "Hello"', 'workspace $'])
  })
})

describe('a late completion', () => {
  test('is dropped if the line was edited', async () => {
    await open()
    await type('cat REA')
    press('Tab', 9)
    paste('x')
    await expect.poll(lastRow).toBe('workspace $ cat REAx')
    // A later completion works.
    await type(' src/gree')
    await tab()
    await expect.poll(lastRow).toBe('workspace $ cat REAx src/greet.ts')
  })
})
