import { formatBytes, plural } from '../format.js'
import type { ChangedLines } from '../text/changed-lines.js'
import type { LoadedFile, LoadedText } from '../text/load-file.js'

/** Facts about a file for the status line. */
export function factsOf(file: LoadedFile, changes: ChangedLines): string[] {
  const facts = [formatBytes(file.size)]
  if (file.kind !== 'text') return [...facts, file.kind === 'image' ? file.mediaType : 'binary']
  facts.push(...aboutText(file))
  if (changes.changed.size) facts.push(`${plural(changes.changed.size, 'line')} changed`)
  return facts
}

function aboutText({ lines, eol, bom, finalNewline, cut }: LoadedText): string[] {
  const facts = [`${plural(lines.length, 'line')}${cut ? ' shown, the file goes on' : ''}`]
  if (eol !== 'none') facts.push(eol === 'mixed' ? 'mixed line endings' : eol)
  if (bom) facts.push('byte order mark')
  if (lines.length && !finalNewline && !cut) facts.push('no final newline')
  return facts
}
