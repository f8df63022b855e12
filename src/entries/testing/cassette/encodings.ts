import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { decodeUtf8, encodeUtf8 } from '../../../ops/utf8.js'

/** Number of characters that a hash covers. A shorter part of an encoded secret may occur in any text. */
const START = 8
const FACTOR = 16_777_619
/** The factor of the first character of a hash. */
const LAST_FACTOR = Array.from({ length: START - 1 }).reduce((power: number) => Math.imul(power, FACTOR), 1)

const SLASHES = String.raw`(?:\\(?:u005c)*|%(?:25)*5c)+`
const TAIL = String.raw`%(?:25)*[89ab][\da-f]`
/** One character of UTF-8. Its first byte determines the number of bytes, because an encoded `%` and two hex digits may follow. */
const ENCODED = String.raw`%(?:25)*(?:[0-7][\da-f]|[cd][\da-f]${TAIL}|e[\da-f](?:${TAIL}){2}|f[0-7](?:${TAIL}){3})`
/** Escapes of JSON and JavaScript, including nested ones, percent-encoded characters, and `+`. */
const ESCAPES = new RegExp(String.raw`${SLASHES}(?:u([\da-f]{4})|(${ENCODED})|([\s\S]))?|(${ENCODED})|\+`, 'gi')
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
/** Line breaks in wrapped base64, also in JSON strings, and the characters that URLs and the URL-safe alphabet encode differently. */
const WRAPPED = /\s+|\\+[rn]?|%(?:25)*2[bf]|[-_]/gi

/** The text that is encoded in base64; undefined for binary data and for other strings. */
export function textInBase64(base64: string): string | undefined {
  const bytes = /^[\w+/=\s]{12,}$/.test(base64) ? fromBase64(base64) : undefined
  return bytes && decodeUtf8(bytes)
}

/** Decodes an escape of any depth, so that a text and its escaped forms become equal. Drops backslashes, and replaces `+` by a blank. */
function unescaped(all: string, unicode?: string, after?: string, plain?: string, encoded?: string): string {
  if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16)).replace('+', ' ')
  const percent = after ?? encoded
  if (percent === undefined) return plain === undefined ? (all === '+' ? ' ' : '') : (CONTROLS[plain] ?? plain).replace('+', ' ')
  const bytes = Uint8Array.from(percent.matchAll(/%(?:25)*([\da-f]{2})/gi), ([, byte]) => Number.parseInt(byte ?? '', 16))
  return (decodeUtf8(bytes) ?? percent).replace('+', ' ')
}

const unwrapped = (part: string): string => (/b$|^-/i.test(part) ? '+' : /f$|^_/i.test(part) ? '/' : '')

/** Base64 forms of a secret, one for each position in a group of three bytes. Omits characters that depend on the text around it. */
function base64Forms(secret: string): string[] {
  const bytes = encodeUtf8(secret)
  return [0, 1, 2].flatMap((before) => {
    const whole = new Uint8Array(before + bytes.length)
    whole.set(bytes, before)
    const form = toBase64(whole).slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6))
    return form.length < START ? [] : [form]
  })
}

type Rewrite = (part: string, ...groups: string[]) => string

/** The forms of a text in which secrets are looked up: unchanged, without escapes, and as base64 without line breaks. */
const FORMS: readonly (readonly [pattern: RegExp, by: Rewrite])[] = [
  [/(?!)/g, String],
  [ESCAPES, unescaped],
  [WRAPPED, unwrapped],
]

interface Found {
  readonly start: number
  readonly end: number
}

/** Finds secrets in a text: literally, escaped, URL-encoded and in base64. The time grows with secrets that are short or begin alike. */
export class Finder {
  readonly secrets: Set<string> = new Set()
  /** For each form: the texts to find, by the hash of their first `START` characters. Shorter texts have the key undefined. */
  readonly #texts = FORMS.map(() => new Map<number | undefined, string[]>())
  /** Marks the low 16 bits of each hash. Most parts of a text have no mark, so they need no lookup in a map, which is slower. */
  readonly #marks = new Uint8Array(1 << 16)

  add(secret: string): void {
    if (secret === '' || this.secrets.has(secret)) return
    this.secrets.add(secret)
    const plain = secret.replace(ESCAPES, unescaped)
    // JSON doubles a backslash at the end. Both have to go, so that the text stays JSON.
    const literal = secret.endsWith('\\') ? [secret, JSON.stringify(secret).slice(1, -1)] : [secret]
    const forms = [literal, plain === '' ? [] : [plain], base64Forms(secret)]
    for (const [index, texts] of this.#texts.entries())
      for (const text of forms[index] ?? []) {
        let hash: number | undefined
        eachHash(text.slice(0, START), (its) => {
          hash = its
        })
        if (hash !== undefined) this.#marks[hash & 0xffff] = 1
        const others = texts.get(hash)
        if (others) others.push(text)
        else texts.set(hash, [text])
      }
  }

  in(text: string): readonly Found[] {
    return FORMS.flatMap(([pattern, by], index) => {
      const texts = this.#texts[index]
      if (!texts?.size) return []
      const form = text.replace(pattern, by)
      const found: Found[] = []
      for (const short of texts.get(undefined) ?? [])
        for (let start = form.indexOf(short); start >= 0; start = form.indexOf(short, start + short.length))
          found.push({ start, end: start + short.length })
      eachHash(form, (hash, start) => {
        if (this.#marks[hash & 0xffff] === 0) return
        for (const one of texts.get(hash) ?? []) if (form.startsWith(one, start)) found.push({ start, end: start + one.length })
      })
      // A secret that is short without its escapes may be an ordinary word, so it has to be escaped.
      const isSure = ({ start, end }: Found): boolean => end - start >= START || text.slice(start, end).search(pattern) >= 0
      return index === 0 || found.length === 0 ? found : inOriginal(text, pattern, by, found).filter(isSure)
    })
  }
}

/** Calls `visit` with the hash and the position of each sequence of `START` characters. */
function eachHash(text: string, visit: (hash: number, start: number) => void): void {
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    if (at >= START) hash -= Math.imul(text.charCodeAt(at - START), LAST_FACTOR)
    hash = (Math.imul(hash, FACTOR) + text.charCodeAt(at)) | 0
    if (at >= START - 1) visit(hash & 0x3fff_ffff, at - START + 1)
  }
}

/** Converts positions in a rewritten text to positions in the original text. Extends a range to all of a part that was replaced. */
function inOriginal(text: string, pattern: RegExp, by: Rewrite, found: readonly Found[]): readonly Found[] {
  const [starts, ends]: [number[], number[]] = [[], []]
  let from = 0
  const keep = (until: number): void => {
    for (; from < until; from++) starts[ends.push(from + 1) - 1] = from
  }
  for (const match of text.matchAll(pattern)) {
    keep(match.index)
    from += match[0].length
    for (let left = by(...(match as unknown as [string])).length; left > 0; left--) starts[ends.push(from) - 1] = match.index
  }
  keep(text.length)
  return found.map(({ start, end }) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }))
}
