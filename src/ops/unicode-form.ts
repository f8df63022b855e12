/** Larger texts are not searched, because this is only a hint. */
const MAX_TEXT = 1024 * 1024

/**
 * More marks on one character than any writing system uses (Unicode Standard Annex 15, stream-safe text): normalisation takes time
 * quadratic in their number.
 */
const PILED = /\p{M}{31}/u

/** Like `String.normalize`, but leaves a text with more than 30 consecutive marks unchanged. */
export const normalized = (text: string, form: 'NFC' | 'NFD' = 'NFC'): string =>
  /[^\0-\x7f]/.test(text) && !PILED.test(text) ? text.normalize(form) : text

/**
 * Finds a text in another Unicode form (NFC, NFD) if its exact form does not occur. Returns a JSON string that survives a copy by a model.
 */
function otherForm(text: string, sought: string): string | undefined {
  if (text.length > MAX_TEXT || !/[^\0-\x7f]/.test(sought)) return undefined
  const found = (['NFC', 'NFD'] as const).map((form) => normalized(sought, form)).find((each) => each !== sought && text.includes(each))
  return found === undefined ? undefined : inAscii(found)
}

/** A sentence for a message; empty if there is nothing to say. */
export function formHint(text: string, sought: string): string {
  const found = otherForm(text, sought)
  return found === undefined ? '' : `\nThe file has the text in another Unicode form (NFC, NFD): ${found}`
}

export const differInForm = (a: string, b: string): boolean => a !== b && normalized(a) === normalized(b)

/** A JSON string in which look-alike characters differ. */
export const inAscii = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
