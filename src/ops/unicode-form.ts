/** Maximum length of a text to search. The result is only a hint, so larger texts are not searched. */
const MAX_TEXT = 1024 * 1024

/**
 * Matches more consecutive marks than any writing system uses (Unicode Standard Annex 15, stream-safe text): normalisation takes time
 * quadratic in their number.
 */
const PILED = /\p{M}{31}/u

/** Like `String.normalize`, but leaves a text with more than 30 consecutive marks unchanged. */
export const normalized = (text: string, form: 'NFC' | 'NFD' = 'NFC'): string =>
  /[^\0-\x7f]/.test(text) && !PILED.test(text) ? text.normalize(form) : text

/**
 * Finds `sought` in another Unicode form (NFC, NFD). Returns a JSON string in ASCII, which survives a copy by a model. Undefined if `text`
 * does not contain it.
 */
function otherForm(text: string, sought: string): string | undefined {
  if (text.length > MAX_TEXT || !/[^\0-\x7f]/.test(sought)) return undefined
  const found = (['NFC', 'NFD'] as const).map((form) => normalized(sought, form)).find((each) => each !== sought && text.includes(each))
  return found === undefined ? undefined : inAscii(found)
}

/** Returns a sentence for a message if the file has the text in another Unicode form; otherwise an empty text. */
export function formHint(text: string, sought: string): string {
  const found = otherForm(text, sought)
  return found === undefined ? '' : `\nThe file has the text in another Unicode form (NFC, NFD): ${found}`
}

export const differInForm = (a: string, b: string): boolean => a !== b && normalized(a) === normalized(b)

/** Returns a text as a JSON string in ASCII, so that look-alike characters differ. */
export const inAscii = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
