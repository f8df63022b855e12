// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import { expectBackReferences } from './just-bash-regex-cases.js'
import { setup } from './just-bash-support.js'

/** Expressions with back references for which a backtracking engine would take hours on this text. */
const HOSTILE: readonly string[] = [
  "sed -E 's/(a*)(a*)(a*)\\1b/x/' hostile.txt",
  "sed 's/\\(a*\\)*\\(a*\\)*\\1\\2b/x/' hostile.txt",
  "grep -E '(a*)(a*)(a*)(a*)\\1\\2b' hostile.txt",
  "grep -E '((a|aa)+)+\\1b' hostile.txt",
  "sed -E '/(a*)*\\1b/d' hostile.txt",
]

/** Expressions without back references, which a linear-time engine supports. */
const LINEAR: readonly string[] = [
  "sed -E 's/(a*)(a*)(a*)(a*)(a*)b/x/' hostile.txt",
  "grep -cE '(a|aa|a*)*b' hostile.txt",
  "awk '/(a*)*(a*)*(a*)*b/' hostile.txt",
  'awk \'{ gsub(/((a+)+)+b/, "x"); print }\' hostile.txt',
]

describe('an expression with catastrophic backtracking', () => {
  it.each([60, 3000])('ends with an error or the right result on %d characters', async (length) => {
    const { shell } = setup({ files: { 'hostile.txt': `${'a'.repeat(length)}\n` } })
    for (const script of HOSTILE) {
      const { exitCode, stdout, stderr } = await shell.exec(script)
      if (stderr === '') expect(stdout).toBe(script.startsWith('sed') ? `${'a'.repeat(length)}\n` : '')
      else expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('too complex') })
    }
    expect((await shell.exec('echo next')).stdout).toBe('next\n')
  })

  it.each(LINEAR)('ends without back references: %s', async (script) => {
    const { shell } = setup({ files: { 'hostile.txt': `${'a'.repeat(3000)}\n` } })
    const result = await shell.exec(script)
    expect(result.stderr).toBe('')
    expect(['', '0\n', `${'a'.repeat(3000)}\n`]).toContain(result.stdout)
  })
})

describe('a back reference', () => {
  it.each([
    ["echo 'the the cat sat sat down' | sed -E 's/\\b(\\w+)( \\1\\b)+/\\1/g'", 'the cat sat down\n'],
    [`echo '${'the cat sat on the mat '.repeat(40)}sat sat' | grep -oE '\\b([a-z]+) \\1\\b'`, 'sat sat\n'],
    [`printf '%s\\n' '${'x'.repeat(3000)}' '${'x'.repeat(3000)}' y | sed '$!N;/^\\(.*\\)\\n\\1$/!P;D' | wc -l`, '2\n'],
    [`echo '${'ab'.repeat(1500)}c' | grep -cE '^(.*)\\1c$'`, '1\n'],
  ])('matches on long lines: %#', async (script, stdout) => {
    const { shell } = setup()
    expect(await shell.exec(script)).toMatchObject({ exitCode: 0, stderr: '', stdout })
  })

  it('matches like in the JavaScript engine', () => expectBackReferences(300))
})
