// @module-tag playground
import { expect, test } from 'vitest'
import { missingCommandHint } from '../../adapters/just-bash/bash-messages.js'
import { createCommandOutput } from '../../demo/src/terminal/command-output.js'
import { plainErrors } from '../../demo/src/terminal/plain-errors.js'

const MISSING = 'bash: npx: command not found\n'
const HINT = missingCommandHint('npx', ['awk', 'cat', 'sed'])
const SHOWN = '\u001b[31mnpx: command not found (help lists what there is)\n\u001b[39m\u001b[90mexit 127\u001b[39m\n'

test.each([
  ['as two chunks', [MISSING, HINT]],
  ['as one chunk', [MISSING + HINT]],
  ['only in the result', []],
])('a missing command is reported in one line, %s', (_when, chunks) => {
  let shown = ''
  const output = createCommandOutput((text) => {
    shown += text
  })
  for (const text of chunks) output.onProgress({ stream: 'stderr', text })
  output.onResult({ ok: true, output: { stdout: '', stderr: MISSING + HINT, exit_code: 127 } } as never)
  expect(shown).toBe(SHOWN)
})

test('only the hints of the shell are removed, whatever is between them', () => {
  expect(plainErrors(`${HINT}ls: gone: No such file\n${HINT}more\n`)).toBe('ls: gone: No such file\nmore\n')
})
