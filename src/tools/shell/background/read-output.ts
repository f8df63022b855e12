import { type StateFields, type StreamFields, stateText } from './session-fields.js'

export interface BackgroundRead extends StateFields, StreamFields {
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
    ...(output.state === 'lost' ? ['its last output before that may be missing', 'start it again if it is still needed'] : []),
    ...(more.length === 0 ? [] : [`more of ${more.join(' and ')}: read again`]),
    ...(['stdout', 'stderr'] as const).flatMap((name) =>
      dropped[name] === 0 ? [] : [`${dropped[name]} characters of ${name} before this were lost`],
    ),
  ]
}

const withoutLineEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
