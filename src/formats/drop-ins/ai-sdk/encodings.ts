import { InputError } from '../../../errors/index.js'
import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { encodeUtf8, hasLoneSurrogate } from '../../../ops/utf8.js'

interface Codec {
  decode(bytes: Uint8Array): string
  /** Encodes a text. Undefined if the encoding cannot represent the text. */
  encode(text: string): Uint8Array | undefined
}

const PIECE = 8192

const utf8: Codec = {
  decode: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  encode: (text) => (hasLoneSurrogate(text) ? undefined : encodeUtf8(text)),
}

const utf16: Codec = {
  decode: (bytes) => new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes),
  encode: (text) => {
    const bytes = new Uint8Array(2 * text.length)
    for (let i = 0; i < text.length; i++) {
      bytes[2 * i] = text.charCodeAt(i) & 0xff
      bytes[2 * i + 1] = text.charCodeAt(i) >> 8
    }
    return bytes
  },
}

/** Creates a codec with one byte per character. It does not use `TextDecoder`, which decodes `latin1` and `ascii` as windows-1252. */
const singleByte = (highest: number): Codec => ({
  decode: (bytes) => {
    let text = ''
    for (let i = 0; i < bytes.length; i += PIECE) text += String.fromCharCode(...bytes.subarray(i, i + PIECE))
    return text
  },
  encode: (text) => {
    const bytes = new Uint8Array(text.length)
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit > highest) return undefined
      bytes[i] = unit
    }
    return bytes
  },
})

const base64: Codec = { decode: toBase64, encode: fromBase64 }
const latin1 = singleByte(0xff)

const CODECS: Readonly<Record<string, Codec>> = {
  'utf-8': utf8,
  utf8,
  'utf-16le': utf16,
  utf16le: utf16,
  ucs2: utf16,
  latin1,
  'iso-8859-1': latin1,
  binary: latin1,
  ascii: singleByte(0x7f),
  base64,
}

/** Returns a decoder that keeps all bytes, including a byte order mark. @throws InputError for an unknown encoding */
export const textOf = (encoding?: string): ((bytes: Uint8Array) => string) => codecOf(encoding).decode

/** Encodes a text. @throws InputError for an unknown encoding, or an encoding that cannot represent the text */
export function bytesOf(text: string, encoding = 'utf-8'): Uint8Array {
  const bytes = codecOf(encoding).encode(text)
  if (bytes) return bytes
  throw new InputError('invalid_input', `Cannot write this text as ${encoding}: it has characters that ${encoding} does not have`)
}

function codecOf(encoding = 'utf-8'): Codec {
  const name = encoding.toLowerCase()
  const codec = Object.hasOwn(CODECS, name) ? CODECS[name] : undefined
  if (codec) return codec
  throw new InputError('invalid_input', `Unknown encoding "${encoding}": use one of ${Object.keys(CODECS).join(', ')}`)
}

/** Returns the lines from `first` to `last`, inclusive and one-based. Keeps the text's own line breaks, except the last. */
export function linesFrom(text: string, first?: number, last?: number): string {
  if (first === undefined && last === undefined) return text
  const end = ['\r\n', '\n', '\r'].find((each) => text.includes(each)) ?? '\n'
  return text
    .split(end)
    .slice(Math.max(1, first ?? 1) - 1, Math.max(0, last ?? Number.POSITIVE_INFINITY))
    .join(end)
}
