import { changedLine, type ExampleTable, type Known, longestText, repeatedText, smallFile, uniqueLine } from './known.js'

export function loomElixirExamples(known: Known): ExampleTable {
  const small = smallFile(known)
  const large = longestText(known)
  const found = uniqueLine(known)
  const twice = repeatedText(known)
  return {
    file_read: [
      small ? { label: 'Whole file', input: { file_path: small } } : undefined,
      large ? { label: 'Lines 10 to 29', input: { file_path: large, offset: 10, limit: 20 } } : undefined,
      { label: 'Missing file', input: { file_path: 'src/missing.ts' } },
    ],
    file_edit: [
      found
        ? {
            label: 'Change one line',
            input: { file_path: found.path, old_string: found.line, new_string: changedLine(found.line) },
          }
        : undefined,
      twice ? { label: 'Ambiguous text', input: { file_path: twice.path, old_string: twice.line, new_string: '->' } } : undefined,
      twice
        ? { label: 'Every occurrence', input: { file_path: twice.path, old_string: twice.line, new_string: '->', replace_all: true } }
        : undefined,
      found ? { label: 'The same text', input: { file_path: found.path, old_string: found.line, new_string: found.line } } : undefined,
    ],
    file_write: [
      { label: 'A new file', input: { file_path: 'notes/plan.md', content: '# Plan\n\n- read the sources\n- change one thing\n' } },
      { label: 'Outside the workspace', input: { file_path: '../secrets.txt', content: 'no' } },
    ],
  }
}
