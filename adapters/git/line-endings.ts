import type { Attribute } from './attributes.js'
import { isTrue } from './config-file.js'

/**
 * Line-ending rules of git (convert.c). `when`: `text` converts any content, `auto` only content that looks like text. `crlf`: whether
 * worktree files get CRLF.
 */
export interface LineEndings {
  readonly when: 'text' | 'auto' | 'never'
  readonly crlf: boolean
}

const VALUES: ReadonlySet<Attribute | undefined> = new Set([true, false, 'auto', 'input'])

/** Derives the rules from the attributes of a path, `core.autocrlf` and `core.eol`. */
export function lineEndingsOf(attributes: ReadonlyMap<string, Attribute>, config: ReadonlyMap<string, string>): LineEndings {
  const autocrlf = config.get('core.autocrlf')?.toLowerCase()
  const always = autocrlf !== undefined && isTrue(autocrlf)
  const isAsked = always || autocrlf === 'input'
  const native = always || (autocrlf !== 'input' && config.get('core.eol')?.toLowerCase() === 'crlf')
  // `crlf` is the older name of the attribute `text`.
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

/** Converts a file to stored content. @param stored whether the content in the index has CRLF line endings; called only if needed */
export async function toStored(bytes: Uint8Array, { when }: LineEndings, stored: () => Promise<boolean>): Promise<Uint8Array> {
  if (when === 'never' || !bytes.includes(CR)) return bytes
  if (when === 'auto' && (looksBinary(bytes) || (await stored()))) return bytes
  return bytes.filter((byte, at) => byte !== CR || bytes[at + 1] !== LF)
}

/** Converts stored content to a worktree file. */
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

/** Whether the content is text with CRLF line endings. */
export const hasCrlfText = (bytes: Uint8Array): boolean => hasCrlf(bytes) && !looksBinary(bytes)

function hasCrlf(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) if (bytes[at + 1] === LF) return true
  return false
}

const END_OF_FILE = 26
const DELETE = 127
const BLANK = 32
/** Control characters that count as printable: backspace, tab, form feed and escape. */
const PRINTABLE: ReadonlySet<number> = new Set([8, 9, 12, 27])

/** Whether content has a NUL, a bare CR, or more than one unprintable character in 128. */
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
