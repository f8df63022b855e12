// @module-tag test-kit
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { cutCases } from './cut-cases.js'

it('docs/tools.md contains the promise of each tool for calls that are cut short', async () => {
  const page = await readFile(new URL('../../docs/tools.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## If a call is cut short')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`, (.+) \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells)
  expect(rows).toEqual(cutCases.map(({ tool, title, failure, end }) => [tool, title, failure, end]))
})
