import { SAMPLE_PATH } from '../../sample-program.js'
import { backgroundProgram, installExamples, moduleExamples, programExamples } from './javascript.js'
import { BACKGROUND, jobExamples, jsJobExamples } from './jobs.js'
import {
  changedLine,
  type Example,
  type ExampleTable,
  firstFolder,
  type Known,
  likelyExtension,
  longestText,
  repeatedText,
  smallFile,
  uniqueLine,
} from './known.js'
import { madeExamples, makerExamples } from './own-tools.js'
import { patchExamples } from './patches.js'
import { webSearchExamples } from './web.js'

export function standardExamples(known: Known): ExampleTable {
  return {
    read_file: readExamples(known),
    write_file: writeExamples,
    edit_file: editExamples(known),
    apply_patch: patchExamples(known).map(({ label, patch }) => ({ label, input: { patch } })),
    list_files: listExamples(known),
    glob: globExamples(known),
    grep: grepExamples(known),
    move_file: moveExamples(known),
    delete_file: deleteExamples(known),
    bash: bashExamples(known),
    ...jobExamples(known),
    run_js: [
      ...programExamples({ timeout_ms: 1000 }),
      { label: 'A value', input: { code: 'export default [1, 2, 3].map((n) => n ** 2)' } },
      {
        label: 'Standard input',
        input: { code: 'for await (const text of process.stdin) console.log(String(text).toUpperCase())', stdin: 'hello\n' },
      },
    ],
    run_js_module: moduleExamples(known),
    install_js_packages: installExamples,
    start_background_js: [backgroundProgram],
    create_persistent_tool: makerExamples,
    ...madeExamples(known),
    ...jsJobExamples(known, true),
    web_search: webSearchExamples,
    open_preview: [
      { label: 'The app', input: {} },
      { label: 'A missing page', input: { path: '/missing' } },
    ],
    read_preview: [
      { label: 'What it shows now', input: {} },
      { label: 'All messages', input: { after: 0 } },
    ],
    bundle: known.paths.includes('index.html') ? [{ label: 'To the folder dist', input: {} }] : [],
    list_checkpoints: [{ label: 'All of them', input: {} }],
    diff_checkpoint: checkpointExamples({ label: 'Since the beginning', input: { checkpoint: BEGINNING } }),
    restore_checkpoint: checkpointExamples(
      { label: 'What would be restored', input: { checkpoint: BEGINNING, dry_run: true } },
      { label: 'Back to the beginning', input: { checkpoint: BEGINNING } },
    ),
  }
}

/** Id of the checkpoint that the page takes when it opens a workspace. */
const BEGINNING = 'c1'

const checkpointExamples = (...those: readonly Example[]): Example[] => [...those, { label: 'No such one', input: { checkpoint: 'c999' } }]

function readExamples(known: Known): (Example | undefined)[] {
  const path = longestText(known) ?? known.paths[0]
  const small = smallFile(known)
  return [
    small ? { label: 'Whole file', input: { path: small } } : undefined,
    path ? { label: 'Lines 10 to 29', input: { path, offset: 10, limit: 20 } } : undefined,
    path
      ? { label: 'Block around a line', input: { path, mode: 'indentation', indentation: { anchor_line: 20, max_levels: 1 } } }
      : undefined,
    { label: 'Missing file', input: { path: 'src/missing.ts' } },
  ]
}

const writeExamples: readonly Example[] = [
  {
    label: 'A new file',
    input: { path: 'notes/plan.md', content: '# Plan\n\n- read the sources\n- change one thing\n- look at the diff\n' },
  },
  { label: 'Append to it', input: { path: 'notes/plan.md', content: '- tell someone\n', mode: 'append' } },
  { label: 'Outside the workspace', input: { path: '../secrets.txt', content: 'no' } },
]

function editExamples(known: Known): (Example | undefined)[] {
  const found = uniqueLine(known)
  const word = repeatedText(known)
  return [
    found
      ? {
          label: 'Change one line',
          input: { path: found.path, edits: [{ old_string: found.line, new_string: changedLine(found.line) }] },
        }
      : undefined,
    word ? { label: 'Ambiguous text', input: { path: word.path, edits: [{ old_string: word.line, new_string: '->' }] } } : undefined,
    found
      ? {
          label: 'Missing text',
          input: { path: found.path, edits: [{ old_string: `${found.line.slice(0, -4)} ???`, new_string: '' }] },
        }
      : undefined,
    found
      ? { label: 'Dry run', input: { path: found.path, edits: [{ old_string: found.line, new_string: `${found.line}!` }], dry_run: true } }
      : undefined,
  ]
}

function listExamples(known: Known): (Example | undefined)[] {
  const folder = firstFolder(known)
  return [
    { label: 'The root', input: {} },
    folder ? { label: `Everything in ${folder}`, input: { path: folder, recursive: true } } : undefined,
    { label: 'The first ten', input: { recursive: true, limit: 10 } },
  ]
}

function globExamples(known: Known): Example[] {
  const extension = likelyExtension(known)
  return [
    { label: `Every .${extension} file`, input: { pattern: `**/*.${extension}` } },
    { label: 'Two patterns', input: { pattern: [`**/*error*.${extension}`, `**/*path*.${extension}`] } },
    { label: 'Newest first', input: { pattern: '**/*', sort: 'newest', limit: 10 } },
  ]
}

function grepExamples({ paths }: Known): Example[] {
  const script = paths.some((path) => path.endsWith('.ts'))
  return [
    script
      ? { label: 'Exported functions', input: { pattern: '^export (async )?function \\w+', glob: '**/*.ts' } }
      : { label: 'Lines with TODO', input: { pattern: 'TODO' } },
    { label: 'Files only', input: { pattern: 'symlink', literal: true, ignore_case: true, output: 'files' } },
    { label: 'Lines around', input: { pattern: 'throw new', before: 1, after: 2, limit: 5 } },
    { label: 'Refused pattern', input: { pattern: '(?<=a)b' } },
  ]
}

function moveExamples({ paths }: Known): (Example | undefined)[] {
  const from = paths.includes(SAMPLE_PATH) ? SAMPLE_PATH : paths[0]
  if (!from) return []
  const slash = from.lastIndexOf('/') + 1
  return [{ label: 'Rename a file', input: { from, to: `${from.slice(0, slash)}renamed-${from.slice(slash)}` } }]
}

function deleteExamples(known: Known): (Example | undefined)[] {
  const { paths } = known
  const path = paths.includes('README.md') ? 'README.md' : paths.at(-1)
  const folder = firstFolder(known)
  return [
    path ? { label: 'One file', input: { path } } : undefined,
    folder ? { label: 'A folder that is not empty', input: { path: folder } } : undefined,
  ]
}

function bashExamples(known: Known): Example[] {
  const extension = likelyExtension(known)
  return [
    { label: 'Longest files', input: { command: `find . -name '*.${extension}' | xargs wc -l | sort -rn | head -n 5` } },
    {
      label: 'A script',
      input: { command: 'mkdir -p notes\nfor day in mon tue wed; do\n  echo "# $day" > notes/$day.md\ndone\nls -l notes' },
    },
    {
      label: 'Variables and input',
      input: { command: 'echo "Dear $NAME,"; cat', env: { NAME: 'Ada' }, stdin: 'thank you for your letter.\n' },
    },
    { label: 'In the background', input: BACKGROUND },
    { label: 'A failing command', input: { command: 'cat missing.txt; exit 3' } },
  ]
}
