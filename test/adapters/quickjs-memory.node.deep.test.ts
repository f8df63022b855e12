// @module-tag quickjs
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { service } from '../service.js'
import { BOMBS, BOMBS_BESIDE, JSON_BOMBS } from './quickjs-loops.js'

const MIB = 2 ** 20
const CAP_MIB = 64
/** What the limit may be passed by. */
const OVER_MIB = 16
const ROUNDS = 2
/** A machine with other work takes its time. */
const PATIENCE_MS = 1_200_000

const { js, memoryChild } = await service('workers')

interface Line {
  readonly kind: string
  readonly exitCode: number
  readonly bytes: number
  readonly peak: number
}

async function linesOf(capMib: number, rounds: number): Promise<readonly Line[]> {
  const args = [memoryChild, js, String(capMib * MIB), String(rounds)]
  // By way of a shell: on Linux the peak of a process begins with that of the one that started it.
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', '"$0" "$@"; exit $?', process.execPath, ...args], { env: {} })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

// What the workers themselves take is in the first figure.
it(
  'holds no more memory than a program may have, one program after the other',
  async () => {
    const [base, ...bombs] = await linesOf(CAP_MIB, ROUNDS)
    expect(bombs.map(({ kind, exitCode }) => [kind, exitCode])).toEqual(
      Array.from({ length: ROUNDS }, () => [
        ...Object.keys(JSON_BOMBS).map((kind) => [kind, 0]),
        ...Object.keys({ ...BOMBS, ...BOMBS_BESIDE }).map((kind) => [kind, 134]),
      ]).flat(),
    )
    const grown = bombs.map(({ peak }) => (peak - (base?.bytes ?? 0)) / MIB)
    // It was filled: else this would measure nothing.
    expect(Math.max(...grown)).toBeGreaterThan(CAP_MIB / 2)
    expect(Math.max(...grown)).toBeLessThan(CAP_MIB + OVER_MIB)
  },
  PATIENCE_MS,
)
