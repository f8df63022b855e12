import { FsError, type FsErrorCode } from '../../../errors/index.js'
import { required } from '../../../errors/required.js'
import { toBase64 } from '../../../ops/base64.js'
import { decodeUtf8 } from '../../../ops/utf8.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import { baseName, joinPath, parentPath, relativePath } from '../../../workspace/paths.js'
import { checkTools } from '../../check-tools.js'
import { deleteFile } from '../ai-sdk/files.js'
import { Calls, codeOf } from '../shared/calls.js'
import { isDirectory, listAll } from '../shared/listing.js'
import { readWhole, statOf } from '../shared/reading.js'
import { guarding } from './failures.js'
import { pathsOf } from './paths.js'
import type { MastraErrors, MastraFileEntry, MastraFilesystem } from './types.js'

/** Options of `mastraFilesystem`. */
export interface MastraFilesystemOptions<Bytes> {
  /** The module `@mastra/core/workspace`. */
  readonly errors: MastraErrors
  /** Node's `Buffer`. */
  readonly Buffer: { from(bytes: Uint8Array): Bytes & { toString(encoding?: string): string } }
  /** Stops running operations. Mastra passes no signal to a filesystem. */
  readonly signal?: AbortSignal
  /** Largest file that `readFile` returns, in bytes; default 64 MiB. */
  readonly maxFileBytes?: number
}

const TOOLS = ['read_file', 'write_file', 'delete_file', 'move_file', 'list_files']
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The default of Mastra's own filesystem. */
const MAX_DEPTH = 100

/**
 * Adapts a runtime to the filesystem of `@mastra/core`: `new Workspace({ filesystem: mastraFilesystem(runtime, { errors, Buffer }) })`. Every
 * method except `mkdir`, `stat` and `exists` calls the runtime's own tools, so policy, approval, checkpoints, events and limits apply.
 * `mkdir`, `stat` and `exists` use the workspace, with its path rules.
 *
 * @throws TypeError if the runtime lacks one of the tools, or if an option is missing
 */
export function mastraFilesystem<Bytes>(runtime: ToolRuntime, options: MastraFilesystemOptions<Bytes>): MastraFilesystem<Bytes> {
  checkTools(runtime, 'filesystem', TOOLS)
  const call = '"mastraFilesystem"'
  const errors = required(call, 'the option "errors": the module @mastra/core/workspace', options?.errors, 'FileNotFoundError')
  const Buffer = required(call, 'the option "Buffer" of Node', options.Buffer, 'from')
  const { signal, maxFileBytes = MAX_FILE_BYTES } = options
  const { workspace } = runtime
  const { cwd, root, readOnly, host } = workspace
  const calls = new Calls(runtime, signal)
  const { exact, exactOrCwd, readable, outer } = pathsOf(
    workspace,
    (path, use) => new errors.FilesystemError(`Cannot use the path "${path}". Use "${use}"`, 'ENOENT', path),
  )
  const guarded = guarding(calls, errors, outer)
  const write = (path: string, content: string | Uint8Array, mode: string): Promise<unknown> =>
    calls.run('write_file', { path, mode, ...(typeof content === 'string' ? { content, eol: 'as_is' } : bytesOf(content)) })
  const makeDirectory = async (path: string, parents: boolean): Promise<void> => {
    signal?.throwIfAborted()
    if ((await statOf(calls, path))?.kind !== 'dir') await workspace.mkdir(path, { parents })
  }
  const copy = async (from: string, to: string, mode: string): Promise<void> => {
    await write(to, await readWhole(calls, from, maxFileBytes), mode)
  }
  return {
    id: `toolport-${host.random()}`,
    name: 'Toolport',
    provider: 'toolport',
    readOnly,
    status: 'ready',
    getInstructions: () =>
      `File paths are relative to ${cwd}, where commands start: "src/a.ts", without "./" or a leading slash.` +
      (cwd === root ? '' : ` Paths of other files below ${root} are absolute.`),
    readFile: (path, { encoding } = {}) =>
      guarded({ path }, async () => {
        const bytes = await readWhole(calls, readable(path), maxFileBytes)
        if (!encoding) return Buffer.from(bytes)
        if (!/^utf-?8$/i.test(encoding)) return Buffer.from(bytes).toString(encoding)
        const text = decodeUtf8(bytes)
        if (text !== undefined) return text
        // Mastra lists and searches nothing if this file cannot be read. It ignores bytes.
        if (path === '.gitignore') return Buffer.from(bytes)
        throw new errors.FilesystemError(
          `Cannot read "${path}" as text: the file is not UTF-8. Use the encoding "base64"`,
          'binary_file',
          path,
        )
      }),
    writeFile: (path, content, { recursive = true, overwrite = true, expectedMtime } = {}) =>
      guarded({ path }, async () => {
        const at = exact(path)
        const parent = parentPath(workspace.resolve(at))
        const above = recursive ? undefined : await statOf(calls, parent)
        if (!recursive && above?.kind !== 'dir') throw new errors[above ? 'NotDirectoryError' : 'DirectoryNotFoundError'](outer(parent))
        if (Number.isNaN(expectedMtime?.getTime()))
          throw new errors.FilesystemError(`Cannot write "${path}": expectedMtime is an invalid Date`, 'invalid_input', path)
        const found = expectedMtime && (await statOf(calls, at))
        const mtime = found && new Date(found.mtimeMs)
        if (expectedMtime && mtime && mtime.getTime() !== expectedMtime.getTime())
          throw new errors.StaleFileError(path, expectedMtime, mtime)
        await write(at, content, overwrite ? 'overwrite' : 'create')
      }),
    appendFile: (path, content) =>
      guarded({ path }, async () => {
        await write(exact(path), content, 'append')
      }),
    deleteFile: (path, { force = false } = {}) =>
      guarded({ path }, async () => {
        if (!(await deleteFile(calls, exact(path))) && !force) throw failure('ENOENT', 'remove', path)
      }),
    copyFile: (src, dest, { overwrite = true, recursive = false } = {}) =>
      guarded({ path: src }, async () => {
        const [from, to] = [exact(src), exact(dest)].map((path) => workspace.resolve(path)) as [string, string]
        const mode = overwrite ? 'overwrite' : 'create'
        if ((await statOf(calls, from))?.kind !== 'dir') return copy(from, to, mode)
        if (!recursive) throw failure('EISDIR', 'copy', from)
        const { files, emptyFolders } = await contentsOf(calls, from)
        const target = (path: string): string => workspace.resolve(joinPath(to, relativePath(path, from)))
        for (const path of files)
          await copy(path, target(path), mode).catch((error) => {
            if (overwrite || codeOf(error) !== 'EEXIST') throw error
          })
        for (const path of emptyFolders) await makeDirectory(target(path), true)
      }),
    moveFile: (src, dest, { overwrite = true } = {}) =>
      guarded({ path: src }, async () => {
        const [from, to] = [exact(src), exact(dest)]
        if (from === to && !overwrite && (await statOf(calls, from))) throw failure('EEXIST', 'move', dest)
        await calls.run('move_file', { from, to, overwrite })
      }),
    mkdir: (path, { recursive = true } = {}) =>
      guarded({ path, missing: 'DirectoryNotFoundError' }, async () => makeDirectory(exact(path), recursive)),
    rmdir: (path, { recursive = false, force = false } = {}) =>
      guarded({ path, missing: 'DirectoryNotFoundError' }, async () => {
        const at = exact(path)
        const found = await statOf(calls, at)
        if (!found && force) return
        if (found?.kind !== 'dir') throw failure(found ? 'ENOTDIR' : 'ENOENT', 'remove', path)
        await calls.run('delete_file', { path: at, recursive })
      }),
    readdir: (path, given = {}) =>
      guarded({ path, missing: 'DirectoryNotFoundError' }, async () => list(calls, workspace.resolve(readable(path)), given)),
    exists: (path) => guarded({ path }, async () => (await statOf(calls, readable(path))) !== undefined),
    stat: (path) =>
      guarded({ path }, async () => {
        const at = readable(path)
        const found = await statOf(calls, at)
        if (!found) throw failure('ENOENT', 'stat', path)
        // Mastra's tools that read a file check its path here, and models write `./src` for the folder of a search.
        if (found.kind !== 'dir') exactOrCwd(path)
        const { kind, size, mtimeMs } = found
        const time = new Date(mtimeMs)
        const mimeType = kind === 'file' ? mediaType(at) : undefined
        return {
          name: baseName(workspace.resolve(at)),
          path: at,
          type: kind === 'dir' ? 'directory' : 'file',
          size: kind === 'dir' ? 0 : size,
          createdAt: time,
          modifiedAt: time,
          ...(mimeType !== undefined && { mimeType }),
        }
      }),
  }
}

