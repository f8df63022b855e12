import type { ShellResult } from 'toolport'
import type { JustBashShellOptions } from 'toolport/adapters/just-bash'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import recorded from './just-bash-bombs.jsonl?raw'
import { type Setup, setup } from './just-bash-support.js'

/** A command line that would take all time or all memory. */
export interface Bomb {
  /** The command, or what of the language it is about. */
  readonly kind: string
  readonly script: string
  /** One of each kind is in the default tier. */
  readonly quick?: true
}

export const BOMBS: readonly Bomb[] = parseJsonLines<Bomb>(recorded)

/** Of a bomb that does not end by itself. */
export const DEADLINE_MS = 4000
/** Some commands of the library hear a deadline late. What never ends is a failure. */
const PATIENCE_MS = 120_000

/** Words of the engine that tell nobody what to change. */
const RAW = /Invalid (?:string|array) length|heap out of memory|is not a function|Cannot read propert|undefined/

/**
 * Sets each of them off in one shell. A bomb ends by itself, at a limit, or at its deadline; the shell answers the next command; and what it took
 * is given back. How long it takes, and how long the thread stands still, is measured by the benchmark of stops.
 */
export function bombCases(bombs: readonly Bomb[], options: Pick<JustBashShellOptions, 'worker'>, heapUsed?: () => number): void {
  const opened: ReturnType<typeof setup>[] = []
  const made = (given: Setup = {}): ReturnType<typeof setup> => {
    const one = setup({ ...given, shell: { ...options, ...given.shell } })
    opened.push(one)
    return one
  }
  afterEach(() => Promise.all(opened.splice(0).map(({ shell }) => shell.close?.())))

  describe('bombs', () => {
    let begin: number | undefined
    it.each(bombs.map(({ kind, script }) => [kind, script] as const))('%s: %s', { timeout: PATIENCE_MS }, async (_, script) => {
      begin ??= heapUsed?.()
      const { shell } = made()
      await shell.open?.()
      const result = await shell.exec(script, { timeoutMs: DEADLINE_MS })
      expect(ended(result)).toBe(true)
      expect(result.stderr).not.toMatch(RAW)
      expect(await shell.exec('echo alive')).toMatchObject({ stdout: 'alive\n', exitCode: 0 })
    })

    // The last ones may be under way still.
    afterAll(async () => {
      const first = begin
      if (heapUsed && first !== undefined) await vi.waitFor(() => expect(heapUsed() - first).toBeLessThan(HEAP), PATIENCE_MS)
    })
  })
}

/** What may be left of all bombs together. */
const HEAP = 64 * 1024 * 1024

/** With a status of its own, or at its deadline. */
const ended = ({ exitCode, timedOut }: ShellResult): boolean => (timedOut ? exitCode === null : typeof exitCode === 'number')
