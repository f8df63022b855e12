import { h } from './dom.js'

/**
 * Invisible characters that writing needs and that stay unmarked: joiners in emoji and in scripts that use them, and variation selectors of
 * emoji and ideographs. Next to other letters they have no meaning and are marked.
 */
const WRITING =
  /(?<=(?!\p{ASCII}|\p{DI}|\p{sc=Latn}|\p{sc=Grek}|\p{sc=Cyrl})[\p{L}\p{M}\p{Emoji}]\ufe0f?)(?:\p{Join_C}|\ufe0e|\ufe0f)|(?<=[\d#*])\ufe0f\u20e3|(?<=\p{sc=Han})[\u{e0100}-\u{e01ef}]/u

/** A regular expression that matches runs of characters that are invisible or change the text direction, except the spared ones. */
const hiddenBut = (...spared: readonly RegExp[]): RegExp =>
  new RegExp(`((?:(?!${spared.map(({ source }) => source).join('|')})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{DI}])+)`, 'u')

const IN_TEXT = hiddenBut(/[\t\n]|\r\n/u, WRITING)
/** A name is a single line, where a line break would look like a blank. */
const IN_NAME = hiddenBut(WRITING)

/** Maximum number of code points that the mark of one run of hidden characters lists. */
const NAMED = 4

/** The mark for a run: `⟨U+202E⟩`. */
function nameOf(run: string): string {
  const all = [...run]
  const named = all.slice(0, NAMED).map((one) => `U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
  return `⟨${named.join(' ')}${all.length > NAMED ? ` … ${all.length}` : ''}⟩`
}

const parts = (text: string, hidden: RegExp, draw: (name: string, run: string) => Node | string): (Node | string)[] =>
  hidden.test(text) ? text.split(hidden).map((part, index) => (index % 2 ? draw(nameOf(part), part) : part)) : [text]

const markOf = (name: string, run: string): HTMLElement =>
  h('span', { class: 'hidden-character', role: 'img', title: 'A character that does not show', 'aria-label': name }, run)

/** Maximum number of mark elements, because too many elements freeze the page. Further marks are plain text, which is copied as such. */
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

/** The text with a mark for each run of invisible characters. For attributes and for text that the user cannot select. */
export const visibleText = (text: string): string => parts(text, IN_TEXT, (name) => name).join('')

/** The text with marks, as content of an element. Copying it yields the original text, because CSS draws the marks. */
export const visible = (text: string): (Node | string)[] => marked(text, IN_TEXT)

/** A file name or path with marks, also for tabs and line breaks. For attributes. */
export const visibleNameText = (name: string): string => parts(name, IN_NAME, (mark) => mark).join('')

/** A file name or path with marks, as content of an element. */
export const visibleName = (name: string): (Node | string)[] => marked(name, IN_NAME)
