import { C_ESCAPES } from '../shared/c-escapes.js'
import { Failure } from '../shared/failure.js'

/** A name as GNU's messages quote it in the C locale. Characters beyond ASCII stay. */
export function quoted(name: string): string {
  const escaped = name.replace(
    /[\\'\x7f]|[^\x20-\uffff]/g,
    (char) => ESCAPED[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `'${escaped}'`
}

const ESCAPED: Readonly<Record<string, string>> = { ...C_ESCAPES, "'": "\\'" }

export const invalidArgument = (value: string, predicate: string): Failure => new Failure(`invalid argument \`${value}' to \`${predicate}'`)

/** What GNU find can tell and this shell cannot. */
export const unsupported = (what: string, why: string, instead: string): Failure =>
  new Failure(`${what} is not supported in this shell: ${why}. ${instead}.`)
