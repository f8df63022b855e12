import { codePointBoundary } from '../../ops/utf8.js'
import { parseWebUrl } from './url.js'

/** Maximum length of a URL. Longer URLs are dropped. */
const LONGEST_URL = 2048

/** Returns a value of parsed JSON if it is an object; undefined for any other value. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

/** Returns at most the first `most` elements of an array; none for any other value. */
export function elements(value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

/**
 * Cleans text from the network: keeps at most `longest` code units, with `...` if truncated. Removes control characters except line breaks
 * and tabs, and characters that change the direction of text. Replaces lone surrogates. Empty for a value other than text.
 */
export function cleanText(value: unknown, longest: number): string {
  if (typeof value !== 'string') return ''
  const cut = value.length > longest ? `${value.slice(0, codePointBoundary(value, longest))}...` : value
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
  const plain = cut.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_C}/gu, '')
  // ES2024, available in every supported engine; the library types stop at ES2023.
  return (plain as string & { toWellFormed(): string }).toWellFormed().trim()
}

/** Returns the normalised URL, if it is a web URL without a user or a password. */
export function cleanUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_URL) return undefined
  const url = parseWebUrl(value)
  return url && !url.username && !url.password && url.href.length <= LONGEST_URL ? url.href : undefined
}

/** A finite number, or undefined. */
export function cleanNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
