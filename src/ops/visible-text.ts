import { mark } from '../errors/visible-name.js'

const IN_TEXT = /(?![\t\n])[\p{Cc}\p{Bidi_C}]/gu

/** Marks each character of a text that would control a terminal or reorder the text, and keeps tabs and line feeds. */
export const visibleText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(IN_TEXT, mark)
