// @module-tag playground
import { expect, test } from 'vitest'
import { missingCommandHint } from '../../adapters/just-bash/bash-messages.js'
import { plainErrors } from '../../demo/src/terminal/plain-errors.js'

const [BEGINNING = ''] = missingCommandHint('npx', ['awk', 'cat', 'sed']).split('npx')

/** The shortest time of several attempts, because a busy machine slows some of them down. */
function leastTime(text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    expect(plainErrors(text)).toBe(text)
    return performance.now() - began
  })
  return Math.min(...times)
}

test.each([
  ['unfinished hints', (times: number) => `${BEGINNING}\n`.repeat(times)],
  ['one unfinished hint with many repeated words', (times: number) => BEGINNING + ' Commands: ,'.repeat(times)],
])('output is searched for hints in linear time: %s', (_, textOf) => {
  const [short, long] = [leastTime(textOf(2_000)), leastTime(textOf(64_000))]
  // The text is 32 times as long, so quadratic work would take 1,024 times as long.
  expect(long / Math.max(short, 0.1)).toBeLessThan(200)
})
