/** The change of a patch to one file, with its part of the tool's diff. */
export interface FileDiff {
  readonly kind: 'add' | 'update' | 'delete' | 'move' | 'copy'
  /** Virtual path. */
  readonly path: string
  readonly from?: string
  /** Whether an existing file was replaced. */
  readonly replaced: boolean
  /** How lines were matched, if not exactly. */
  readonly levels: readonly string[]
  /** Hunks without the file header. Empty if no line changes, and for binary files. */
  readonly diff: string
  readonly added: number
  readonly removed: number
  /** Whether the tool cut the diff. */
  readonly cut: boolean
}

interface Section {
  name: string
  readonly lines: string[]
  added: number
  removed: number
  cut: boolean
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/** Splits the output of an `apply_patch` dry run by file. `relative` converts a path to the form used in the diff. */
export function fileDiffs(output: unknown, relative: (path: string) => string): FileDiff[] {
  if (typeof output !== 'object' || output === null || !('changes' in output) || !Array.isArray(output.changes)) return []
  const text = 'diff' in output && typeof output.diff === 'string' ? output.diff : ''
  const { sections, more } = sectionsOf(text)
  let next = 0
  return output.changes.map((change: Readonly<Record<string, unknown>>) => {
    const path = String(change.path)
    const section = sections[next]?.name === relative(path).replace(/^\/+/, '') ? sections[next] : undefined
    if (section) next += 1
    const kind = change.kind === 'add' && change.from !== undefined ? 'copy' : (change.kind as FileDiff['kind'])
    return {
      kind,
      path,
      ...(typeof change.from === 'string' && { from: change.from }),
      replaced: change.replaced === true,
      levels: Array.isArray(change.levels) ? change.levels.map(String) : [],
      diff: section?.lines.join('\n') ?? '',
      added: section?.added ?? 0,
      removed: section?.removed ?? 0,
      cut: section ? section.cut : more && next >= sections.length,
    }
  })
}

/** Counts the lines of each hunk, so that a line of a file is never mistaken for a header. */
function sectionsOf(diff: string): { sections: readonly Section[]; more: boolean } {
  const sections: Section[] = []
  let section: Section | undefined
  let more = false
  let before = 0
  let after = 0
  let inGit = false
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = before + after > 0 ? null : HUNK.exec(line)
    if (section && hunk) {
      before = Number(hunk[1] ?? 1)
      after = Number(hunk[2] ?? 1)
      section.lines.push(line)
    } else if (section && (before + after > 0 || line.startsWith('\\')) && /^[ +\-\\]/.test(line)) {
      section.lines.push(line)
      if (line.startsWith('+')) section.added += 1
      if (line.startsWith('-')) section.removed += 1
      if (/^[ -]/.test(line)) before -= 1
      if (/^[ +]/.test(line)) after -= 1
    } else if (line.startsWith('[diff of ')) more = true
    else if (section && line.startsWith('[')) {
      section.cut = true
      section.lines.push(line)
      before = 0
      after = 0
    } else if (line.startsWith('diff --git ') || (line.startsWith('--- ') && !inGit)) {
      inGit = line.startsWith('diff --git ')
      section = { name: nameIn(line.slice(4)), lines: [], added: 0, removed: 0, cut: false }
      sections.push(section)
    } else if (section && /^(?:rename|copy) to /.test(line)) section.name = nameIn(line.replace(/^\w+ to /, ''), '')
    else if (section && line.startsWith('+++ ')) {
      inGit = false
      const name = nameIn(line.slice(4))
      if (name !== '/dev/null') section.name = name
    } else if (line.startsWith('--- ')) inGit = false
  }
  return { sections, more }
}

/** Decodes a file name in git's format: quoted if it contains special characters, followed by a tab if it contains a space. */
function nameIn(written: string, prefix = '(?:[ab]/)?'): string {
  const plain = written.replace(/\t$/, '')
  return unquoted(plain).replace(new RegExp(`^${prefix}`), '')
}

function unquoted(name: string): string {
  if (!name.startsWith('"')) return name
  try {
    return String(JSON.parse(name))
  } catch {
    return name
  }
}
