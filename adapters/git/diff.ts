import { detectBinary } from '../../src/ops/detect.js'
import { quotedName, unifiedDiff } from '../../src/ops/diff.js'
import { decodeUtf8, utf8Length } from '../../src/ops/utf8.js'
import { joinPath } from '../../src/workspace/paths.js'
import { LINK } from './git-fs.js'
import { repoPaths } from './repo-path.js'
import { commitOid, type Repository } from './repository.js'
import { changeOf, type Row, type Side, SUBMODULE, same, survey } from './survey.js'
import type { GitDiff, GitDiffEntry, GitDiffOptions } from './types.js'

const MIB = 1024 * 1024
/** The id of the empty tree, which represents a commit without files. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Output options of the `git` command. */
interface Looks {
  /** Whether to add `index` lines and, after `@@`, the enclosing function. Default: false, because applying a patch needs neither. */
  readonly full?: boolean
}

/** `sizes`: only with `full`, the sizes in bytes before and after. */
export interface SizedEntry extends GitDiffEntry {
  readonly sizes?: readonly [number, number]
}

export interface SizedDiff extends GitDiff {
  readonly files: readonly SizedEntry[]
}

export async function diff(repository: Repository, options: GitDiffOptions & Looks): Promise<SizedDiff> {
  const { from = 'index', to = 'worktree', paths, context = 3, maxBytes = MIB } = options
  const wanted = repoPaths(repository.workspace, repository.dir, 'compare', paths)
  const named = [from, to].filter((side) => side !== 'index' && side !== 'worktree')
  const commits = await Promise.all(named.map(async (ref) => (ref === EMPTY_TREE ? undefined : commitOid(repository, ref))))
  const rows = await survey(repository, { commits, paths: wanted })
  const sideOf = (row: Row, name: string): Side | undefined => {
    if (name === 'index') return row.index
    // Leave out untracked files, as git does.
    if (name === 'worktree') return row.index?.mode === SUBMODULE ? row.index : row.index && row.work
    return row.commits[named.indexOf(name)]
  }
  const files: SizedEntry[] = []
  const out = new DiffText(maxBytes, options.full ?? false)
  for (const row of rows) {
    const sides = { before: sideOf(row, from), after: sideOf(row, to) }
    const change = changeOf(sides.before, sides.after)
    if (change === 'unchanged') continue
    const before = await contentOf(repository, row.path, sides.before, from === 'worktree')
    const after = await contentOf(repository, row.path, sides.after, to === 'worktree')
    const binary = before?.text === undefined || after?.text === undefined
    files.push({ path: row.path, change, binary, ...(options.full && { sizes: [before.size, after.size] }) })
    if (change === 'type_changed') {
      out.add(row.path, sides.before, undefined, before, ABSENT, context)
      out.add(row.path, undefined, sides.after, ABSENT, after, context)
    } else out.add(row.path, sides.before, sides.after, before, after, context)
  }
  return { files, text: out.text, truncated: out.truncated }
}

/** Content to compare. `text`: undefined for binary content. `there`: whether the path exists. */
interface Content {
  readonly text: string | undefined
  readonly there: boolean
  readonly size: number
}

const ABSENT: Content = { text: '', there: false, size: 0 }

async function contentOf(repository: Repository, path: string, side: Side | undefined, inWorktree: boolean): Promise<Content> {
  if (!side) return ABSENT
  if (side.mode === SUBMODULE) return { text: `Subproject commit ${side.oid}\n`, there: true, size: 0 }
  const bytes = inWorktree ? await worktreeBytes(repository, path, side) : await blobBytes(repository, side)
  const text = decodeUtf8(bytes)
  return { text: text === undefined || detectBinary(bytes, text) ? undefined : text, there: true, size: bytes.length }
}

async function worktreeBytes({ repo, dir }: Repository, path: string, { mode }: Side): Promise<Uint8Array> {
  const at = joinPath(dir, path)
  if (mode === LINK) return repo.fs.promises.readlink(at)
  return (await repo.fs.promises.readFile(at, { autocrlf: undefined })) as Uint8Array
}

const blobBytes = async ({ git, repo }: Repository, { oid }: Side): Promise<Uint8Array> => (await git.readBlob({ ...repo, oid })).blob

/** Collects the patches of all files up to a size limit. */
class DiffText {
  text = ''
  truncated = false
  #room: number
  readonly #full: boolean

  constructor(maxBytes: number, full: boolean) {
    this.#room = maxBytes
    this.#full = full
  }

  add(path: string, from: Side | undefined, to: Side | undefined, before: Content, after: Content, context: number): void {
    if (this.truncated) return
    const patch = this.#full
      ? `${header(path, from, to)}${indexLine(from, to)}${withFunctions(body(path, from, to, before, after, context), before.text)}`
      : `${header(path, from, to)}${body(path, from, to, before, after, context)}`
    const size = utf8Length(patch)
    if (size > this.#room) {
      this.truncated = true
      return
    }
    this.#room -= size
    this.text += patch
  }
}

function header(path: string, from: Side | undefined, to: Side | undefined): string {
  const lines = [`diff --git ${quotedName(`a/${path}`)} ${quotedName(`b/${path}`)}`]
  if (!from && to) lines.push(`new file mode ${to.mode.toString(8)}`)
  else if (from && !to) lines.push(`deleted file mode ${from.mode.toString(8)}`)
  else if (from && to && from.mode !== to.mode) lines.push(`old mode ${from.mode.toString(8)}`, `new mode ${to.mode.toString(8)}`)
  return `${lines.join('\n')}\n`
}

function body(path: string, from: Side | undefined, to: Side | undefined, before: Content, after: Content, context: number): string {
  if (from?.oid === to?.oid && same(from && { ...from, mode: 0 }, to && { ...to, mode: 0 })) return ''
  if (before.text === undefined || after.text === undefined) {
    const names = [from ? quotedName(`a/${path}`) : '/dev/null', to ? quotedName(`b/${path}`) : '/dev/null']
    return `Binary files ${names.join(' and ')} differ\n`
  }
  // Equal texts, for example two empty ones, have no lines to show.
  if (before.text === after.text) return ''
  const text = (content: Content): string | undefined => (content.there ? content.text : undefined)
  return unifiedDiff({ path, before: text(before), after: text(after), context })
}

const SHORT = 7

/** Returns the `index` line, or an empty text if only the mode differs. */
function indexLine(from: Side | undefined, to: Side | undefined): string {
  if (from?.oid === to?.oid) return ''
  const short = (side: Side | undefined): string => side?.oid.slice(0, SHORT) ?? '0'.repeat(SHORT)
  const mode = from && to && from.mode === to.mode ? ` ${to.mode.toString(8)}` : ''
  return `index ${short(from)}..${short(to)}${mode}\n`
}

const HUNK = /^@@ -(\d+)(,0|,\d+)? \+\d+(?:,\d+)? @@$/gm
const FUNCTION_BYTES = 80

/** Adds to each hunk header the last line before the hunk that begins with a letter. This line usually names the enclosing function. */
function withFunctions(patch: string, before: string | undefined): string {
  if (!before || patch === '') return patch
  const lines = before.split('\n')
  return patch.replace(HUNK, (range, start: string, count?: string) => {
    // If a hunk has no old lines, its header names the line before the hunk.
    let at = Number(start) - (count === ',0' ? 1 : 2)
    while (at >= 0 && !/^[A-Za-z_$]/.test(lines[at] ?? '')) at--
    return at < 0 ? range : `${range} ${(lines[at] as string).slice(0, FUNCTION_BYTES).trimEnd()}`
  })
}
