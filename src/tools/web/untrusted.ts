import { codePointBoundary } from '../../ops/utf8.js'
import { parseWebUrl } from './url.js'

/** A longer address is no address that anybody can use. */
const LONGEST_URL = 2048

/** An object of parsed JSON; undefined for anything else. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

/** At most the first `most` elements; none for anything but an array. */
export function elements(value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

/**
 * Text from the network: at most so many code units, `...` where more was cut; no control characters but line breaks and tabs, none that
 * turn the direction of text, no lone surrogates. Empty for anything but text.
 */
export function cleanText(value: unknown, longest: number): string {
  if (typeof value !== 'string') return ''
  const cut = value.length > longest ? `${value.slice(0, codePointBoundary(value, longest))}...` : value
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
  const plain = cut.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_C}/gu, '')
  // ES2024, and in every engine we run on; the library types stop at ES2023.
  return (plain as string & { toWellFormed(): string }).toWellFormed().trim()
}

/** The address as the platform writes it, if it is one of the web without a user or a password. */
export function cleanUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_URL) return undefined
  const url = parseWebUrl(value)
  return url && !url.username && !url.password && url.href.length <= LONGEST_URL ? url.href : undefined
}

/** A number that JSON has, or undefined. */
export function cleanNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
