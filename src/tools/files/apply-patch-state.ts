import { FsError, ignoreCodes } from '../../errors/index.js'
import type { LineTable } from '../../ops/patch/line-table.js'
import type { FsStat } from '../../types/fs.js'
import type { ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { decodeText } from '../../workspace/content.js'
import { versionOf } from '../../workspace/state.js'
import { refuseStale } from './versions.js'

/** Maximum size in bytes of a file, because its old content stays in memory until the patch is done. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** The content of a file. */
export interface Content {
  readonly bytes: Uint8Array
  /** Permission bits for a file that replaces another. */
  readonly mode?: number
  /** For content that hunks produced: the text, and the lines to which the hunks were applied. */
  readonly made?: PatchText & { readonly from: LineTable }
}

/** The stored entry at a path. */
export type Stored =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly version: string; readonly stat: FsStat }
  | { readonly kind: 'symlink'; readonly target: string; readonly version: string; readonly stat: FsStat }

/** One path: its stored and its wanted state. */
export interface PathState {
  readonly path: string
  /** Undefined if there is no entry. */
  stored: Stored | undefined
  /** Undefined if there should be no entry. Equal to `stored` (or `link` for a link) until the patch changes it. */
  wanted: Content | 'link' | undefined
  changed: boolean
  /** Line of the patch section that changed this path; undefined if no section did. */
  line?: number
  /** The entry to move to this path. A moved file keeps its hard links. A moved symlink is created anew. */
  from?: PathState | undefined
  /** The file that the patch deleted at this path. If the patch later adds a file here, it counts as the same file with new content. */
  deleted?: Content
  /** The wanted state when the current part of the patch began. */
  before: Content | 'link' | undefined
}

/** One path of a patch, and what the tool has written to this path so far. */
export interface Written {
  readonly state: PathState
  /** The version of the written file. Without `version`, the tool removed the entry. Undefined if nothing was written yet. */
  done?: { readonly version?: string }
}

export interface PatchText {
  readonly text: string
  readonly bom: boolean
}

/** The paths of one patch, read from the workspace on first use and then changed in memory only. */
export class PatchStates {
  readonly #workspace: Workspace
  readonly #versions: ToolContext['versions']
  readonly #states = new Map<string, PathState>()
  /** Old contents of files that one section replaces and a later section moves away. */
  readonly aside: Map<PathState, Content> = new Map()
  #part = 0

  constructor(workspace: Workspace, versions: ToolContext['versions']) {
    this.#workspace = workspace
    this.#versions = versions
  }

  /** The paths to write or remove. */
  changed(): PathState[] {
    return [...this.#states.values()].filter(({ changed }) => changed)
  }

  /** Starts the next part of the patch. */
  begin(part: number): void {
    if (part === this.#part) return
    this.#part = part
    for (const state of this.#states.values()) state.before = state.wanted
  }

  /** Rejects a patch that replaces a file and does not move it away later: its content would be lost. @throws {FsError} EEXIST */
  refuseAside(): void {
    const [left] = this.aside.keys()
    if (left)
      throw new FsError({
        code: 'EEXIST',
        op: 'move to',
        path: left.path,
        detail: 'the destination exists, and no later section moves or deletes it',
      })
  }

  /** Whether an entry with this name exists once the earlier sections are applied. */
  async exists(input: string): Promise<boolean> {
    try {
      const known = this.#states.get(this.#workspace.resolve(input))
      return known ? known.wanted !== undefined : await this.#workspace.exists(input)
    } catch {
      return false
    }
  }

  /** Returns the state of a path after following symlinks. @throws {FsError} EISDIR, ESTALE, EFBIG, ... */
  async file(input: string, op: string): Promise<PathState> {
    const itself = this.#workspace.resolve(input)
    // Do not follow a symlink that the patch has removed.
    const path = this.#states.has(itself) ? itself : await this.#workspace.realpath(input, op)
    if (/(?:^|\/)\.{0,2}$/.test(input)) throw new FsError({ code: 'EISDIR', op, path })
    return this.#at(path, op)
  }

  /**
   * Returns the state of the path for a new or moved entry. @throws {FsError} EEXIST if a symlink has this name; otherwise as `file`
   */
  async name(input: string, op: string): Promise<PathState> {
    const state = await this.file(input, op)
    const path = this.#workspace.resolve(input)
    if (!(await this.#isLink(path, op))) return state
    throw new FsError({ code: 'EEXIST', op, path, detail: 'a link already has this name' })
  }

  /** Returns the state of the entry itself, which may be a symlink. */
  async entry(input: string, op: string): Promise<PathState> {
    const path = this.#workspace.resolve(input)
    return (await this.#isLink(path, op)) ? this.#at(path, op) : this.file(input, op)
  }

  /** Whether the entry is a symlink that the patch has not changed. */
  async #isLink(path: string, op: string): Promise<boolean> {
    return !this.#states.has(path) && (await lstatOrNothing(this.#workspace, path, op))?.kind === 'symlink'
  }

  async #at(path: string, op: string): Promise<PathState> {
    const known = this.#states.get(path)
    if (known) return known
    const twin = this.#workspace.fs.can.caseSensitive ? undefined : this.#sameButCase(path)
    if (twin !== undefined) {
      throw new FsError({ code: 'EINVAL', op, path, detail: `it differs from "${twin}" only in case, and this storage ignores case` })
    }
    const stored = await this.#read(path, op)
    const wanted = stored?.kind === 'symlink' ? 'link' : stored && { bytes: stored.bytes }
    const state: PathState = { path, stored, wanted, changed: false, before: wanted }
    this.#states.set(path, state)
    return state
  }

  #sameButCase(path: string): string | undefined {
    const folded = path.toLowerCase()
    return [...this.#states.keys()].find((other) => other.toLowerCase() === folded)
  }

  async #read(path: string, op: string): Promise<Stored | undefined> {
    const stat = await lstatOrNothing(this.#workspace, path, op)
    if (!stat) return undefined
    if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path })
    const version = versionOf(stat)
    if (stat.kind === 'symlink') return { kind: 'symlink', target: await this.#workspace.readlink(path), version, stat }
    if (stat.size > MAX_FILE_BYTES) {
      throw new FsError({ code: 'EFBIG', op, path, detail: `${stat.size} bytes are more than ${MAX_FILE_BYTES}` })
    }
    const file = await this.#workspace.readBytes(path)
    await refuseStale(this.#workspace, this.#versions, file, op)
    return { kind: 'file', bytes: file.bytes, version: file.version, stat }
  }
}

/** Returns the wanted content of a path. @throws {FsError} ENOENT; ELOOP for a link */
export function contentOf({ path, wanted }: Pick<PathState, 'path' | 'wanted'>, op: string): Content {
  if (wanted === 'link') throw new FsError({ code: 'ELOOP', op, path, detail: 'it is a link' })
  if (!wanted) throw new FsError({ code: 'ENOENT', op, path })
  return wanted
}

/** @throws {WorkspaceError} `binary_file` */
export const textOf = (path: string, { bytes, made }: Content): PatchText => made ?? decodeText(path, bytes)

export function want(state: PathState, wanted: PathState['wanted'], line?: number): void {
  Object.assign(state, { wanted, line, changed: true })
}

export async function lstatOrNothing(workspace: Workspace, path: string, op?: string): Promise<FsStat | undefined> {
  return workspace.lstat(path, op).catch(ignoreCodes('ENOENT'))
}
