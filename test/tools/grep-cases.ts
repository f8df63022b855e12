import type { Limits } from 'toolport'
import { describe, expect, it } from 'vitest'
import type { Bench } from './harness.js'

type Open = (files: Readonly<Record<string, string>>, limits?: Partial<Limits>) => Promise<Bench>

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

interface Page {
  readonly matches: readonly Match[]
  readonly truncated: boolean
  readonly hint?: string
  readonly next?: string
}

const MOST = 4 * 2 ** 20
const OVERHEAD = 64
const AROUND = { before: 100, after: 100 }
/** Size of the longest match in the files below, with its context lines. */
const ONE_MATCH = 201 * (1800 + OVERHEAD)

const lines = (count: number, tail = ''): string[] => Array.from({ length: count }, (_, i) => `id ${i}${tail}`)
const wide = lines(200, 'y'.repeat(1790))
const narrow = lines(1500)

/** Cases for the end of an answer that would be too long, for every storage. */
export function largeAnswerCases(open: Open): void {
  const cases: [title: string, all: readonly string[], input: object, limits: Partial<Limits>][] = [
    ['wide lines', wide, { pattern: 'id', ...AROUND }, {}],
    ['many short lines', narrow, { pattern: 'id', ...AROUND }, {}],
    ['files searched in pieces', wide, { pattern: 'id', ...AROUND }, { grepFileBytes: 2 ** 18 }],
    ['multiline matches', wide, { pattern: 'id \\d*y+\\n', multiline: true, ...AROUND }, {}],
  ]

  describe('a grep result of more than 4 Mi characters', () => {
    it.each(cases)('ends early, and its cursor neither loses nor repeats a match: %s', async (_, all, input, limits) => {
      const { ok } = await open({ 'a.txt': `${all.join('\n')}\n`, 'b.txt': `${all.join('\n')}\n` }, limits)
      const asked = { ...input, limit: 5000 }
      const found: [string, number][] = []
      let pages = 0
      for (let cursor: string | undefined, goesOn = true; goesOn; pages++) {
        const { matches, truncated, hint, next }: Page = await ok('grep', { ...asked, ...(cursor !== undefined && { cursor }) })
        const size = matches.reduce((sum, match) => sum + sizeOf(match), 0)
        expect(size).toBeLessThan(MOST + ONE_MATCH)
        if (next !== undefined) expect(size).toBeGreaterThan(MOST - 200)
        expect([truncated, hint?.startsWith('Fewer matches than "limit": ')]).toEqual(
          next === undefined ? [false, undefined] : [true, true],
        )
        found.push(...matches.map(({ path, line }): [string, number] => [path, line]))
        for (const { line, text, before, after } of [matches[0], matches.at(-1)] as Match[]) {
          expect([before, text, after]).toEqual([all.slice(Math.max(0, line - 101), line - 1), all[line - 1], all.slice(line, line + 100)])
        }
        cursor = next
        goesOn = next !== undefined
      }
      expect(pages).toBeGreaterThan(5)
      expect(found).toEqual(['a', 'b'].flatMap((name) => all.map((_, i) => [`/workspace/${name}.txt`, i + 1])))
    })

    it('says why it ends and how to continue', async () => {
      const { ok, read } = await open({ 'a.txt': wide.join('\n') })
      const { matches, next }: Page = await ok('grep', { pattern: 'id', ...AROUND })
      expect(await read('grep', { pattern: 'id', ...AROUND })).toMatch(
        new RegExp(
          `\\n\\[${matches.length} matches shown, more follow: continue with cursor "${next}"\\]\\n` +
            '\\[Fewer matches than "limit": a result holds about 4 Mi characters. Continue with the cursor\\]$',
        ),
      )
      expect(await ok('grep', { pattern: 'id', ...AROUND, limit: 3 })).not.toHaveProperty('hint')
      expect(await ok('grep', { pattern: 'id', output: 'count' })).toMatchObject({ counts: [{ count: 200 }], truncated: false })
    })
  })
}

function sizeOf({ text, before = [], after = [] }: Match): number {
  return [text, ...before, ...after].reduce((sum, line) => sum + line.length + OVERHEAD, 0)
}
