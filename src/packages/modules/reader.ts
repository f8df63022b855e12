import { FsError, hasCode, InputError, PolicyError, WorkspaceError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { isEmptyModule } from './browser-field.js'
import type { Disk } from './disk.js'
import { declaredKind, extensionOf } from './file-kind.js'
import type { Lexers } from './lexers.js'
import { isTypeScript } from './resolver.js'
import { brokenSource, readSource, type Source } from './source.js'
import { syntaxFault } from './syntax-fault.js'
import type { ModuleFault, ModuleKind, ModuleLoaderOptions } from './types.js'
import { Unresolved } from './unresolved.js'

export interface Reader {
  /** Reads the source of a file with its kind and imports. Reads each file once. @throws {InputError} over the limit of bytes */
  file(path: string): Promise<Source>
  /** Returns the source of text that is not in a file, with its kind and imports. */
  text(path: string, code: string, kind: ModuleKind | undefined): Promise<Source>
}

const DEFAULT_BYTES = 32 * 1024 * 1024
const MIB = 1024 * 1024

export function createReader(workspace: Workspace, disk: Disk, lexers: Lexers, options: ModuleLoaderOptions): Reader {
  const limit = options.limits?.bytes ?? DEFAULT_BYTES
  const sources = new Map<string, Promise<Source>>()
  let bytes = 0

  const tooMuch = (path: string): InputError =>
    new InputError(
      'invalid_input',
      `The program imports more than ${limit % MIB === 0 ? `${limit / MIB} MiB` : `${limit} bytes`} of source text (at ${path}): import fewer or smaller modules`,
    )

  function count(path: string, size: number): void {
    bytes += size
    if (bytes > limit) throw tooMuch(path)
  }

  async function textOf(path: string): Promise<string> {
    try {
      const { text, size } = await workspace.readText(path, { maxBytes: limit - bytes })
      count(path, size)
      return text
    } catch (error) {
      if (hasCode(error, 'EFBIG')) throw tooMuch(path)
      if (!(error instanceof WorkspaceError) || error.code !== 'binary_file') throw error
      // Like Node, replace invalid UTF-8 and accept NUL as an ordinary character.
      const file = await workspace.readBytes(path)
      count(path, file.bytes.length)
      return new TextDecoder().decode(file.bytes)
    }
  }

  async function sourceOf(path: string, text: string, declared: ModuleKind | undefined): Promise<Source> {
    if (!isTypeScript(path)) return readSource({ path, text, declared }, lexers)
    const kind = declared ?? 'module'
    if (!options.transform) return brokenSource(kind, text, unknownExtension(path, 'TypeScript is not configured'))
    try {
      return readSource({ path, text: await options.transform(text, path), declared }, lexers)
    } catch (error) {
      return brokenSource(kind, text, transformFault(path, text, error))
    }
  }

  async function read(path: string): Promise<Source> {
    if (extensionOf(path) === '.node') {
      const message = `${path}: native add-ons do not run in this sandbox: use a package that is written in JavaScript`
      return brokenSource('commonjs', '', { code: 'ERR_DLOPEN_FAILED', message })
    }
    if (isEmptyModule(path)) return readSource({ path, text: '', declared: 'commonjs' }, lexers)
    try {
      const declared = await declaredKind(disk, path)
      return await sourceOf(path, await textOf(path), declared)
    } catch (error) {
      if (error instanceof Unresolved) return brokenSource('commonjs', '', error.fault)
      if (FsError.is(error) || error instanceof WorkspaceError || error instanceof PolicyError) {
        return brokenSource('commonjs', '', { code: error.code, message: error.message })
      }
      throw error
    }
  }

  return {
    file(path) {
      const known = sources.get(path)
      if (known) return known
      const source = read(path)
      sources.set(path, source)
      return source
    },
    text(path, code, kind) {
      const source = sourceOf(path, code.replace(/^\uFEFF/, ''), kind)
      sources.set(path, source)
      return source
    },
  }
}

export function unknownExtension(path: string, why: string): ModuleFault {
  return { code: 'ERR_UNKNOWN_FILE_EXTENSION', message: `Unknown file extension "${extensionOf(path)}" for ${path}: ${why}` }
}

/** Converts an error of a compiler. Most compilers put the place into the message: `(3:7)`. */
function transformFault(path: string, text: string, error: unknown): ModuleFault {
  const message = error instanceof Error ? error.message : String(error)
  const place = /\((\d+):(\d+)\)/.exec(message)
  if (!place) return { code: 'ERR_SYNTAX', message: `${path}: ${message}` }
  const [line, column] = [Number(place[1]), Number(place[2])]
  const start = text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, 0)
  const why = message.replace(place[0], '').replace(/^(?:Error transforming [^:]*: )?(?:SyntaxError: )?/, '')
  return syntaxFault(path, text, start + column - 1, why.trim())
}
