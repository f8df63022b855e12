// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import { CORPUS } from './corpus/index.js'
import { DIVERGENCES } from './divergences.js'
import recorded from './recorded.json' with { type: 'json' }
import { runCase } from './run.js'

/** Of all cases, those that print and end as the recording does. */
const LEAST_IDENTICAL = 0.92

const all = Object.entries(CORPUS).flatMap(([family, cases]) => cases.map((each) => ({ family, each })))

describe('the virtual shell answers as bash did', () => {
  const total = all.length
  let identical = 0

  it('to each case that was recorded', () => {
    expect(all.map(({ each }) => each.script)).toEqual(recorded.cases.map(({ script }) => script))
  })

  for (const [family, cases] of Object.entries(CORPUS)) {
    const first = all.findIndex((item) => item.family === family)
    it(family, async () => {
      const wrong: string[] = []
      for (const [i, each] of cases.entries()) {
        const wanted = recorded.cases[first + i]
        const { stdout, exitCode } = await runCase(each)
        const same = stdout === wanted?.stdout && exitCode === wanted.exitCode
        const listed = Object.hasOwn(DIVERGENCES, each.script)
        if (same) identical++
        if (same && listed) wrong.push(`answers as bash does, and is still in divergences.ts:\n${each.script}`)
        if (!same && !listed) {
          wrong.push(`differs, and is not in divergences.ts:\n${each.script}\n${describeDifference(wanted, { stdout, exitCode })}`)
        }
      }
      expect(wrong.join('\n\n')).toBe('')
    })
  }

  it('to nearly all of them, and lists only cases that there are', () => {
    const scripts = new Set(all.map(({ each }) => each.script))
    expect(Object.keys(DIVERGENCES).filter((script) => !scripts.has(script))).toEqual([])
    expect(identical).toBe(total - Object.keys(DIVERGENCES).length)
    expect(identical / total).toBeGreaterThanOrEqual(LEAST_IDENTICAL)
  })
})

interface Outcome {
  readonly stdout: string
  readonly exitCode: number | null
}

const describeDifference = (wanted: Outcome | undefined, got: Outcome): string =>
  `  bash: ${JSON.stringify(wanted?.stdout)} (${wanted?.exitCode})\n  here: ${JSON.stringify(got.stdout)} (${got.exitCode})`
