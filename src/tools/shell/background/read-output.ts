import { type StateFields, stateText } from './facts.js'

export interface BackgroundRead extends StateFields {
  readonly stdout: string
  readonly stderr: string
  /** Characters since the beginning, up to the end of this text. */
  readonly stdout_cursor: number
  readonly stderr_cursor: number
  readonly stdout_has_more: boolean
  readonly stderr_has_more: boolean
  /** Characters that were lost before this text: they were not read in time. */
  readonly stdout_dropped: number
  readonly stderr_dropped: number
  readonly waited_ms: number
}

/** What was printed, then one line of facts. */
export function renderRead(output: BackgroundRead): string {
  const { stdout, stderr } = output
  return [
    ...(stdout === '' ? [] : [withoutLineEnd(stdout)]),
    ...(stderr === '' ? [] : [`[stderr]\n${withoutLineEnd(stderr)}`]),
    ...(stdout === '' && stderr === '' ? ['(nothing new)'] : []),
    `[${factsOf(output).join(', ')}]`,
  ].join('\n')
}

function factsOf(output: BackgroundRead): readonly string[] {
  const more = [...(output.stdout_has_more ? ['stdout'] : []), ...(output.stderr_has_more ? ['stderr'] : [])]
  const dropped = { stdout: output.stdout_dropped, stderr: output.stderr_dropped }
  return [
    stateText(output),
    ...(more.length === 0 ? [] : [`more of ${more.join(' and ')}: read again`]),
    ...(['stdout', 'stderr'] as const).flatMap((name) =>
      dropped[name] === 0 ? [] : [`${dropped[name]} characters of ${name} before this were lost`],
    ),
  ]
}

const withoutLineEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
