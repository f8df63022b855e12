/** Longer texts are not searched: the answer is a courtesy. */
const MAX_TEXT = 1024 * 1024

/** More marks on one character than any writing has (Unicode Standard Annex 15, stream-safe text): normalising takes the square of them. */
const PILED = /\p{M}{31}/u

/** `String.normalize`; a text with more than 30 marks in a row stays as it is. */
export const normalized = (text: string, form: 'NFC' | 'NFD' = 'NFC'): string =>
  /[^\0-\x7f]/.test(text) && !PILED.test(text) ? text.normalize(form) : text

/** A text that is not there as it is written, as it is there in another Unicode form (NFC, NFD); a JSON string that survives a model. */
function otherForm(text: string, sought: string): string | undefined {
  if (text.length > MAX_TEXT || !/[^\0-\x7f]/.test(sought)) return undefined
  const found = (['NFC', 'NFD'] as const).map((form) => normalized(sought, form)).find((each) => each !== sought && text.includes(each))
  return found === undefined ? undefined : inAscii(found)
}

/** A sentence for a message; empty where there is nothing to say. */
export function formHint(text: string, sought: string): string {
  const found = otherForm(text, sought)
  return found === undefined ? '' : `\nThe file has it in another Unicode form (NFC, NFD): ${found}`
}

export const differInForm = (a: string, b: string): boolean => a !== b && normalized(a) === normalized(b)

/** A JSON string in which every character can be told from its twins. */
export const inAscii = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
