import type { ShellResult } from 'toolport'
import type { JustBashShellOptions } from 'toolport/adapters/just-bash'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import recorded from './just-bash-bombs.jsonl?raw'
import { type Setup, setup } from './just-bash-support.js'

/** A command line that would need unlimited time or memory. */
export interface Bomb {
  /** The command, or the language feature. */
  readonly kind: string
  readonly script: string
  /** Runs in the default tier. One bomb of each kind does. */
  readonly quick?: true
}

export const BOMBS: readonly Bomb[] = parseJsonLines<Bomb>(recorded)

/** Deadline for bombs that do not end by themselves, milliseconds. */
export const DEADLINE_MS = 4000
/** Some of the library's commands notice a deadline late. Only a command that never ends is a failure. */
const PATIENCE_MS = 120_000

/** Internal error messages, which do not tell a user what to change. */
const RAW = /Invalid (?:string|array) length|heap out of memory|is not a function|Cannot read propert|undefined/

/**
 * Runs all bombs in one shell. Each must end by itself, at a limit, or at its deadline. The shell must then run the next command, and the
 * memory must be freed. The benchmark of stops measures how long a bomb takes and how long it blocks the thread.
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

    // The last bombs may still be ending.
    afterAll(async () => {
      const first = begin
      if (heapUsed && first !== undefined) await vi.waitFor(() => expect(heapUsed() - first).toBeLessThan(HEAP), PATIENCE_MS)
    })
  })
}

/** Maximum memory growth in bytes after all bombs. */
const HEAP = 64 * 1024 * 1024

/** Whether the bomb ended with its own status or at its deadline. */
const ended = ({ exitCode, timedOut }: ShellResult): boolean => (timedOut ? exitCode === null : typeof exitCode === 'number')
