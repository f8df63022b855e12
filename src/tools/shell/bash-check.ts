import { InputError } from '../../errors/index.js'
import { TIMEOUT_MS } from './bash-defaults.js'
import type { BashInput } from './bash-input.js'

type Issue = InputError['issues'][number]

/** Refuses fields that would mean nothing beside the others: a model that gives them expects something of them. @throws {InputError} */
export function checkTogether(input: BashInput): void {
  const issues = input.run_in_background ? issuesInBackground(input) : issuesInForeground(input)
  if (issues.length === 0) return
  const said = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new InputError('invalid_input', `Cannot call "bash": ${said}`, { issues })
}

function issuesInBackground({ stdin, timeout_ms }: BashInput): readonly Issue[] {
  return [
    ...(stdin === undefined
      ? []
      : [{ path: 'stdin', message: 'cannot be given with run_in_background: send it with write_background_bash' }]),
    ...(timeout_ms === TIMEOUT_MS
      ? []
      : [{ path: 'timeout_ms', message: 'cannot be given with run_in_background: the command runs until it ends or is stopped' }]),
  ]
}

function issuesInForeground({ session_name, terminal }: BashInput): readonly Issue[] {
  const message = 'is for background sessions: set run_in_background too'
  return [
    ...(session_name === undefined ? [] : [{ path: 'session_name', message }]),
    ...(terminal === undefined ? [] : [{ path: 'terminal', message }]),
  ]
}
