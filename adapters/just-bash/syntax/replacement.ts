// The replacement in `${x/pattern/replacement}`, where `&` stands for the match (bash 5.2, patsub_replacement). Built into the library
// (patches/language.patch).

import type { LiteralPart, WordPart } from '../library-types.js'

/** Placeholder for the match. This character occurs in no value. */
const MATCH = '\0'

/** Builds the template for `withMatch`. Quoted `&` and `\` are literal. */
export async function replacementOf(parts: readonly WordPart[], value: (part: WordPart) => Promise<string>): Promise<string> {
  let template = ''
  for (const part of parts) {
    if (part.type === 'Literal') template += (part as LiteralPart).value.replaceAll('&', MATCH)
    else {
      const text = await value(part)
      const isQuoted = part.type === 'Escaped' || part.type === 'SingleQuoted' || part.type === 'DoubleQuoted'
      template += isQuoted ? text : text.replace(/\\([\\&])|&/g, (_, escaped?: string) => escaped ?? MATCH)
    }
  }
  return template
}

export const withMatch = (template: string, match: string): string =>
  template.includes(MATCH) ? template.replaceAll(MATCH, () => match) : template
