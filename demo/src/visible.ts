import { h } from './dom.js'

/**
 * What does not show and is spared, because writing needs it: joiners in emoji and in scripts whose letters change by them, how an emoji or an
 * ideograph is to look. Between other letters these mean nothing.
 */
const WRITING =
  /(?<=(?!\p{ASCII}|\p{DI}|\p{sc=Latn}|\p{sc=Grek}|\p{sc=Cyrl})[\p{L}\p{M}\p{Emoji}]\ufe0f?)(?:\p{Join_C}|\ufe0e|\ufe0f)|(?<=[\d#*])\ufe0f\u20e3|(?<=\p{sc=Han})[\u{e0100}-\u{e01ef}]/u

/** Runs of characters that do not show, or that move others about. */
const hiddenBut = (...spared: readonly RegExp[]): RegExp =>
  new RegExp(`((?:(?!${spared.map(({ source }) => source).join('|')})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{DI}])+)`, 'u')

const IN_TEXT = hiddenBut(/[\t\n]|\r\n/u, WRITING)
/** A name is on one line: there a line break looks like a blank. */
const IN_NAME = hiddenBut(WRITING)

/** Of a run that names each of its characters. */
const NAMED = 4

/** What stands in the place of a run: `⟨U+202E⟩`. */
function nameOf(run: string): string {
  const all = [...run]
  const named = all.slice(0, NAMED).map((one) => `U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
  return `⟨${named.join(' ')}${all.length > NAMED ? ` … ${all.length}` : ''}⟩`
}

const parts = (text: string, hidden: RegExp, draw: (name: string, run: string) => Node | string): (Node | string)[] =>
  hidden.test(text) ? text.split(hidden).map((part, index) => (index % 2 ? draw(nameOf(part), part) : part)) : [text]

const markOf = (name: string, run: string): HTMLElement =>
  h('span', { class: 'hidden-character', role: 'img', title: 'A character that does not show', 'aria-label': name }, run)

/**
 * Each mark is an element, and of more than this many a page stops. Behind them the names are text, which is copied as such.
 */
const MOST_MARKS = 500

function marked(text: string, hidden: RegExp): (Node | string)[] {
  let marks = 0
  const all = parts(text, hidden, (name, run) => {
    marks += 1
    return marks > MOST_MARKS ? name : markOf(name, run)
  })
  if (marks <= MOST_MARKS) return all
  const rest = 2 * MOST_MARKS
  return [...all.slice(0, rest), all.slice(rest).join('')]
}

/** The text with a mark for what does not show, for attributes and for what cannot be chosen. */
export const visibleText = (text: string): string => parts(text, IN_TEXT, (name) => name).join('')

/** The same for an element. What is chosen in it and copied is the text as it was: a mark is drawn by its style, around what it is about. */
export const visible = (text: string): (Node | string)[] => marked(text, IN_TEXT)

/** The name of a file, or a path: tabs and line breaks are marked too. */
export const visibleNameText = (name: string): string => parts(name, IN_NAME, (mark) => mark).join('')

/** The same for an element. */
export const visibleName = (name: string): (Node | string)[] => marked(name, IN_NAME)
