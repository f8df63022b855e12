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

export async function diff(repository: Repository, options: GitDiffOptions): Promise<GitDiff> {
  const { from = 'index', to = 'worktree', paths, context = 3, maxBytes = MIB } = options
  const wanted = repoPaths(repository.workspace, repository.dir, 'compare', paths)
  const named = [from, to].filter((side) => side !== 'index' && side !== 'worktree')
  const commits = await Promise.all(named.map((ref) => commitOid(repository, ref)))
  const rows = await survey(repository, { commits, paths: wanted })
  const sideOf = (row: Row, name: string): Side | undefined => {
    if (name === 'index') return row.index
    // Untracked files are in no diff, as in git's.
    if (name === 'worktree') return row.index?.mode === SUBMODULE ? row.index : row.index && row.work
    return row.commits[named.indexOf(name)]
  }
  const files: GitDiffEntry[] = []
  const out = new DiffText(maxBytes)
  for (const row of rows) {
    const sides = { before: sideOf(row, from), after: sideOf(row, to) }
    const change = changeOf(sides.before, sides.after)
    if (change === 'unchanged') continue
    const before = await contentOf(repository, row.path, sides.before, from === 'worktree')
    const after = await contentOf(repository, row.path, sides.after, to === 'worktree')
    files.push({ path: row.path, change, binary: before?.text === undefined || after?.text === undefined })
    if (change === 'type_changed') {
      out.add(row.path, sides.before, undefined, before, ABSENT, context)
      out.add(row.path, undefined, sides.after, ABSENT, after, context)
    } else out.add(row.path, sides.before, sides.after, before, after, context)
  }
  return { files, text: out.text, truncated: out.truncated }
}

/** `text` is undefined for what is no text; `there` says whether the path is there at all. */
interface Content {
  readonly text: string | undefined
  readonly there: boolean
}

const ABSENT: Content = { text: '', there: false }

async function contentOf(repository: Repository, path: string, side: Side | undefined, inWorktree: boolean): Promise<Content> {
  if (!side) return ABSENT
  if (side.mode === SUBMODULE) return { text: `Subproject commit ${side.oid}\n`, there: true }
  const bytes = inWorktree ? await worktreeBytes(repository, path, side) : await blobBytes(repository, side)
  const text = decodeUtf8(bytes)
  return { text: text === undefined || detectBinary(bytes, text) ? undefined : text, there: true }
}

async function worktreeBytes({ repo, dir }: Repository, path: string, { mode }: Side): Promise<Uint8Array> {
  const { readFile, readlink } = repo.fs.promises as unknown as Record<string, (path: string) => Promise<Uint8Array>>
  const read = mode === LINK ? readlink : readFile
  return (await read?.(joinPath(dir, path))) ?? new Uint8Array()
}

const blobBytes = async ({ git, repo }: Repository, { oid }: Side): Promise<Uint8Array> => (await git.readBlob({ ...repo, oid })).blob

/** The patches of all files, as git writes them, to a limit. */
class DiffText {
  text = ''
  truncated = false
  #room: number

  constructor(maxBytes: number) {
    this.#room = maxBytes
  }

  add(path: string, from: Side | undefined, to: Side | undefined, before: Content, after: Content, context: number): void {
    if (this.truncated) return
    const patch = `${header(path, from, to)}${body(path, from, to, before, after, context)}`
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
  // An empty file has no lines to show.
  if (before.text === after.text) return ''
  const text = (content: Content): string | undefined => (content.there ? content.text : undefined)
  return unifiedDiff({ path, before: text(before), after: text(after), context })
}
