export interface BashOutput {
  /** null: it was stopped before its end. */
  readonly exit_code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timed_out: boolean
  readonly aborted: boolean
  /** Whether any of the two streams was cut. */
  readonly truncated: boolean
  /** Where the next command begins. */
  readonly cwd: string
  readonly duration_ms: number
  /** What was not as asked. */
  readonly note?: string
}

/** What was printed, then one line with what is out of the ordinary. `home`: the directory that goes without saying. */
export function renderBash(output: BashOutput, home: string): string {
  const { stdout, stderr, note } = output
  const parts = [
    ...(note === undefined ? [] : [`[${note}]`]),
    ...(stdout === '' ? [] : [withoutLineEnd(stdout)]),
    ...(stderr === '' ? [] : [`[stderr]\n${withoutLineEnd(stderr)}`]),
    ...(stdout === '' && stderr === '' ? ['(no output)'] : []),
  ]
  const facts = factsOf(output, home)
  return [...parts, ...(facts.length === 0 ? [] : [`[${facts.join(', ')}]`])].join('\n')
}

function factsOf({ exit_code, timed_out, aborted, truncated, cwd, duration_ms }: BashOutput, home: string): string[] {
  return [
    ...(exit_code === null || exit_code === 0 ? [] : [`exit code ${exit_code}`]),
    ...(timed_out ? [`timed out after ${duration_ms} ms`] : []),
    ...(aborted ? ['aborted'] : []),
    ...(truncated ? ['output cut'] : []),
    ...(cwd === home ? [] : [`now in ${cwd}`]),
  ]
}

const withoutLineEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
