import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { decodeUtf8 } from '../../../ops/utf8.js'
import type { Workspace } from '../../../types/workspace.js'
import type { RecordedFile, RecordedFiles } from './format.js'

type Seen = ReadonlyMap<string, string>

const MODES = { file: 0o644, dir: 0o755 } as const

/** Finds the files that a shell or a program has changed. Changes by tools do not count. */
export class Effects {
  readonly #workspace: Workspace
  #seen: Seen = new Map()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Starts a new comparison: the next `changes` reports only changes after this call. */
  async mark(): Promise<void> {
    this.#seen = await this.#look()
  }

  /** The changes since the last `mark` or `changes`; undefined if there are none. */
  async changes(): Promise<RecordedFiles | undefined> {
    const before = this.#seen
    await this.mark()
    const changed: [string, RecordedFile][] = []
    for (const path of before.keys()) if (!this.#seen.has(path)) changed.push([path, null])
    for (const [path, version] of this.#seen) {
      if (before.get(path) === version) continue
      const file = await this.#file(path).catch(() => undefined)
      if (file !== undefined) changed.push([path, file])
    }
    return changed.length === 0 ? undefined : Object.fromEntries(changed)
  }

  async #look(): Promise<Seen> {
    const seen = new Map<string, string>()
    // Skip unreadable entries: tools cannot read them either.
    const options = { ignore: false, usable: true, onError: () => undefined }
    for await (const run of this.#workspace.walk(this.#workspace.root, options)) {
      for (const { path } of run) {
        const stat = await this.#workspace.lstat(path).catch(() => undefined)
        if (!stat) continue
        const { kind, size, mtimeMs, mode, version } = stat
        seen.set(this.#workspace.relative(path), JSON.stringify([kind, mode, kind === 'dir' ? '' : (version ?? [size, mtimeMs])]))
      }
    }
    return seen
  }

  async #file(path: string): Promise<RecordedFile> {
    const { kind, mode } = await this.#workspace.lstat(path)
    if (kind === 'symlink') return { link: await this.#workspace.readlink(path) }
    const own = mode === undefined || mode === MODES[kind] ? {} : { mode }
    if (kind === 'dir') return { dir: true, ...own }
    const { bytes } = await this.#workspace.readBytes(path)
    const text = decodeUtf8(bytes)
    if (text !== undefined) return mode === undefined || mode === MODES.file ? text : { text, ...own }
    return { base64: toBase64(bytes), ...own }
  }
}

export const recordedFiles = (files: Readonly<Record<string, string | Uint8Array>>): RecordedFiles =>
  Object.fromEntries(Object.entries(files).map(([path, file]) => [path, typeof file === 'string' ? file : { base64: toBase64(file) }]))

/** Applies recorded changes to the workspace. */
export async function applyFiles(workspace: Workspace, files: RecordedFiles = {}): Promise<void> {
  for (const [path, file] of Object.entries(files)) {
    const full = `${workspace.root}/${path}`
    const there = await workspace.lstat(full).catch(() => undefined)
    const isDir = typeof file === 'object' && file?.dir === true
    const isLink = typeof file === 'object' && file?.link !== undefined
    // Remove recursively: a removed directory is recorded without its contents.
    if (there && (file === null || isLink || (there.kind === 'dir') !== isDir || there.kind === 'symlink'))
      await workspace.remove(full, { recursive: true })
    if (file === null) continue
    const { text, base64, link, mode } = typeof file === 'string' ? { text: file } : file
    if (link !== undefined) await workspace.symlink(link, full)
    else if (!isDir) await workspace.writeBytes(full, contentOf(text, base64))
    else if (there?.kind !== 'dir') await workspace.mkdir(full)
    if (link !== undefined || !workspace.fs.can.mode) continue
    const wanted = mode ?? MODES[isDir ? 'dir' : 'file']
    if ((await workspace.lstat(full)).mode !== wanted) await workspace.setMeta(full, { mode: wanted })
  }
}

const contentOf = (text: string | undefined, base64: string | undefined): Uint8Array =>
  (base64 === undefined ? undefined : fromBase64(base64)) ?? new TextEncoder().encode(text ?? '')
