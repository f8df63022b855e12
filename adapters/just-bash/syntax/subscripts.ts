// The library stores the expanded key of an associative array in a text like `name[key]`, which it parses again. Built into just-bash by
// `scripts/vendor.mjs`.

/** First character of an encoded subscript. Texts of scripts cannot contain NUL. */
const MARK = '\0'

/** Encodes an expanded key as a subscript without expansions, brackets and line breaks. */
export const subscriptOf = (key: string): string =>
  MARK + key.replace(/[^\w ]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Decodes a subscript that `subscriptOf` has encoded. Returns undefined for any other subscript. */
export function keyOf(subscript: string): string | undefined {
  if (!subscript.startsWith(MARK)) return undefined
  return subscript.slice(1).replace(/%([\da-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}
