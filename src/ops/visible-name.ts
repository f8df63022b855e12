import { visibleName } from '../errors/visible-name.js'

export { visibleName }

const IN_NAME = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/** Returns a text as a JSON string on one line, which can be copied into a call. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(IN_NAME, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
