// @module-tag test-kit
import { readFile } from 'node:fs/promises'
import { standard } from 'toolport/presets/standard'
import { expect, it } from 'vitest'
import { cutCases } from './cut-cases.js'

it('docs/tools.md contains the promise of each tool for calls that are cut short', async () => {
  const page = await readFile(new URL('../../docs/tools.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## If a call is cut short')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`, (.+) \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells)
  expect(rows).toEqual(cutCases.map(({ tool, title, failure, end }) => [tool, title, failure, end]))
})

/** Tools that run programs, start or stop them, or change no file: nothing can be promised for their files. */
const OTHERS = /^(?:bash|run_js(?:_module)?|\w+_background_\w+|open_preview)$/

it('every tool of standard that changes files has a promise', () => {
  const changing = standard().tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
  const promised = new Set(cutCases.map(({ tool }) => tool))
  expect(changing.map(({ name }) => name).filter((name) => !promised.has(name) && !OTHERS.test(name))).toEqual([])
})
