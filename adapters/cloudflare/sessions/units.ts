/** Few enough to be arguments of one call. */
const UNITS_AT_ONCE = 8192

/**
 * Text as the database keeps it: UTF-16, two bytes a character. As text of its own it would lose halves of surrogate pairs, in which the
 * output of a program can end at any moment.
 */
export function toBytes(text: string): Uint8Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return new Uint8Array(units.buffer)
}

export function toText(bytes: ArrayBuffer): string {
  const units = new Uint16Array(bytes)
  let text = ''
  for (let i = 0; i < units.length; i += UNITS_AT_ONCE) text += String.fromCharCode(...units.subarray(i, i + UNITS_AT_ONCE))
  return text
}
