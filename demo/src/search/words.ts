import { formatCount, plural } from '../format.js'
import { patternOf, type Query } from './query.js'
import { MOST_LINES, type SearchRun } from './search-run.js'

/** The number of results; empty for none. */
export function countOf(lines: number, files: number): string {
  return lines === 0 ? '' : `${plural(lines, 'line')} in ${plural(files, 'file')}`
}

/** The status of a search. */
export function stateOf({ state, isSlow, searched }: SearchRun, count: string): string {
  if (state === 'running') return isSlow ? [`Searching, ${plural(searched, 'file')} done`, count].filter(Boolean).join(': ') : count
  if (state === 'stopped') return `Stopped after ${plural(searched, 'file')}${count && `: ${count}`}`
  return count || (state === 'done' ? 'Nothing found' : '')
}

/** Why nothing was found. */
export function emptyOf({ text, include, exclude, everything }: Query, { searched, skipped }: SearchRun): readonly [string, string] {
  const isLimited = include.trim() !== '' || exclude.trim() !== ''
  if (searched === 0 && Object.keys(skipped).length === 0) {
    if (isLimited) return ['No file fits', 'What is to be included and excluded leaves no file to search.']
    return ['Nothing to search', everything ? 'There are no files.' : 'All files are ignored ones.']
  }
  const which = isLimited ? ', those that are to be included' : ''
  const left = everything ? '' : ' Left out: what .gitignore files name, and node_modules.'
  return [`No line has “${shortened(text)}”`, `${plural(searched, 'file')} searched${which}.${left}`]
}

/** Advice of `grep` about options that the form does not have. */
const ASKED = /: (?:use RE2 syntax, or set literal|set multiline|match the text itself).*$/s

/** Why the tool rejected the query, in terms of the form. Problems that are not about the text keep the tool's words. */
export function refusalOf(query: Query, message: string): string {
  const { pattern } = patternOf(query)
  const beginning = `Cannot search for "${pattern.length > 200 ? `${pattern.slice(0, 200)}...` : pattern}": `
  if (!message.startsWith(beginning)) return message
  const reason = [`: \`(?i)${pattern}\``, `: \`${pattern}\``].reduce(
    (text, whole) => text.replace(whole, () => ''),
    message.slice(beginning.length).replace(ASKED, '').replace('error parsing regexp: ', ''),
  )
  const instead = query.isPattern ? '. Turn .* off to search for it as text.' : ''
  return `“${shortened(query.text)}” cannot be searched for: ${reason}${instead}`
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Notes below the results: what they do not include. */
export function footOf({ isMore, skipped }: SearchRun): readonly string[] {
  const parts = [
    skipped.binary && plural(skipped.binary, 'binary file'),
    skipped.too_large && `${plural(skipped.too_large, 'file')} too large`,
    skipped.unreadable && `${formatCount(skipped.unreadable)} unreadable`,
    skipped.long_lines && `${plural(skipped.long_lines, 'line')} too long for a pattern`,
  ].filter(Boolean)
  return [
    ...(isMore
      ? [`These are the first ${formatCount(MOST_LINES)} lines, there are more: search for a longer text, or in fewer files.`]
      : []),
    ...(parts.length > 0 ? [`Not searched: ${parts.join(', ')}.`] : []),
  ]
}
