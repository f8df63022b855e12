// @module-tag quickjs
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { service } from '../service.js'
import { BOMBS, BOMBS_BESIDE, JSON_BOMBS } from './quickjs-loops.js'

const MIB = 2 ** 20
const CAP_MIB = 64
/** Tolerance above the limit. */
const OVER_MIB = 16
const ROUNDS = 2
/** Long, because a busy machine is slow. */
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
  // Starts Node through a shell, because on Linux the peak memory of a process starts with that of its parent.
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', '"$0" "$@"; exit $?', process.execPath, ...args], { env: {} })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

// The first figure contains the memory of the workers themselves.
it(
  'quickjs releases the memory of each program',
  async () => {
    const [base, ...bombs] = await linesOf(CAP_MIB, ROUNDS)
    expect(bombs.map(({ kind, exitCode }) => [kind, exitCode])).toEqual(
      Array.from({ length: ROUNDS }, () => [
        ...Object.keys(JSON_BOMBS).map((kind) => [kind, 0]),
        ...Object.keys({ ...BOMBS, ...BOMBS_BESIDE }).map((kind) => [kind, 134]),
      ]).flat(),
    )
    const grown = bombs.map(({ peak }) => (peak - (base?.bytes ?? 0)) / MIB)
    // The memory was filled; otherwise the measurement would be meaningless.
    expect(Math.max(...grown)).toBeGreaterThan(CAP_MIB / 2)
    expect(Math.max(...grown)).toBeLessThan(CAP_MIB + OVER_MIB)
  },
  PATIENCE_MS,
)
