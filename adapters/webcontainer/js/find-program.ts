import { FsError, WorkspaceError } from '../../../src/errors/index.js'
import { createDisk } from '../../../src/packages/modules/disk.js'
import { declaredKind } from '../../../src/packages/modules/file-kind.js'
import { lexers } from '../../../src/packages/modules/lexers.js'
import { readSource } from '../../../src/packages/modules/source.js'
import type { JsProgram } from '../../../src/types/js.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { tableOf } from '../../../src/workspace/mounts/mounted-storages.js'
import { isWithin, joinPath, normalise, relativePath } from '../../../src/workspace/paths.js'
import { findPlace, type Place } from '../shell/places.js'
import { copyModule, type EsCopy } from './es-copy.js'
import type { Stripped } from './task.js'
import { isTypeScript } from './typescript.js'
import { findTypeScript, MAX_SOURCE_BYTES, type ProgramText, stripFile } from './typescript-files.js'

const VERB = 'run'

type Kind = 'module' | 'commonjs'

/** A program with the paths and the code that the container needs. All paths except `cwd.path` are full paths in the container. */
export interface Placed {
  readonly cwd: Place
  /** The path in `process.argv[1]`. */
  readonly script: string
  /** The path of the program with symlinks resolved. */
  readonly main: string
  readonly kind: Kind
  /** The code of a CommonJS program that does not run from its own file. */
  readonly code?: string
  readonly copy?: EsCopy
  /** The TypeScript files that the program imports, directly or indirectly, by full path. */
  readonly typescript: Readonly<Record<string, Stripped>>
}

/**
 * Finds the container's paths and the code of a program. `base`: full path of the workspace's folder in the container.
 *
 * @throws {FsError}, {WorkspaceError} for an invalid `cwd` or `entry`; ENOTSUP for a path in a mount
 */
export async function findProgram(workspace: Workspace, base: string, program: JsProgram): Promise<Placed> {
  const cwd = await findPlace(workspace, base, program.cwd ?? workspace.cwd)
  const toHost = (path: string): string => hostOf(workspace, base, path)
  const absolute = (path: string): string => (path.startsWith('/') ? path : joinPath(cwd.path, path))
  if (program.entry !== undefined) return { cwd, ...(await fileAt(workspace, toHost, absolute(program.entry))) }
  const path = absolute(program.filename ?? (program.format === 'commonjs' ? '[eval].cjs' : '[eval].mjs'))
  const named = normalise(path, () => new FsError({ code: 'ENOENT', op: VERB, path }))
  // The path is only a name, so it need not exist in the workspace.
  const main = isWithin(named, cwd.path) ? joinPath(cwd.host, relativePath(named, cwd.path)) : toHost(workspace.resolve(named))
  const declared = kindByName(main) ?? program.format ?? 'module'
  const { kind, code } = await javaScript(main, program.code ?? '', declared)
  return { cwd, script: main, main, kind, ...(await textOf(workspace, toHost, { path: named, code, kind }, main)) }
}

/** Node runs the file in place, except for a TypeScript file, because this Node may not support TypeScript. */
async function fileAt(workspace: Workspace, toHost: (path: string) => string, asked: string): Promise<Omit<Placed, 'cwd'>> {
  const stat = await workspace.stat(asked, VERB)
  const path = await workspace.realpath(asked)
  if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op: VERB, path, detail: 'name a file in it' })
  const [script, main] = [toHost(workspace.resolve(asked)), toHost(path)]
  const text = await textAt(workspace, path)
  if (text === undefined) return { script, main, kind: kindByName(path) ?? 'commonjs', typescript: {} }
  const { kind, code } = await javaScript(path, text, kindByName(path) ?? (await kindByPackage(workspace, path)))
  if (isTypeScript(path)) return { script, main, kind, ...(await textOf(workspace, toHost, { path, code, kind }, main)) }
  return { script, main, kind, typescript: await findTypeScript(workspace, { path, code, kind }, toHost) }
}

async function textOf(
  workspace: Workspace,
  toHost: (path: string) => string,
  text: ProgramText,
  host: string,
): Promise<Pick<Placed, 'code' | 'copy' | 'typescript'>> {
  const typescript = await findTypeScript(workspace, text, toHost)
  if (text.kind === 'commonjs') return { code: text.code, typescript }
  return { copy: await copyModule(workspace, { ...text, host }, toHost), typescript }
}

/** Returns the text of a file, or undefined for a binary file. */
async function textAt(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return (await workspace.readText(path, { maxBytes: MAX_SOURCE_BYTES })).text
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'binary_file') return undefined
    throw error
  }
}

/** Strips types and determines the module kind. If a TypeScript file has a syntax error, the returned code throws this error. */
async function javaScript(path: string, text: string, declared: Kind | undefined): Promise<{ readonly kind: Kind; readonly code: string }> {
  if (!isTypeScript(path)) {
    const { kind } = readSource({ path, text, declared }, await lexers())
    return { kind: kind === 'module' ? 'module' : 'commonjs', code: text }
  }
  const { kind, code, error } = (await stripFile(path, text, declared, await lexers())).stripped
  return { kind, code: error === undefined ? code : `throw new SyntaxError(${JSON.stringify(error)})` }
}

function kindByName(path: string): Kind | undefined {
  if (/\.m[jt]s$/.test(path)) return 'module'
  return /\.(?:c[jt]s|json)$/.test(path) ? 'commonjs' : undefined
}

/** Returns the module kind that the closest package.json declares. Undefined means that the file's text decides. */
async function kindByPackage(workspace: Workspace, path: string): Promise<Kind | undefined> {
  // Ignore an invalid package.json, which Node reports.
  const declared = await declaredKind(createDisk(workspace), path).catch(() => undefined)
  return declared === 'json' ? 'commonjs' : declared
}

function hostOf(workspace: Workspace, base: string, path: string): string {
  if (!isWithin(path, workspace.root)) return path
  const below = workspace.relative(path)
  const mount = tableOf(workspace.fs)?.place(`/${below}`).mount
  if (mount && mount.at !== '/') {
    throw new FsError({ code: 'ENOTSUP', op: VERB, path, detail: 'it is in another storage than the container, which cannot run it' })
  }
  return below === '' ? base : joinPath(base, below)
}
