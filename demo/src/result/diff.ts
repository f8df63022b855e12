import { h } from '../dom.js'

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/** Whether the text has a unified diff in it. */
export function hasDiff(text: string): boolean {
  return /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text)
}

/** The text line by line; the lines of unified diffs in it get their colours. Only counted hunk lines do, so other text is safe from them. */
export function renderDiff(text: string): HTMLElement {
  const element = h('div', { class: 'diff' })
  let before = 0
  let after = 0
  const lines = text.replace(/\n$/, '').split('\n')
  lines.forEach((line, index) => {
    const hunk = before + after > 0 ? null : HUNK.exec(line)
    let kind = ''
    if (hunk) {
      before = Number(hunk[1] ?? 1)
      after = Number(hunk[2] ?? 1)
      kind = 'hunk'
    } else if (before + after > 0) {
      if (line.startsWith('+')) kind = 'added'
      else if (line.startsWith('-')) kind = 'removed'
      if (kind !== 'added' && !line.startsWith('\\')) before -= 1
      if (kind !== 'removed' && !line.startsWith('\\')) after -= 1
    } else if (isFileLine(lines, index)) kind = 'file'
    element.append(h('div', { class: kind ? `diff-line diff-${kind}` : 'diff-line' }, line || '\u200b'))
  })
  return element
}

/** `--- a` or `+++ b` above a hunk. */
function isFileLine(lines: readonly string[], index: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(index, index + 3)
  return (line.startsWith('--- ') && next.startsWith('+++ ') && HUNK.test(third)) || (line.startsWith('+++ ') && HUNK.test(next))
}
