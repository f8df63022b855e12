// @module-tag read-file
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../src/ops/base64.js'
import { encodeUtf8 } from '../../src/ops/utf8.js'
import fc from '../fast-check.js'

test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foobar', 'Zm9vYmFy'],
  ['→', '4oaS'],
])('toBase64 encodes %j as %s', (text, base64) => {
  expect(toBase64(encodeUtf8(text))).toBe(base64)
  expect(fromBase64(base64)).toEqual(encodeUtf8(text))
})

test('any bytes survive a round trip, also across chunks', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    }),
  )
  for (const length of [3071, 3072, 3073, 6145]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7)
    expect(fromBase64(toBase64(bytes))).toEqual(bytes)
  }
})

test('16 MiB are encoded and decoded without a deep stack', () => {
  const bytes = new Uint8Array(16 * 1024 * 1024).fill(0xa5)
  const decoded = fromBase64(toBase64(bytes))
  expect(decoded?.length).toBe(bytes.length)
  expect([decoded?.at(0), decoded?.at(-1)]).toEqual([0xa5, 0xa5])
})

test('fromBase64 skips white space and accepts missing padding', () => {
  expect(fromBase64(' Zm9v\r\nYmFy\t')).toEqual(encodeUtf8('foobar'))
  expect(fromBase64('Zg')).toEqual(encodeUtf8('f'))
})

test.each(['A', 'Zg=', 'Zg===', 'Z=g=', 'Zm9-', 'Zm9_', 'Zm9v!', 'é', '\0'])('fromBase64 rejects %j', (text) => {
  expect(fromBase64(text)).toBeUndefined()
})
