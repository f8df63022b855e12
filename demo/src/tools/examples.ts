import type { Files } from '../session.js'

export interface Example {
  readonly label: string
  readonly input: Readonly<Record<string, unknown>>
}

type Texts = ReadonlyMap<string, string>

/** Examples for each tool that work on the files the workspace was loaded with: what they name is looked up there. */
export function examplesFor(files: Files): (tool: string) => readonly Example[] {
  const texts: Texts = new Map(
    Object.entries(files).flatMap(([path, content]) => (typeof content === 'string' ? [[path, content] as const] : [])),
  )
  const paths = Object.keys(files)
  const table: Readonly<Record<string, () => readonly (Example | undefined)[]>> = {
    read_file: () => readExamples(texts, paths),
    write_file: () => writeExamples(),
    edit_file: () => editExamples(texts),
    list_files: () => listExamples(paths),
    glob: () => globExamples(paths),
    grep: () => grepExamples(paths),
    move_file: () => moveExamples(paths),
    delete_file: () => deleteExamples(paths),
    bash: () => bashExamples(paths),
  }
  return (tool) => (table[tool]?.() ?? []).filter((example) => example !== undefined)
}

const longest = (texts: Texts): string | undefined => [...texts].sort((a, b) => b[1].length - a[1].length)[0]?.[0]
const folderOf = (paths: readonly string[]): string | undefined => paths.find((path) => path.includes('/'))?.split('/')[0]

function readExamples(texts: Texts, paths: readonly string[]): (Example | undefined)[] {
  const path = longest(texts) ?? paths[0]
  const small = paths.includes('src/host.ts') ? 'src/host.ts' : path
  return [
    small ? { label: 'Whole file', input: { path: small } } : undefined,
    path ? { label: 'Lines 10 to 29', input: { path, offset: 10, limit: 20 } } : undefined,
    path
      ? { label: 'Block around a line', input: { path, mode: 'indentation', indentation: { anchor_line: 20, max_levels: 1 } } }
      : undefined,
    { label: 'Missing file', input: { path: 'src/missing.ts' } },
  ]
}

function writeExamples(): Example[] {
  return [
    {
      label: 'A new file',
      input: { path: 'notes/plan.md', content: '# Plan\n\n- read the sources\n- change one thing\n- look at the diff\n' },
    },
    { label: 'Append to it', input: { path: 'notes/plan.md', content: '- tell someone\n', mode: 'append' } },
    { label: 'Outside the workspace', input: { path: '../secrets.txt', content: 'no' } },
  ]
}

/** A line that stands once in its file, so that replacing it is not ambiguous. */
function uniqueLine(texts: Texts): { path: string; line: string } | undefined {
  for (const [path, text] of texts) {
    const line = text.split(/\r?\n/).find((one) => one.trim().length > 12 && one.length < 100 && text.split(one).length === 2)
    if (line) return { path, line }
  }
  return undefined
}

function editExamples(texts: Texts): (Example | undefined)[] {
  const path = 'src/host.ts'
  const host = texts.get(path) ?? ''
  const wanted = "/** The runtime's own clock, randomness and timers. */"
  const found = host.split(wanted).length === 2 ? { path, line: wanted } : uniqueLine(texts)
  const word = host.split('=>').length > 2 ? { path, old: '=>' } : undefined
  return [
    found
      ? {
          label: 'Change one line',
          input: { path: found.path, edits: [{ old_string: found.line, new_string: `${found.line}\n// Changed from the playground.` }] },
        }
      : undefined,
    word ? { label: 'Ambiguous text', input: { path, edits: [{ old_string: word.old, new_string: '->' }] } } : undefined,
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

function listExamples(paths: readonly string[]): (Example | undefined)[] {
  const folder = folderOf(paths)
  return [
    { label: 'The root', input: {} },
    folder ? { label: `Everything in ${folder}`, input: { path: folder, recursive: true } } : undefined,
    { label: 'The first ten', input: { recursive: true, limit: 10 } },
  ]
}

function globExamples(paths: readonly string[]): Example[] {
  const extension = paths.some((path) => path.endsWith('.ts')) ? 'ts' : (paths[0]?.split('.').at(-1) ?? 'txt')
  return [
    { label: `Every .${extension} file`, input: { pattern: `**/*.${extension}` } },
    { label: 'Two patterns', input: { pattern: [`**/*error*.${extension}`, `**/*path*.${extension}`] } },
    { label: 'Newest first', input: { pattern: '**/*', sort: 'newest', limit: 10 } },
  ]
}

function grepExamples(paths: readonly string[]): Example[] {
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

function moveExamples(paths: readonly string[]): (Example | undefined)[] {
  const from = paths.includes('src/host.ts') ? 'src/host.ts' : paths[0]
  if (!from) return []
  const slash = from.lastIndexOf('/') + 1
  return [{ label: 'Rename a file', input: { from, to: `${from.slice(0, slash)}renamed-${from.slice(slash)}` } }]
}

function deleteExamples(paths: readonly string[]): (Example | undefined)[] {
  const path = paths.includes('README.md') ? 'README.md' : paths.at(-1)
  const folder = folderOf(paths)
  return [
    path ? { label: 'One file', input: { path } } : undefined,
    folder ? { label: 'A folder that is not empty', input: { path: folder } } : undefined,
  ]
}

function bashExamples(paths: readonly string[]): Example[] {
  const extension = paths.some((path) => path.endsWith('.ts')) ? 'ts' : (paths[0]?.split('.').at(-1) ?? 'txt')
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
    { label: 'A failing command', input: { command: 'cat missing.txt; exit 3' } },
  ]
}
