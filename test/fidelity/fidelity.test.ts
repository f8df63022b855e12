// @module-tag virtual-shell
import { describe, expect, inject, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import corpus from './corpus.jsonl?raw'
import { DIVERGENCES } from './divergences.js'
import { type Recorded, runCase } from './run.js'

/** Minimum share of cases whose output and exit code equal the recording. */
const LEAST_IDENTICAL = 0.92

const CORPUS = parseJsonLines<Recorded>(corpus)
/** The default tier runs every third case, the deep tier runs all. */
const CASES = CORPUS.filter((_, index) => inject('isDeep') || index % 3 === 0)

describe('the virtual shell answers like the recorded bash', () => {
  let identical = 0

  it.each([...new Set(CASES.map(({ family }) => family))])('%s', async (family) => {
    const wrong: string[] = []
    for (const each of CASES.filter((item) => item.family === family)) {
      const { stdout, exitCode } = await runCase(each)
      const same = stdout === each.stdout && exitCode === each.exitCode
      const listed = Object.hasOwn(DIVERGENCES, each.script)
      if (same) identical++
      if (same && listed) wrong.push(`answers as bash does, and is still in divergences.ts:\n${each.script}`)
      if (!same && !listed) {
        wrong.push(`differs, and is not in divergences.ts:\n${each.script}\n${describeDifference(each, { stdout, exitCode })}`)
      }
    }
    expect(wrong.join('\n\n')).toBe('')
  })

  it('nearly all cases match bash, and the list of differences contains only existing cases', () => {
    const scripts = new Set(CORPUS.map(({ script }) => script))
    expect(Object.keys(DIVERGENCES).filter((script) => !scripts.has(script))).toEqual([])
    expect(identical).toBe(CASES.filter(({ script }) => !Object.hasOwn(DIVERGENCES, script)).length)
    expect(identical / CASES.length).toBeGreaterThanOrEqual(LEAST_IDENTICAL)
  })
})

interface Outcome {
  readonly stdout: string
  readonly exitCode: number | null
}

const describeDifference = (wanted: Outcome, got: Outcome): string =>
  `  bash: ${JSON.stringify(wanted.stdout)} (${wanted.exitCode})\n  here: ${JSON.stringify(got.stdout)} (${got.exitCode})`
