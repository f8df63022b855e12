// The library puts the key of an associative array, expanded already, into a text like `name[key]`, and takes it out again. Built into just-bash by
// `scripts/vendor.mjs`.

/** No text that a script can write has a NUL in it. */
const MARK = '\0'

/** An expanded key as a subscript in which nothing is expanded any more, and that no bracket and no line break ends. */
export const subscriptOf = (key: string): string =>
  MARK + key.replace(/[^\w ]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The key of a subscript that `subscriptOf` has made; undefined for any other. */
export function keyOf(subscript: string): string | undefined {
  if (!subscript.startsWith(MARK)) return undefined
  return subscript.slice(1).replace(/%([\da-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}
