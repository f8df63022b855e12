import { FsError } from '../errors/index.js'
import type { WriteFileOptions, Written } from '../types/workspace.js'
import { encodeText } from './content.js'
import { withLocated } from './locking.js'
import { withParents } from './parents.js'
import { checkLinkTarget } from './parse-path.js'
import { linkTarget } from './resolve-links.js'
import { contents, type Located, locate, missing, notedVersion, refuseTwin, type View, versionOf } from './state.js'

/** Number of bytes to read at once when a file's content is compared. */
const PIECE = 1024 * 1024

/** Writes a whole file under its lock. @throws {FsError} EISDIR EEXIST ESTALE EFBIG ENOSPC EROFS ... */
export async function writeBytes(view: View, input: string, bytes: Uint8Array, options: WriteFileOptions = {}): Promise<Written> {
  const op = options.mode === 'append' ? 'append to' : 'write'
  return withLocated(view, [{ input, op, follow: options.mode !== 'create' }], ([target]) =>
    writeLocated(view, target as Located, bytes, options, op),
  )
}

/** @throws {InputError} for a lone surrogate; as `writeBytes` */
export async function writeText(view: View, input: string, text: string, options: WriteFileOptions = {}): Promise<Written> {
  return writeBytes(view, input, encodeText(input, text, options.bom ?? false), options)
}

/** Writes a file that the caller has located and locked. Otherwise as `writeBytes`. */
export async function writeLocated(
  view: View,
  target: Located,
  bytes: Uint8Array,
  options: WriteFileOptions,
  op: string,
): Promise<Written> {
  const { tree } = view
  const { path, stat } = target
  checkTarget(target, options, op)
  const expect = options.expect === undefined ? undefined : await checkVersion(view, target, options.expect, op)
  const append = options.mode === 'append' && stat !== undefined
  const bytesBefore = stat?.size ?? 0
  const bytesAfter = append ? bytesBefore + bytes.length : bytes.length
  tree.quota.checkFile(path, op, bytesAfter, bytes.length)
  if (!stat && options.distinct) await refuseTwin(tree.fs, path, op)
  const need = { path, op, bytes: bytesAfter - bytesBefore, files: stat ? 0 : 1 }
  const put = (): Promise<void> => {
    if (append) return tree.fs.append(path, bytes)
    const create = !stat && options.mode === 'create' ? 'exclusive' : 'always'
    return tree.fs.write(path, bytes, { create, ...(expect !== undefined && { expect }) })
  }
  await (stat || options.parents === false ? tree.quota.spend(need, put) : withParents(tree, need, put))
  const after = await tree.fs.lstat(path)
  // Another size means that another program wrote too. Return a version that never matches, so that a later write fails with ESTALE.
  const version = after.size === bytesAfter ? versionOf(after) : `${bytesAfter} bytes written`
  return {
    path,
    created: !stat,
    bytesBefore,
    bytesAfter,
    get version() {
      return append ? version : notedVersion(tree, path, version, bytes)
    },
  }
}

function checkTarget({ path, stat, parsed }: Located, options: WriteFileOptions, op: string): void {
  if (stat?.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path })
  if (parsed.directory) throw new FsError({ code: 'EISDIR', op, path, detail: 'write the path without a slash at the end' })
  if (stat && options.mode === 'create') throw new FsError({ code: 'EEXIST', op, path })
}

/** Returns the current version if the content still equals the content at the expected version. @throws {FsError} ESTALE */
async function checkVersion({ tree }: View, { path, stat }: Located, expect: string, op: string): Promise<string | undefined> {
  if (!stat) throw new FsError({ code: 'ESTALE', op, path, detail: 'it was removed since it was read' })
  const version = versionOf(stat)
  if (version !== expect) {
    const { areEqual, contentDigest, mayBeEqual, noteDigest, staleDetail } = await contents()
    const { adapter } = tree.fs
    if (mayBeEqual(adapter, path, expect, stat.size)) {
      const digest = contentDigest()
      for (let offset = 0; offset < stat.size; offset += PIECE) digest.add(await tree.fs.read(path, { offset, length: PIECE }))
      noteDigest(adapter, path, version, digest)
    }
    if (!areEqual(adapter, path, expect, version)) throw new FsError({ code: 'ESTALE', op, path, ...staleDetail(adapter, path, expect) })
  }
  return stat.version
}

export async function mkdir(view: View, input: string, parents: boolean): Promise<{ readonly path: string; readonly created: boolean }> {
  const op = 'make directory'
  return withLocated(view, [{ input, op, follow: parents }], async ([found]) => {
    const { path, stat } = found as Located
    if (stat && (stat.kind !== 'dir' || !parents)) throw new FsError({ code: 'EEXIST', op, path })
    if (stat) return { path, created: false }
    const need = { path, op, bytes: 0, files: 1 }
    const make = (): Promise<void> => view.tree.fs.mkdir(path)
    await (parents ? withParents(view.tree, need, make) : view.tree.quota.spend(need, make))
    return { path, created: true }
  })
}

/** @throws {WorkspaceError} `symlink_escape`: a link that leads out would be useless here and dangerous for other programs */
export async function symlink(view: View, target: string, input: string): Promise<void> {
  const op = 'make link'
  await withLocated(view, [{ input, op, follow: false }], async ([found]) => {
    const { path, stat } = found as Located
    if (stat) throw new FsError({ code: 'EEXIST', op, path })
    checkLinkTarget(target)
    linkTarget(view.tree.fs, path, target, 'make')
    await view.tree.quota.spend({ path, op, bytes: 0, files: 1 }, () => view.tree.fs.symlink(target, path))
  })
}

export async function setMeta(view: View, input: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void> {
  const op = 'change the mode or time of'
  const { path, stat } = await locate(view, input, 'write', op)
  if (!stat) throw await missing(view.tree.fs, path, op)
  await view.tree.fs.setMeta(path, meta)
}
