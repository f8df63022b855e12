import type { ApprovalRequest } from '../../types/runtime.js'

const LONGEST = 4000

/** What a person has to know to decide: the tool, the reason, and what it is given. Control characters are spelled out. */
export function describeApproval(request: ApprovalRequest): string {
  const { tool, reason, command, path, access } = request
  const about = command ?? (path === undefined ? undefined : `${access} ${path}`)
  const input = inputBeside(request)
  const head = about === undefined ? '' : shown(about)
  const beside = input === undefined ? '' : `${head === '' ? '' : '\n  with the input'}${shown(input)}`
  const why = reason === undefined ? '' : `: ${visible(reason)}`
  return `"${visible(tool)}" needs an approval${why}${head}${beside}`
}

/** What else the tool is given, such as the environment of a command, which says as much as the command does. Undefined: nothing. */
function inputBeside({ input, command }: ApprovalRequest): string | undefined {
  if (command === undefined || typeof input !== 'object' || input === null) return JSON.stringify(input)
  const fields = Object.entries(input)
  const own = fields.findIndex(([, value]) => value === command)
  const others = fields.filter((_, at) => at !== own)
  return others.length === 0 ? undefined : JSON.stringify(Object.fromEntries(others))
}

/** On lines of its own, which no text can leave. */
function shown(text: string): string {
  const lines = visible(text.slice(0, LONGEST)).replaceAll('\n', '\n  | ')
  return `\n  | ${lines}${text.length > LONGEST ? `\n  ... and ${text.length - LONGEST} characters more, which are not shown` : ''}`
}

/** What a model wrote must not move the cursor, hide a part of itself or turn it around. */
const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => (one === '\n' ? one : `\\u{${one.codePointAt(0)?.toString(16)}}`))
