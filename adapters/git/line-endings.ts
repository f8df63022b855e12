import type { Attribute } from './attributes.js'
import { isTrue } from './config-file.js'

/**
 * What git makes of line endings (its convert.c): `text` is converted whatever is in it, `auto` only where the content looks like text. `crlf` says
 * what the worktree gets.
 */
export interface LineEndings {
  readonly when: 'text' | 'auto' | 'never'
  readonly crlf: boolean
}

const VALUES: ReadonlySet<Attribute | undefined> = new Set([true, false, 'auto', 'input'])

/** By the attributes of a path, and the values of `core.autocrlf` and `core.eol`. */
export function lineEndingsOf(attributes: ReadonlyMap<string, Attribute>, config: ReadonlyMap<string, string>): LineEndings {
  const autocrlf = config.get('core.autocrlf')?.toLowerCase()
  const always = autocrlf !== undefined && isTrue(autocrlf)
  const isAsked = always || autocrlf === 'input'
  const native = always || (autocrlf !== 'input' && config.get('core.eol')?.toLowerCase() === 'crlf')
  // The older name of the attribute.
  const text = [attributes.get('text'), attributes.get('crlf')].find((value) => VALUES.has(value))
  const eol = attributes.get('eol')
  if (text === false) return { when: 'never', crlf: false }
  const crlf = eol === 'crlf' || (eol !== 'lf' && text !== 'input' && native)
  if (text === 'auto') return { when: 'auto', crlf }
  if (text === true || text === 'input' || eol === 'lf' || eol === 'crlf') return { when: 'text', crlf }
  return { when: isAsked ? 'auto' : 'never', crlf }
}

const CR = 13
const LF = 10

/** The content that git stores of a file. @param stored whether the index has line endings of Windows in it, asked only where it counts */
export async function toStored(bytes: Uint8Array, { when }: LineEndings, stored: () => Promise<boolean>): Promise<Uint8Array> {
  if (when === 'never' || !bytes.includes(CR)) return bytes
  if (when === 'auto' && (looksBinary(bytes) || (await stored()))) return bytes
  return bytes.filter((byte, at) => byte !== CR || bytes[at + 1] !== LF)
}

/** The file that git makes of what it stores. */
export function toFile(bytes: Uint8Array, { when, crlf }: LineEndings): Uint8Array {
  if (when === 'never' || !crlf || !bytes.includes(LF)) return bytes
  if (when === 'auto' && (looksBinary(bytes) || hasCrlf(bytes))) return bytes
  const bare = bytes.reduce((sum, byte, at) => sum + Number(byte === LF && bytes[at - 1] !== CR), 0)
  const file = new Uint8Array(bytes.length + bare)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) file[end++] = CR
    file[end++] = bytes[at] as number
  }
  return file
}

/** Whether it is text with line endings of Windows in it. */
export const hasCrlfText = (bytes: Uint8Array): boolean => hasCrlf(bytes) && !looksBinary(bytes)

function hasCrlf(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) if (bytes[at + 1] === LF) return true
  return false
}

const END_OF_FILE = 26
const DELETE = 127
const BLANK = 32
/** Backspace, tab, form feed and escape. */
const PRINTABLE: ReadonlySet<number> = new Set([8, 9, 12, 27])

/** A NUL, a CR without its LF, or more than one character in 128 that cannot be printed. */
function looksBinary(bytes: Uint8Array): boolean {
  let printable = 0
  let other = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === 0 || (byte === CR && bytes[at + 1] !== LF)) return true
    if (byte === CR || byte === LF) continue
    if (byte === DELETE || (byte < BLANK && !PRINTABLE.has(byte))) other++
    else printable++
  }
  if (bytes.at(-1) === END_OF_FILE) other--
  return printable >> 7 < other
}
