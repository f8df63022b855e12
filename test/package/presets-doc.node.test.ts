// @module-tag package
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const path = (name: string): string => fileURLToPath(new URL(name, root))
const page = readFileSync(path('docs/presets.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, row, cells = '']) => {
  const [what = '', presets = '', code = '', tests = '', runtimes = '', notes = ''] = cells.split(/(?<!\\) \| /)
  return { row: Number(row), what, presets, code, tests, runtimes, notes }
})

describe('docs/presets.md', () => {
  it('matches the rows, the tests and the build', () => {
    expect(() =>
      execFileSync(process.execPath, ['scripts/capabilities.mjs', '--check'], { cwd: path('.'), encoding: 'utf8' }),
    ).not.toThrow()
  })

  it('has 113 rows, in order', () => {
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 113 }, (_, i) => i + 1))
  })

  it('explains each row with code, tests and runtimes, or what is missing', () => {
    for (const { row, what, presets, code, tests, runtimes, notes } of rows) {
      expect(what, `row ${row}`).not.toBe('')
      expect(presets, `row ${row}`).toMatch(/^(loom|loaf|loom-elixir|zeroclaw)(, (loom|loaf|loom-elixir|zeroclaw))*$/)
      if (notes.startsWith('**Open**')) expect(notes, `row ${row}`).toMatch(/^\*\*Open\*\*: waits for \S/)
      else
        expect(
          [code, tests, runtimes].every((cell) => cell.trim() !== ''),
          `row ${row}`,
        ).toBe(true)
    }
  })

  it('gives the reason of each difference and marks its rows', () => {
    const [, list = ''] = page.split('## What differs, and why')
    const lines = list.split('\n').filter((line) => line.startsWith('- '))
    expect(lines.length).toBeGreaterThan(50)
    const numbers = lines.flatMap((line) => {
      expect(line).toMatch(/^- \*\*\d+(, \d+)*\*\* \S.*\. \*\S.*\.\*$/)
      return (/^- \*\*([\d, ]+)/.exec(line)?.[1] ?? '').split(', ').map(Number)
    })
    const marked = rows.filter(({ notes }) => notes.includes('[differs]')).map(({ row }) => row)
    expect(marked).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })
})
