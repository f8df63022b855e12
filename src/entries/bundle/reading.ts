import { createDisk, type Disk } from '../../packages/modules/disk.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, joinPath, parentPath } from '../../workspace/paths.js'
import { type Question, type ResolveOptions, resolveTarget } from './resolve.js'

/** Everything that a build reads and looks up. */
export interface Reading {
  /** Virtual path -> version. The version of a missing file is empty. */
  readonly inputs: Map<string, string>
  /** Virtual paths where a file, if created, would take precedence over a resolved one. */
  readonly missing: Set<string>
  /** Unresolved imports. The build is stale as soon as one of them can be resolved. */
  readonly unresolved: Unresolved[]
  bytes: number
}

/** An import that could not be resolved. */
interface Unresolved extends Question {
  /** The specifier as written in the importer, with its query. */
  readonly written: string
  /** The error message. */
  readonly text: string
}

export const newReading = (): Reading => ({ inputs: new Map(), missing: new Set(), unresolved: [], bytes: 0 })

export async function versionOf(workspace: Workspace, path: string): Promise<string> {
  try {
    const { kind } = await workspace.stat(path, 'read')
    return kind === 'dir' ? '' : (await workspace.readBytes(path, { length: 0 })).version
  } catch {
    return ''
  }
}

/** Creates a disk that records the lookups of module resolution in `reading`: missing paths, and versions of package manifests. */
export function notingDisk(workspace: Workspace, reading: Reading): Disk {
  const disk = createDisk(workspace)
  const noteManifest = async (folder: string): Promise<void> => {
    const path = joinPath(folder, 'package.json')
    if (!reading.inputs.has(path)) reading.inputs.set(path, await versionOf(workspace, path))
  }
  return {
    ...disk,
    kindOf: async (path) => {
      const kind = await disk.kindOf(path)
      // Packages only change together with their manifests.
      if (kind === undefined && !path.includes('/node_modules/')) reading.missing.add(path)
      return kind
    },
    manifest: async (folder) => {
      const manifest = await disk.manifest(folder)
      if (manifest) await noteManifest(folder)
      return manifest
    },
    scope: async (folder) => {
      const scope = await disk.scope(folder)
      for (const above of folder.includes('/node_modules/') ? [] : disk.upwards(folder)) {
        if (above === scope?.folder) break
        reading.missing.add(joinPath(above, 'package.json'))
      }
      if (scope) await noteManifest(scope.folder)
      return scope
    },
  }
}

/** Whether a file or lookup of a build has changed since that build. `resolution`: the resolve options of that build. */
export async function isStale(workspace: Workspace, reading: Reading, resolution: ResolveOptions | undefined): Promise<boolean> {
  const { inputs, missing, unresolved } = reading
  for (const [path, version] of inputs) if ((await versionOf(workspace, path)) !== version) return true
  const disk = createDisk(workspace)
  // One listing per folder suffices for all names in it.
  for (const path of missing) if ((await disk.names(parentPath(path))).includes(baseName(path))) return true
  return unresolved.length > 0 && resolution !== undefined && resolvesNow({ ...resolution, disk }, unresolved)
}

/** Whether at least one unresolved import can be resolved now. */
async function resolvesNow(options: ResolveOptions, questions: readonly Question[]): Promise<boolean> {
  for (const question of questions) {
    try {
      if (await resolveTarget(options, question)) return true
    } catch {
      // The import still cannot be resolved.
    }
  }
  return false
}
