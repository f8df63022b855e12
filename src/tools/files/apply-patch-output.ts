import { unifiedDiff } from '../../ops/diff.js'
import { utf8Length } from '../../ops/utf8.js'
import { visibleName } from '../../ops/visible-name.js'
import type { Workspace } from '../../types/workspace.js'
import type { ChangeTexts, PlannedChange } from './apply-patch-plan.js'
import { MAX_DIFF_BYTES } from './change.js'

/** If fewer bytes than this are left, a diff is omitted. */
const MIN_DIFF_BYTES = 256
/** Maximum number of files in a line of the result. */
const MAX_NAMED = 20

export interface PatchChange {
  readonly kind: 'add' | 'update' | 'delete' | 'move'
  readonly path: string
  /** The source of a move, or for `add` the source of a copy. */
  readonly from?: string
  /** `add` and `move`: whether an existing file was replaced. */
  readonly replaced?: boolean
  /** The levels at which lines were found, if not all exactly as given. */
  readonly levels?: readonly string[]
}

const VERBS = { add: 'Added', update: 'Updated', delete: 'Deleted', move: 'Moved' } as const

/** Renders one line per file, then the diff. */
export function renderPatch(output: {
  readonly changes: readonly PatchChange[]
  readonly dry_run?: boolean
  readonly hint?: string
  readonly diff: string
  readonly modes: readonly string[]
}): string {
  const lines = output.changes.map((change) => {
    const replaced = change.replaced ? ' (overwrote the destination)' : ''
    const tolerant = change.levels ? ` (matched with tolerance: ${change.levels.join(', ')})` : ''
    return `${VERBS[change.kind]} ${changeName(change)}${replaced}${tolerant}`
  })
  const head = output.dry_run ? 'Dry run, nothing changed. The patch would make these changes:\n' : ''
  if (output.modes.length > 0) lines.push(`File modes were not changed: ${namesIn(output.modes)}`)
  if (output.hint) lines.push(output.hint)
  return `${head}${lines.join('\n')}${output.diff === '' ? '' : `\n${output.diff}`}`
}

/** Joins the first names of a list for a message. */
export const namesIn = (names: readonly string[]): string => names.slice(0, MAX_NAMED).map(visibleName).join(', ')

export function changeName({ path, from }: { readonly path: string; readonly from?: string }): string {
  return visibleName(from === undefined ? path : `${from} -> ${path}`)
}

/** Collects the diffs of changes, one after another, within the byte limit of a diff. Does not keep the texts of a change. */
export class PatchDiff {
  readonly #workspace: Workspace
  #text = ''
  #room = MAX_DIFF_BYTES
  #left = 0

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  add(change: PlannedChange, texts: ChangeTexts): void {
    if (this.#room < MIN_DIFF_BYTES) {
      this.#left++
      return
    }
    const next = changeDiff(this.#workspace, change, texts, this.#room)
    this.#room -= utf8Length(next)
    this.#text += next
  }

  toString(): string {
    return this.#left > 0 ? `${this.#text}[diff of ${this.#left} more files left out]\n` : this.#text
  }
}

function changeDiff(workspace: Workspace, { kind, path, from }: PlannedChange, { before, after }: ChangeTexts, maxBytes: number): string {
  const name = workspace.relative(path)
  if (from === undefined) return unifiedDiff({ path: name, before, after, maxBytes })
  const old = workspace.relative(from)
  const verb = kind === 'move' ? 'rename' : 'copy'
  const head = `diff --git ${quote(`a/${old}`)} ${quote(`b/${name}`)}\n${verb} from ${quote(old)}\n${verb} to ${quote(name)}\n`
  // The first line of a diff names the old file.
  const body = unifiedDiff({ path: name, before, after, maxBytes }).replace(/^--- .*/, () => `--- ${quote(`a/${old}`)}`)
  return head + body
}

/** Quotes as git does for characters that would break the line. */
function quote(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to quote
  return /[\x00-\x1f\x7f"\\]/.test(name) ? JSON.stringify(name) : name
}
