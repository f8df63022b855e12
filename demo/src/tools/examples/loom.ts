import {
  changedLine,
  type ExampleTable,
  firstFolder,
  type Known,
  likelyExtension,
  longestText,
  repeatedText,
  smallFile,
  uniqueLine,
} from './known.js'
import { searchExamples } from './web.js'

export function loomExamples(known: Known): ExampleTable {
  const small = smallFile(known)
  const large = longestText(known)
  const folder = firstFolder(known)
  const found = uniqueLine(known)
  const twice = repeatedText(known)
  return {
    read_file: [
      small ? { label: 'Whole file', input: { path: small } } : undefined,
      large ? { label: 'The first 400 bytes', input: { path: large, max_bytes: 400 } } : undefined,
      { label: 'Missing file', input: { path: 'src/missing.ts' } },
      { label: 'Outside the workspace', input: { path: '../secrets.txt' } },
    ],
    edit_file: [
      found
        ? {
            label: 'Change one line',
            input: { path: found.path, edits: [{ old_str: found.line, new_str: changedLine(found.line) }] },
          }
        : undefined,
      { label: 'A new file', input: { path: 'notes/loom.md', edits: [{ old_str: '', new_str: '# Made by an edit\n' }] } },
      twice
        ? { label: 'Every occurrence', input: { path: twice.path, edits: [{ old_str: twice.line, new_str: '->', replace_all: true }] } }
        : undefined,
      found ? { label: 'Missing text', input: { path: found.path, edits: [{ old_str: `${found.line} ???`, new_str: '' }] } } : undefined,
    ],
    web_search: searchExamples('max_results'),
    web_search_serper: searchExamples('max_results'),
    list_files: [
      { label: 'The root', input: {} },
      folder ? { label: `Everything in ${folder}`, input: { path: folder, recursive: true } } : undefined,
      { label: 'The first ten', input: { recursive: true, max_results: 10 } },
    ],
    bash: [
      { label: 'Longest files', input: { command: `find . -name '*.${likelyExtension(known)}' | xargs wc -l | sort -rn | head -n 5` } },
      folder ? { label: `In ${folder}`, input: { command: 'pwd; ls | wc -l', cwd: folder } } : undefined,
      { label: 'A failing command', input: { command: 'cat missing.txt; exit 3', timeout_secs: 10 } },
    ],
  }
}
