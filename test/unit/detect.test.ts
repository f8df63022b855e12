// @module-tag read-file
import { describe, expect, test } from 'vitest'
import { detectBinary, imageType } from '../../src/ops/detect.js'
import { encodeUtf8 } from '../../src/ops/utf8.js'

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
const withNul = (text: string): Uint8Array => latin1(`${text}\0\0\0\0`)

describe('detectBinary', () => {
  test.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x10\x20\x30\x40WEBPVP8 '],
    ['audio/wav', 'RIFF\x10\x20\x30\x40WAVEfmt '],
    ['application/pdf', '%PDF-1.7\n'],
    ['application/zip', 'PK\x03\x04'],
    ['application/gzip', '\x1f\x8b\x08'],
    ['application/x-bzip2', 'BZh91AY&SY'],
    ['application/wasm', '\0asm\x01'],
    ['application/x-elf', '\x7fELF'],
    ['application/vnd.sqlite3', 'SQLite format 3\0'],
    ['audio/mpeg', '\xff\xfb\x90'],
    ['video/webm', '\x1a\x45\xdf\xa3'],
    ['text/plain; charset=utf-16le', '\xff\xfea\0'],
    ['text/plain; charset=utf-16be', '\xfe\xff\0a'],
  ])('%s by its first bytes', (type, magic) => {
    expect(detectBinary(latin1(magic))).toBe(type)
  })

  test.each([
    ['image/bmp', 'BM\x36'],
    ['audio/mpeg', 'ID3\x04'],
    ['video/mp4', '\0\0\0\x18ftypisom'],
    ['image/avif', '\0\0\0\x18ftypavif'],
    ['application/vnd.microsoft.portable-executable', 'MZ\x90'],
    ['application/x-tar', `name${'\0'.repeat(253)}ustar`],
  ])('%s also with a NUL', (type, magic) => {
    expect(detectBinary(withNul(magic))).toBe(type)
  })

  test.each(['', 'BMW makes cars', 'MZ is a prefix', 'ID3 tags', 'OTTO', 'RIFF raff', 'const a = 1\n', 'é→😀', '\ufeffbom'])(
    'accepts text: %j',
    (text) => {
      expect(detectBinary(encodeUtf8(text))).toBeUndefined()
    },
  )

  test('a NUL counts only within the first 8 KiB', () => {
    const bytes = new Uint8Array(10_000).fill(97)
    bytes[8192] = 0
    expect(detectBinary(bytes)).toBeUndefined()
    bytes[8191] = 0
    expect(detectBinary(bytes)).toBe('application/octet-stream')
  })

  test('ignores a truncated signature', () => {
    expect(detectBinary(latin1('\x89PN'))).toBeUndefined()
    expect(detectBinary(latin1('RIFF'))).toBeUndefined()
  })
})

test('imageType knows the four types that models accept', () => {
  expect(imageType(latin1('\x89PNG\r\n\x1a\n'))).toBe('image/png')
  expect(imageType(latin1('GIF87a'))).toBe('image/gif')
  expect(imageType(withNul('BM\x36'))).toBeUndefined()
  expect(imageType(latin1('%PDF-1.7'))).toBeUndefined()
  expect(imageType(new Uint8Array())).toBeUndefined()
})
