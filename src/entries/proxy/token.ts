import { encodeUtf8 } from '../../ops/utf8.js'

/** Whether two texts are equal, in a time that does not tell how far they agree. */
export function sameText(given: string, expected: string): boolean {
  const a = encodeUtf8(given)
  const b = encodeUtf8(expected)
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i % b.length] ?? 0)
  return difference === 0
}
