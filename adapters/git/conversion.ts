import { FsError, ignoreCodes } from '../../src/errors/index.js'
import { sameBytes } from '../../src/ops/bytes.js'
import type { Workspace } from '../../src/types/workspace.js'
import { joinPath } from '../../src/workspace/paths.js'
import { Slicer } from '../../src/workspace/slicer.js'
import { ATTRIBUTES, type Attribute, Attributes, OWN_ATTRIBUTES, type ReadFile } from './attributes.js'
import { isTrue } from './config-file.js'
import { hasCrlfText, lineEndingsOf, toFile, toStored } from './line-endings.js'
import type { Supported } from './supported.js'
import type { GitOptions } from './types.js'

export interface ConversionOptions extends Pick<GitOptions, 'filters'> {
  readonly workspace: Workspace
  readonly dir: string
  readonly supported: Supported
  readonly readBlob: (oid: string) => Promise<Uint8Array>
  readonly signal?: AbortSignal | undefined
}

/** A path and the object id of its content. */
interface Stored {
  readonly path: string
  readonly oid: string
}

/**
 * Converts between worktree files and stored content, by `.gitattributes` (`text`, `eol`, `ident`) and `core.autocrlf`. Rejects other
 * encodings and, unless the option `filters` is `ignore`, filter programs (`filter`).
 */
export class Conversion {
  readonly #options: ConversionOptions
  readonly #slicer: Slicer
  #attributes: Attributes
  /** Maps a path to the object from which this call wrote the file, because converting a file back does not always give the same object. */
  readonly #written = new Map<string, string>()

  constructor(options: ConversionOptions) {
    this.#options = options
    this.#slicer = new Slicer(options.workspace.host, options)
    this.#attributes = this.#reading(this.#fileOf)
  }

  /**
   * Call before writing and removing files. From then on, the attributes files of the coming state apply.
   *
   * @param coming all files of the coming state
   * @param going paths that the coming state does not have
   */
  expect(coming: Iterable<Stored>, going: Iterable<string>): void {
    const then = new Map<string, string | undefined>([...going].map((path) => [path, undefined]))
    for (const { path, oid } of coming) if (path.split('/').at(-1) === ATTRIBUTES) then.set(path, oid)
    this.#attributes = this.#reading(async (path) => {
      if (!then.has(path)) return this.#fileOf(path)
      const oid = then.get(path)
      return oid === undefined ? undefined : this.#options.readBlob(oid)
    })
  }

  /** @throws {FsError} ENOTSUP for the first file that cannot be converted */
  async check(paths: Iterable<string>): Promise<void> {
    for (const path of paths) this.#refuse(path, await this.#attributesOf(path))
  }

  /** Converts the content of a worktree file to stored content. @throws {FsError} ENOTSUP */
  async stored(path: string, bytes: Uint8Array): Promise<Uint8Array> {
    const { supported, readBlob } = this.#options
    const written = this.#written.get(path)
    if (written !== undefined) return readBlob(written)
    const attributes = await this.#attributesOf(path)
    this.#refuse(path, attributes)
    const text = await toStored(bytes, lineEndingsOf(attributes, supported.config), async () => {
      const oid = supported.staged().get(path)
      return oid !== undefined && hasCrlfText(await readBlob(oid))
    })
    return attributes.get('ident') === true ? withoutId(text) : text
  }

  /** Converts an object to the content of a worktree file. @throws {FsError} ENOTSUP */
  async file({ path, oid }: Stored): Promise<Uint8Array> {
    const blob = await this.#options.readBlob(oid)
    const attributes = await this.#attributesOf(path)
    this.#refuse(path, attributes)
    this.#written.set(path, oid)
    return this.#made(attributes, blob, oid)
  }

  /** Whether a file has exactly the content that `file` would write for the object, even if converting it back gives another object. */
  async isWritten({ path, oid }: Stored): Promise<boolean> {
    const { workspace, dir, readBlob } = this.#options
    const made = this.#made(await this.#attributesOf(path), await readBlob(oid), oid)
    const { bytes } = await workspace.readBytes(joinPath(dir, path))
    return sameBytes(bytes, made)
  }

  #made(attributes: ReadonlyMap<string, Attribute>, blob: Uint8Array, oid: string): Uint8Array {
    return toFile(attributes.get('ident') === true ? withId(blob, oid) : blob, lineEndingsOf(attributes, this.#options.supported.config))
  }

  readonly #fileOf: ReadFile = async (path) => {
    const { workspace, dir } = this.#options
    const at = joinPath(dir, path)
    const there = await workspace.lstat(at).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
    // git does not follow symlinks for attributes files in the worktree.
    if (there?.kind === 'file' || (there && path === OWN_ATTRIBUTES)) return (await workspace.readBytes(at)).bytes
    const oid = there ? undefined : this.#options.supported.staged().get(path)
    return oid === undefined ? undefined : this.#options.readBlob(oid)
  }

  #reading(read: ReadFile): Attributes {
    return new Attributes(read, {
      ignoresCase: isTrue(this.#options.supported.config.get('core.ignorecase') ?? 'no'),
      slicer: this.#slicer,
    })
  }

  /** Returns the attributes of a path. Yields to the event loop, because many rules take time. */
  async #attributesOf(path: string): Promise<ReadonlyMap<string, Attribute>> {
    if (this.#slicer.due()) await this.#slicer.pause()
    return this.#attributes.of(path)
  }

  #refuse(path: string, attributes: ReadonlyMap<string, Attribute>): void {
    const filter = attributes.get('filter')
    const encoding = attributes.get('working-tree-encoding')
    if (typeof filter === 'string' && this.#options.filters !== 'ignore')
      throw this.#refusal(path, `the filter "${filter}", a program that is not run here`)
    if (typeof encoding === 'string' && !/^utf-?8$/i.test(encoding))
      throw this.#refusal(path, `the encoding "${encoding}" (working-tree-encoding), which is not supported`)
  }

  #refusal(path: string, why: string): FsError {
    return new FsError({ code: 'ENOTSUP', op: 'convert', path: joinPath(this.#options.dir, path), detail: `its attributes ask for ${why}` })
  }
}

/** Changes bytes as Latin-1 text, which preserves all bytes. */
const mapText = (bytes: Uint8Array, change: (text: string) => string): Uint8Array => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return Uint8Array.from(change(text), (unit) => unit.charCodeAt(0))
}

const withoutId = (bytes: Uint8Array): Uint8Array => mapText(bytes, (text) => text.replace(/\$Id:[^$\n]*\$/g, '$Id$'))

/** Inserts the object id into `$Id$`. Keeps an `$Id$` of another version control system, which contains several words. */
const withId = (bytes: Uint8Array, oid: string): Uint8Array =>
  mapText(bytes, (text) => text.replace(/\$Id(?:\$|:([^$\n]*)\$)/g, (all, value = '') => (isForeign(value) ? all : `$Id: ${oid} $`)))

function isForeign(value: string): boolean {
  const blank = value.indexOf(' ', 1)
  return blank > 0 && blank < value.length - 1
}
