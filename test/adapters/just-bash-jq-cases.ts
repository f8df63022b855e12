import type { JqOptions } from 'toolport/adapters/just-bash'
import { expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import recorded from './just-bash-jq.jsonl?raw'
import { JQ_FILES } from './just-bash-jq-seed.js'
import { setup } from './just-bash-support.js'

export interface JqCase {
  readonly args: readonly string[]
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdout: string
  /** The error message of jq 1.8. */
  readonly stderr?: string
  readonly exitCode: number
  /** How jq 1.6 differs, and why. */
  readonly since?: string
}

/**
 * Output and status are recorded from jq 1.6 (Debian 12) by scripts/record-jq.mjs. Cases with `since` are those in which jq 1.6 differs:
 * they are recorded from jq 1.8.2 in jq-wasm, and were checked one by one.
 */
export const JQ_CASES: readonly JqCase[] = parseJsonLines<JqCase>(recorded)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** `every`: runs only every n-th case. */
export function jqCases(jq: JqOptions | undefined, every = 1): void {
  const shell = (): ReturnType<typeof setup>['shell'] => setup({ files: JQ_FILES, shell: jq ? { jq } : {} }).shell
  const cases = JQ_CASES.filter((_, i) => i % every === 0).map((each) => [each.args.join(' '), each] as const)

  it.each(cases)('prints what jq prints: %s', async (_, { args, stdin, env, stdout, stderr = '', exitCode }) => {
    const result = await shell().exec(['jq', ...args.map(quoted)].join(' '), { stdin: stdin ?? '', ...(env && { env }) })
    expect({ stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode }).toEqual({ stdout, stderr, exitCode })
  })

  it('runs two jq in one pipe and several in parallel', async () => {
    const { stdout } = await shell().exec(
      "jq -c '.[]' users.json | jq -r .name | sort | tail -1; for i in 1 2 3; do jq -n $i & done | sort; wait",
    )
    expect(stdout).toBe('Čeněk\n1\n2\n3\n')
  })
}
