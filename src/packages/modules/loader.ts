import { FsError } from '../../errors/index.js'
import { isRecord } from '../../ops/is-record.js'
import type { Workspace } from '../../types/workspace.js'
import { Slicer } from '../../workspace/slicer.js'
import { createDisk, type Disk } from './disk.js'
import { declaredKind, extensionOf } from './file-kind.js'
import { lexers } from './lexers.js'
import type { Manifest } from './manifest.js'
import { createReader, type Reader } from './reader.js'
import { createResolver, type Resolver } from './resolver.js'
import { joined } from './specifiers.js'
import type { Extension, LoadedModule, ModuleGraph, ModuleKind, ModuleLoader, ModuleLoaderOptions, ModuleProgram } from './types.js'
import { importable, walkModules } from './walk.js'

export const DEFAULT_CONDITIONS: readonly string[] = ['node', 'module-sync']
const DEFAULT_MODULES = 5_000
/** Maximum number of passes: a browser build may reach further packages that need their browser builds. */
const MAX_PASSES = 8

/** The caches of one call of `load` or `extend`. */
interface Session {
  readonly disk: Disk
  readonly reader: Reader
  readonly slicer: Slicer
  readonly resolver: (browserPackages: ReadonlySet<string>) => Resolver
}

/** Reads the modules of programs from a workspace. Keeps no state between calls. */
export function createModuleLoader(workspace: Workspace, options: ModuleLoaderOptions): ModuleLoader {
  const { builtins, conditions = DEFAULT_CONDITIONS } = options
  const maxModules = options.limits?.modules ?? DEFAULT_MODULES

  async function open(signal: AbortSignal | undefined): Promise<Session> {
    signal?.throwIfAborted()
    const disk = createDisk(workspace)
    return {
      disk,
      reader: createReader(workspace, disk, await lexers(), options),
      slicer: new Slicer(workspace.host, { signal }),
      resolver: (browserPackages) => createResolver(disk, { builtins, conditions, browserPackages }),
    }
  }

  /** Repeats the load with browser builds for packages whose Node build cannot run here, until no such package is left. */
  async function settle<T extends { readonly modules: ReadonlyMap<string, LoadedModule> }>(
    session: Session,
    pass: (resolver: Resolver) => Promise<T>,
  ): Promise<T> {
    const browserPackages = new Set<string>()
    for (let passes = 1; ; passes++) {
      const result = await pass(session.resolver(browserPackages))
      const before = browserPackages.size
      for (const folder of await browserCandidates(session.disk, result.modules)) browserPackages.add(folder)
      if (browserPackages.size === before || passes === MAX_PASSES) return result
    }
  }

  return {
    async load(program, { cwd = '.', signal } = {}): Promise<ModuleGraph> {
      const session = await open(signal)
      const folder = await folderOf(workspace, cwd)
      const entry =
        'entry' in program
          ? await entryOf(workspace, session.resolver(new Set()), joined(folder, withoutScheme(program.entry)))
          : await placeText(session, folder, program)
      return settle(session, async (resolver) => {
        const { reader, slicer } = session
        return { entry, modules: await walkModules({ reader, resolver, slicer, known: new Map(), maxModules }, entry) }
      })
    },

    async extend(graph, specifier, from, kind, { signal } = {}): Promise<Extension> {
      const session = await open(signal)
      const { resolution, modules } = await settle(session, async (resolver) => {
        const found = await resolver.resolve(specifier, from, kind)
        // Only the running program knows the options of a dynamic import.
        const usable = kind === 'import' ? importable({ specifier, typed: true }, found, from) : found
        const { reader, slicer } = session
        const walk = { reader, resolver, slicer, known: graph.modules, maxModules }
        const added = 'path' in usable ? await walkModules(walk, usable.path) : new Map<string, LoadedModule>()
        return { resolution: usable, modules: added }
      })
      return { resolution, added: modules }
    },
  }
}

/** @throws {FsError} if the path is not a directory */
async function folderOf(workspace: Workspace, cwd: string): Promise<string> {
  const folder = await workspace.realpath(cwd)
  const { kind } = await workspace.stat(folder, 'run in')
  if (kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'run in', path: folder })
  return folder
}

function withoutScheme(entry: string): string {
  return entry.startsWith('file:///') ? entry.slice('file://'.length) : entry
}

/** Finds the entry as `node x` does: tries extensions, and uses the main file of a folder. @throws {FsError}, {WorkspaceError} */
async function entryOf(workspace: Workspace, resolver: Resolver, asked: string): Promise<string> {
  const path = workspace.resolve(asked)
  const found = await resolver.resolve(path, joined(path, '../[entry].cjs'), 'require')
  if ('path' in found) return found.path
  // This throws the workspace's own error for a missing or forbidden path.
  const { kind } = await workspace.stat(path, 'run')
  if (kind === 'dir')
    throw new FsError({ code: 'EISDIR', op: 'run', path, detail: 'it is a directory without an index.js or a package.json with "main"' })
  throw new FsError({ code: 'ENOENT', op: 'run', path })
}

async function placeText(session: Session, folder: string, program: Exclude<ModuleProgram, { entry: string }>): Promise<string> {
  const { format = 'module', filename = format === 'module' ? '[eval].mjs' : '[eval].cjs' } = program
  const path = joined(folder, filename)
  await session.reader.text(path, program.code, await kindOfText(session.disk, path, format))
  return path
}

/** Returns the kind of source text. The extension decides the kind, except for `.js` and `.ts`, where `format` decides. */
async function kindOfText(disk: Disk, path: string, format: ModuleKind): Promise<ModuleKind | undefined> {
  return /^\.(?:[cm][jt]s|json)$/.test(extensionOf(path)) ? declaredKind(disk, path) : format
}

/** Returns the folders of installed packages that need a missing builtin and have a browser build. */
async function browserCandidates(disk: Disk, modules: ReadonlyMap<string, LoadedModule>): Promise<Set<string>> {
  const folders = new Set<string>()
  for (const { path, imports, requires } of modules.values()) {
    if (!path.includes('/node_modules/')) continue
    const lacks = [...Object.values(imports), ...Object.values(requires)].some(
      (resolution) => 'error' in resolution && resolution.error.code === 'ERR_UNKNOWN_BUILTIN_MODULE',
    )
    const manifest = lacks ? await packageOf(disk, path) : undefined
    if (manifest && knowsBrowsers(manifest)) folders.add(manifest.folder)
  }
  return folders
}

/** Returns the main package.json of a package, because a package.json in a subfolder often contains only `type`. */
async function packageOf(disk: Disk, path: string): Promise<Manifest | undefined> {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
  return folder === undefined ? undefined : disk.manifest(folder)
}

/**
 * Whether a package has a browser build. A `node` condition shows this too, because the other conditions are for all other environments.
 */
function knowsBrowsers({ browser, exports, imports }: Manifest): boolean {
  return typeof browser === 'string' || isRecord(browser) || tellsApart(exports) || tellsApart(imports)
}

function tellsApart(target: unknown): boolean {
  if (Array.isArray(target)) return target.some(tellsApart)
  if (!isRecord(target)) return false
  return Object.hasOwn(target, 'browser') || Object.hasOwn(target, 'node') || Object.values(target).some(tellsApart)
}
