import { BASH_ESCAPES } from '../control-escapes.js'
import { characterOf, escapeOf, joined } from '../escaped-bytes.js'

/** The value of `$'...'`, and the position after it. */
export interface AnsiQuoted {
  readonly value: string
  readonly end: number
}

const NUMBER = /x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])/y

/**
 * Reads `$'...'`, starting after its opening quote. `\303` and `\xc3` are bytes; invalid UTF-8 bytes stay escaped. As in bash, a NUL ends
 * the value. Built into just-bash by `scripts/vendor.mjs`.
 */
export function readAnsiQuoted(text: string, from: number): AnsiQuoted {
  let value = ''
  let at = from
  while (at < text.length && text[at] !== "'") {
    const next = text[at + 1]
    if (text[at] !== '\\' || next === undefined) {
      value += text[at++]
      continue
    }
    const simple = BASH_ESCAPES[next]
    NUMBER.lastIndex = at + 1
    const number = simple === undefined ? NUMBER.exec(text) : null
    value += simple ?? (number ? numbered(number) : `\\${next}`)
    at += number ? 1 + number[0].length : 2
  }
  return { value: upToNul(joined(value)), end: text[at] === "'" ? at + 1 : at }
}

function numbered([, hex, short, long, octal, control]: RegExpExecArray): string {
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f)
  if (short ?? long) return characterOf(Number.parseInt((short ?? long) as string, 16))
  const byte = hex ? Number.parseInt(hex, 16) : Number.parseInt(octal as string, 8) & 0xff
  return byte < 0x80 ? String.fromCharCode(byte) : escapeOf(byte)
}

function upToNul(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
