import type { Disk } from './disk.js'
import { isObject, type Manifest } from './manifest.js'
import type { LoadedModule } from './types.js'

/** Folders of installed packages that ask for a builtin which is missing, and have something else for browsers. */
export async function browserCandidates(disk: Disk, modules: ReadonlyMap<string, LoadedModule>): Promise<Set<string>> {
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

/** The package itself: some have a package.json of their own in a folder of theirs, which says no more than `type`. */
async function packageOf(disk: Disk, path: string): Promise<Manifest | undefined> {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
  return folder === undefined ? undefined : disk.manifest(folder)
}

/** A `node` condition tells as much as a `browser` one: what stands beside it is for everything else. */
function knowsBrowsers({ browser, exports, imports }: Manifest): boolean {
  return typeof browser === 'string' || isObject(browser) || tellsApart(exports) || tellsApart(imports)
}

function tellsApart(target: unknown): boolean {
  if (Array.isArray(target)) return target.some(tellsApart)
  if (!isObject(target)) return false
  return Object.hasOwn(target, 'browser') || Object.hasOwn(target, 'node') || Object.values(target).some(tellsApart)
}
