import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { decodeUtf8, encodeUtf8 } from '../../../ops/utf8.js'

/** Maximum length of a secret for the full pattern, which would be too large otherwise. */
const LONGEST = 4096
/** Minimum base64 characters: a shorter part of a secret may occur in any text. */
const LEAST_BASE64 = 8
/** Number of base64 characters to match exactly. The rest is taken by length, because a pattern of all characters is slow. */
const TELLING_BASE64 = 32
/** Line breaks in wrapped base64, also in JSON strings. */
const WRAP = String.raw`(?:\s|\\+[rn])*`
/** Characters that URLs and the URL-safe alphabet encode differently. */
const BASE64_CHARS: Readonly<Record<string, string>> = { '+': '(?:[+-]|%2[Bb])', '/': String.raw`(?:\\?/|_|%2[Ff])` }

/** The text that is encoded in base64; undefined for binary data and for other strings. */
export function textInBase64(base64: string): string | undefined {
  const bytes = /^[\w+/=\s]{12,}$/.test(base64) ? fromBase64(base64) : undefined
  return bytes && decodeUtf8(bytes)
}

/** Finds a secret in a text: literally, with JSON escapes, URL-encoded or in base64. Long secrets only literally and with JSON escapes. */
export function finderOf(secret: string): (text: string) => Iterable<{ readonly 0: string; readonly index: number }> {
  if (secret.length <= LONGEST) {
    const pattern = encodedForms(secret)
    return (text) => text.matchAll(pattern)
  }
  const escaped = JSON.stringify(secret).slice(1, -1)
  return (text) => [...occurrences(text, secret), ...(escaped === secret ? [] : occurrences(text, escaped))]
}

function* occurrences(text: string, part: string): Generator<{ readonly 0: string; readonly index: number }> {
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + part.length)) yield { 0: part, index }
}

function encodedForms(secret: string): RegExp {
  // A run of backslashes is one: the pattern of one takes many.
  const chars = Array.from(secret.replace(/\\+/g, '\\'), escapedChar)
  return new RegExp([chars.join(''), ...base64Forms(secret)].join('|'), 'g')
}

/** A pattern for a character: literal, with backslashes of nested JSON, or percent-encoded. Limits backslashes for speed. */
function escapedChar(char: string): string {
  if (/[a-z0-9]/i.test(char)) return char
  if (char === '\\') return String.raw`(?:\\|%(?:25)*5[cC]){1,64}`
  const short = JSON.stringify(char).slice(1, -1).replace('\\', '')
  const units = Array.from({ length: char.length }, (_, at) => String.raw`\\{1,8}u${hex(char.charCodeAt(at), 4)}`)
  const bytes = Array.from(encodeUtf8(char), (byte) => `%(?:25)*${hex(byte, 2)}`)
  const forms = [String.raw`\\{0,8}${literal(char)}`, units.join(''), bytes.join('')]
  if (short !== char) forms.push(String.raw`\\{1,8}${short}`)
  if (char === ' ') forms.push(String.raw`\+`)
  return `(?:${forms.join('|')})`
}

/** Hexadecimal digits in upper or lower case. */
const hex = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** The base64 characters that the secret determines, for each position in a group of three bytes, with those that may end the text. */
function base64Forms(secret: string): string[] {
  const bytes = encodeUtf8(secret)
  return [0, 1, 2].flatMap((before) => {
    const whole = new Uint8Array(before + bytes.length)
    whole.set(bytes, before)
    const own = toBase64(whole).slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6))
    if (own.length < LEAST_BASE64) return []
    const start = Array.from(own.slice(0, TELLING_BASE64), (char) => BASE64_CHARS[char] ?? char).join(WRAP)
    const rest = `(?:${WRAP}(?:[\\w+/-]|%2[BbFf])){0,${Math.max(0, own.length - TELLING_BASE64)}}`
    return `${start}${rest}(?:${WRAP}[\\w+/-]?=+)?`
  })
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
