import type { PackageEntry } from './entry.js'
import type { LockFile } from './lockfile.js'
import { type Project, type Saved, wantsOf } from './project.js'
import type { Registry } from './registry-client.js'
import { fits, parseSpec, type Request, savedSpec } from './specs.js'

/** The versions that were chosen for the requests. */
export interface Chosen {
  readonly saved: readonly Saved[]
  /** The version to install, by directory name. Omits unchanged packages. */
  readonly explicit: ReadonlyMap<string, PackageEntry>
  /** The range to accept while the tree is built, by name. This range is narrower than the range saved in package.json. */
  readonly asked: ReadonlyMap<string, string>
}

/** Chooses versions and the ranges to save in package.json. Keeps installed packages that match. */
export async function chooseRequested(
  requests: readonly Request[],
  project: Project,
  lock: LockFile,
  dev: boolean | undefined,
  registry: Registry,
): Promise<Chosen> {
  const wants = wantsOf(project)
  const written = new Map([...wants.devDependencies, ...wants.dependencies, ...wants.optionalDependencies])
  const explicit = new Map<string, PackageEntry>()
  const asked = new Map<string, string>()
  const choose = async (request: Request): Promise<Saved> => {
    const { name } = request
    const before = written.get(name)
    const spec = request.any && before !== undefined ? parseSpec(name, before, ' (of package.json)') : request
    const locked = lock.packages.get(`node_modules/${name}`)
    const stays =
      locked && (spec !== request || (request.kind !== 'tag' && !request.any)) && fits(spec, locked.name ?? name, locked.version)
    if (stays) return { name, dev, given: stillFits(name, before, locked) ? before : savedSpec(request, locked.version) }
    const picked = await registry.pick(spec, '')
    const entry = spec.registryName === name ? picked : { name: spec.registryName, ...picked }
    explicit.set(name, entry)
    const narrow = spec.kind === 'range' ? spec.wanted : entry.version
    asked.set(name, spec.registryName === name ? narrow : `npm:${spec.registryName}@${narrow}`)
    return { name, dev, given: spec !== request && before !== undefined ? before : savedSpec(request, entry.version) }
  }
  return { saved: await Promise.all(requests.map(choose)), explicit, asked }
}

function stillFits(name: string, given: string | undefined, { name: registryName = name, version }: PackageEntry): given is string {
  return given !== undefined && fits(parseSpec(name, given, ' (of package.json)'), registryName, version)
}
