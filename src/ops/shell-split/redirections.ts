import type { RedirectOperator, ShellWord } from './types.js'

const OUTPUTS: readonly string[] = ['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr']
const INPUTS: readonly string[] = ['/dev/null', '/dev/zero']

/** Whether it reaches no file: a null device, a stream the shell has anyway, text of the command line. */
export function isSafeRedirection(operator: RedirectOperator, fd: string | undefined, target: ShellWord): boolean {
  if (fd?.startsWith('{')) return false
  if (operator === '<<' || operator === '<<-' || operator === '<<<') return true
  if (target.expands) return false
  if (operator === '>&' || operator === '<&') {
    if (/^(?:\d+-?|-)$/.test(target.text)) return true
    return operator === '>&' && OUTPUTS.includes(target.text)
  }
  if (operator === '<') return INPUTS.includes(target.text)
  return operator !== '<>' && OUTPUTS.includes(target.text)
}
