import { encodeUtf8 } from '../../ops/utf8.js'

/** Node's text encodings, by all of their names. */
const NAMES: Readonly<Record<string, 'utf8' | 'utf16le' | 'latin1' | 'ascii' | 'base64' | 'base64url' | 'hex'>> = {
  utf8: 'utf8',
  'utf-8': 'utf8',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  latin1: 'latin1',
  binary: 'latin1',
  ascii: 'ascii',
  base64: 'base64',
  base64url: 'base64url',
  hex: 'hex',
}

export type Encoding = (typeof NAMES)[string]

/** Undefined: unknown encoding. */
export function encodingNamed(name: string): Encoding | undefined {
  const lower = name.toLowerCase()
  return Object.hasOwn(NAMES, lower) ? NAMES[lower] : undefined
}

/**
 * Like `Buffer.from(text, encoding)`: base64 skips invalid characters, hex stops at the first invalid pair, and UTF-8 replaces a lone
 * surrogate with U+FFFD.
 */
export function encode(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return encodeUtf8(text)
    case 'utf16le':
      return bytesOf(text.length * 2, (i) => text.charCodeAt(i >> 1) >> ((i & 1) * 8))
    case 'latin1':
    case 'ascii':
      // A regular expression and an encoder are ten times as fast as a loop.
      return /[^\0-\x7f]/.test(text) ? bytesOf(text.length, (i) => text.charCodeAt(i)) : encodeUtf8(text)
    case 'hex': {
      const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0] ?? ''
      return bytesOf(pairs.length / 2, (i) => Number.parseInt(pairs.slice(i * 2, i * 2 + 2), 16))
    }
    default: {
      const plain = text
        .replace(/=.*/s, '')
        .replace(/-/g, '+')
        .replace(/_/g, '/')
        .replace(/[^A-Za-z0-9+/]/g, '')
      const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
      return encode(atob(whole), 'latin1')
    }
  }
}

/** Decodes like `buffer.toString(encoding)`. Keeps a byte order mark. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    case 'utf16le':
      return textOf(bytes.length >> 1, (i) => (bytes[i * 2] as number) | ((bytes[i * 2 + 1] as number) << 8))
    case 'latin1':
      return textOf(bytes.length, (i) => bytes[i] as number)
    case 'ascii':
      return textOf(bytes.length, (i) => (bytes[i] as number) & 0x7f)
    case 'hex':
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    case 'base64':
      return btoa(decode(bytes, 'latin1'))
    default:
      return btoa(decode(bytes, 'latin1')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
  }
}

/** Uses a loop: `Uint8Array.from` first makes a list of all characters, which takes a second for 10 MB. */
function bytesOf(length: number, at: (index: number) => number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = at(i)
  return bytes
}

/** Builds the text in pieces: one call with millions of arguments overflows the stack. */
function textOf(length: number, at: (index: number) => number): string {
  let text = ''
  for (let i = 0; i < length; i += 8192) {
    const units = Uint16Array.from({ length: Math.min(8192, length - i) }, (_, j) => at(i + j))
    text += String.fromCharCode.apply(null, units as unknown as number[])
  }
  return text
}
