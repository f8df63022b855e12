import type { ApprovalRequest } from '../../types/runtime.js'

const LONGEST = 4000

/** Describes a request for a person who decides: the tool, the reason and the input. Escapes control characters. */
export function describeApproval(request: ApprovalRequest): string {
  const { tool, reason, command, path, access } = request
  const about = command ?? (path === undefined ? undefined : `${access} ${path}`)
  const input = inputBeside(request)
  const head = about === undefined ? '' : shown(about)
  const beside = input === undefined ? '' : `${head === '' ? '' : '\n  with the input'}${shown(input)}`
  const why = reason === undefined ? '' : `: ${visible(reason)}`
  return `"${visible(tool)}" needs an approval${why}${head}${beside}`
}

/**
 * Returns the input as JSON, without the field that contains the command. The other fields, such as the environment of a command, matter as
 * much as the command. Undefined if there are no other fields.
 */
function inputBeside({ input, command }: ApprovalRequest): string | undefined {
  if (command === undefined || typeof input !== 'object' || input === null) return JSON.stringify(input)
  const fields = Object.entries(input)
  const own = fields.findIndex(([, value]) => value === command)
  const others = fields.filter((_, at) => at !== own)
  return others.length === 0 ? undefined : JSON.stringify(Object.fromEntries(others))
}

/** Puts a text on separate lines with a prefix, so that the text cannot imitate other output. */
function shown(text: string): string {
  const lines = visible(text.slice(0, LONGEST)).replaceAll('\n', '\n  | ')
  return `\n  | ${lines}${text.length > LONGEST ? `\n  ... and ${text.length - LONGEST} characters more, which are not shown` : ''}`
}

/** Escapes characters with which a text of a model could move the cursor, hide a part of the text or reverse its direction. */
const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => (one === '\n' ? one : `\\u{${one.codePointAt(0)?.toString(16)}}`))