const bytesOf = (bytes: Uint8Array): object => ({ content: toBase64(bytes), encoding: 'base64' })

const failure = (code: FsErrorCode, op: string, path: string, detail?: string): FsError =>
  new FsError({ code, op, path, ...(detail !== undefined && { detail }) })

interface Contents {
  readonly files: readonly string[]
  readonly emptyFolders: readonly string[]
}

/** Lists everything in a directory and its subdirectories. @throws FsError EISDIR for a link to a directory; as `Calls.run` */
async function contentsOf(calls: Calls, folder: string): Promise<Contents> {
  const files: string[] = []
  const emptyFolders: string[] = []
  const folders = [folder]
  for (const path of folders) {
    const entries = await listAll(calls, path)
    if (entries.length === 0) emptyFolders.push(path)
    for (const entry of entries) {
      if (entry.kind === 'dir') folders.push(entry.path)
      else if (await isDirectory(calls, entry)) throw failure('EISDIR', 'copy', entry.path, 'it is a link to a directory')
      else files.push(entry.path)
    }
  }
  return { files, emptyFolders }
}

type ListOptions = NonNullable<Parameters<MastraFilesystem<unknown>['readdir']>[1]>

async function list(calls: Calls, base: string, options: ListOptions): Promise<MastraFileEntry[]> {
  const { recursive = false, extension, maxDepth = MAX_DEPTH } = options
  const ends = !extension ? undefined : [extension].flat().map((end) => (end.startsWith('.') ? end : `.${end}`))
  const found: MastraFileEntry[] = []
  for (const entry of await listAll(calls, base, recursive ? Math.min(MAX_DEPTH, maxDepth) : 0)) {
    const type = (await isDirectory(calls, entry)) ? 'directory' : 'file'
    const name = relativePath(entry.path, base)
    if (type === 'file' && ends?.every((end) => !name.endsWith(end))) continue
    found.push({ name, type, ...(entry.size !== undefined && { size: entry.size }), ...(entry.kind === 'symlink' && { isSymlink: true }) })
  }
  return found
}

/** Returns the type of a file that Mastra shows to the model as a file. Mastra reads every other file as text. */
function mediaType(path: string): string | undefined {
  const [, end] = /\.(png|jpe?g|gif|webp|pdf)$/i.exec(path) ?? []
  if (end === undefined) return undefined
  const name = end.toLowerCase()
  return name === 'pdf' ? 'application/pdf' : `image/${name === 'jpg' ? 'jpeg' : name}`
}
