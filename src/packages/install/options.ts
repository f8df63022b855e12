import type { FetchAdapter } from '../../types/ports.js'

/** Limits of one install. Beyond a limit the install fails and writes nothing. */
export interface InstallLimits {
  /** Maximum number of packages in the whole tree; default 500. */
  readonly packages?: number
  /** Maximum number of files in all downloaded packages; default 50,000. */
  readonly files?: number
  /** Maximum bytes of all downloaded packages, unpacked; default 256 MiB. All content stays in memory until it is verified. */
  readonly unpackedBytes?: number
  /** Maximum bytes of one tarball, compressed; default 64 MiB. The fetch adapter has its own limit. */
  readonly packageBytes?: number
  /** Maximum bytes of one metadata response; default 16 MiB. The fetch adapter has its own limit. */
  readonly metadataBytes?: number
  /** Maximum nesting of packages (`node_modules/a/node_modules/b` is 2); default 32. */
  readonly depth?: number
}

const MIB = 1024 * 1024

const DEFAULT_LIMITS: Required<InstallLimits> = {
  packages: 500,
  files: 50_000,
  unpackedBytes: 256 * MIB,
  packageBytes: 64 * MIB,
  metadataBytes: 16 * MIB,
  depth: 32,
}

/** @throws {TypeError} for a limit that is not a number, or negative */
export function installLimits(limits: InstallLimits | undefined): Required<InstallLimits> {
  const all = { ...DEFAULT_LIMITS }
  for (const name of Object.keys(all) as (keyof InstallLimits)[]) {
    const value = limits?.[name]
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`The install limit "${name}" must be a number of 0 or more`)
    all[name] = value
  }
  return all
}

export type InstallPhase = 'resolve' | 'fetch' | 'unpack' | 'write'

/** Progress of an install. `total` may still grow while packages are resolved. */
export interface InstallProgress {
  readonly phase: InstallPhase
  /** Number of finished packages; in the phase `write`, of files. */
  readonly done: number
  readonly total: number
  /** Name of the package that was finished last. */
  readonly name: string
}

export interface InstallOptions {
  /**
   * Package specs as in npm: `nanoid`, `nanoid@^5`, `zod@latest`, `@scope/x@1.2`, `alias@npm:pkg@^1`. The packages become dependencies of
   * the project. A package that the project already has in a matching version stays; a tag is always looked up. Empty: the dependencies of
   * package.json.
   */
  readonly packages: readonly string[]
  /** Whether to add the packages to `devDependencies`. Default: the group that already lists the package, else `dependencies`. */
  readonly dev?: boolean
  /** Directory of the project. Default: the workspace's working directory. */
  readonly cwd?: string
  /** The fetch adapter. It must allow the registry's origin. */
  readonly fetch: FetchAdapter
  /** Base URL of the registry or of a proxy: `https://registry.example/npm/`. All requests go to this URL, including those for tarballs. */
  readonly registry: string
  /** Headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: InstallLimits
  /** Maximum number of concurrent requests; default 6. */
  readonly concurrency?: number
  /** Version of Node that programs see, used to choose versions and to warn about `engines.node`. Default: not checked. */
  readonly nodeVersion?: string
  /** Aborts the install and undoes its changes. Has no effect once package.json and the lockfiles are being written. */
  readonly signal?: AbortSignal
  /** Called with the progress. An exception ends the install. */
  readonly onProgress?: (progress: InstallProgress) => void
}

export interface InstalledPackage {
  /** Name of its directory: the alias, if there is one. */
  readonly name: string
  readonly version: string
  /** Virtual path of its directory. */
  readonly path: string
}

/**
 * What a warning is about.
 * - `peer`: a peer dependency is missing or does not match
 * - `optional`: an optional dependency was not installed
 * - `native`: the package contains code for one kind of machine
 * - `install_script`: the package has an install script, which never runs
 * - `deprecated`: the authors advise against the package
 * - `engine`: the package is made for another version of Node
 */
export type InstallWarningKind = 'peer' | 'optional' | 'native' | 'install_script' | 'deprecated' | 'engine'

export interface InstallWarning {
  readonly kind: InstallWarningKind
  readonly name: string
  /** Empty if no version was found. */
  readonly version: string
  readonly message: string
}

export interface InstallReport {
  /** The packages requested by name, in that order. */
  readonly requested: readonly InstalledPackage[]
  readonly added: readonly InstalledPackage[]
  /** Packages that replaced another version or a damaged copy. */
  readonly updated: readonly (InstalledPackage & { readonly from: string })[]
  readonly removed: readonly InstalledPackage[]
  /** Number of unchanged packages. */
  readonly unchanged: number
  /** Number of files written for packages. */
  readonly files: number
  readonly bytes: number
  /** Virtual path of the lock file. */
  readonly lockfile: string
  /** Warnings about added and updated packages; peer warnings about all packages. */
  readonly warnings: readonly InstallWarning[]
}
