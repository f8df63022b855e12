import { C_ESCAPES } from '../shared/c-escapes.js'
import { Failure } from '../shared/failure.js'

/** Quotes a name like GNU's messages in the C locale, but keeps characters beyond ASCII. */
export function quoted(name: string): string {
  const escaped = name.replace(
    /[\\'\x7f]|[^\x20-\uffff]/g,
    (char) => ESCAPED[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `'${escaped}'`
}

const ESCAPED: Readonly<Record<string, string>> = { ...C_ESCAPES, "'": "\\'" }

export const invalidArgument = (value: string, predicate: string): Failure => new Failure(`invalid argument \`${value}' to \`${predicate}'`)

/** The error for a feature of GNU find that this shell does not support. */
export const unsupported = (what: string, why: string, instead: string): Failure =>
  new Failure(`${what} is not supported in this shell: ${why}. ${instead}.`)
