/** Accents and the like, of Latin, Greek and Cyrillic. Marks of other scripts are letters there and stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
/** More marks on one character than any writing has: normalising takes the square of them. */
const PILED = /(\p{M}{30})\p{M}+/gu
/** One term is a character of a script that puts no spaces between words, a pictogram, or a run of other letters and digits. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const TERM = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+|\p{Extended_Pictographic}`, 'gu')

/** The terms of a text, case and accents folded, in order. */
export function termsOf(text: string): string[] {
  return fold(text).match(TERM) ?? []
}

function fold(text: string): string {
  // Composed again: a Hangul syllable is one character, and so is a kana with its mark.
  return text.replace(PILED, '$1').normalize('NFKD').toLowerCase().replace(ACCENTS, '').replaceAll('ς', 'σ').normalize('NFC')
}
