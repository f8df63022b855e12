import type { FetchAdapter } from '../../types/ports.js'

/** What one install may take. Past one it fails, with nothing written. */
export interface InstallLimits {
  /** In the whole tree; default 500. */
  readonly packages?: number
  /** Of all packages that are fetched; default 50,000. */
  readonly files?: number
  /** Of all packages that are fetched; default 256 MiB. They are held in memory until all of them are checked. */
  readonly unpackedBytes?: number
  /** Of one tarball, as it is fetched; default 64 MiB. The fetch adapter has a limit of its own. */
  readonly packageBytes?: number
  /** Of one answer that describes a package; default 16 MiB. The fetch adapter has a limit of its own. */
  readonly metadataBytes?: number
  /** Packages inside each other (`node_modules/a/node_modules/b` are two); default 32. */
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

/** @throws {TypeError} for one that is no number, or negative */
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

/** `total` may still grow while packages are resolved. */
export interface InstallProgress {
  readonly phase: InstallPhase
  /** Packages; files in `write`. */
  readonly done: number
  readonly total: number
  /** Of the package that was finished last. */
  readonly name: string
}

export interface InstallOptions {
  /**
   * As npm takes them: `nanoid`, `nanoid@^5`, `zod@latest`, `@scope/x@1.2`, `alias@npm:pkg@^1`. They become dependencies of the project.
   * One that the project has already, in a version that fits, stays as it is; a tag is always asked for. Empty: what package.json asks for.
   */
  readonly packages: readonly string[]
  /** Add them to `devDependencies`. Default: where they are already, else `dependencies`. */
  readonly dev?: boolean
  /** The project; default the workspace's own. */
  readonly cwd?: string
  /** Has to allow the registry's origin. */
  readonly fetch: FetchAdapter
  /** Address of the registry, or of a proxy of it: `https://registry.example/npm/`. Everything is asked there, tarballs too. */
  readonly registry: string
  /** Sent with each request: `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: InstallLimits
  /** Requests at a time; default 6. */
  readonly concurrency?: number
  /** The version of Node that programs here find, to choose and to warn by `engines.node`. Default: it is not looked at. */
  readonly nodeVersion?: string
  /** Ends the install until the moment when everything is ready to be put in place; then it is too late. */
  readonly signal?: AbortSignal
  /** What it throws ends the install. */
  readonly onProgress?: (progress: InstallProgress) => void
}

export interface InstalledPackage {
  /** Of its directory, which is an alias's own. */
  readonly name: string
  readonly version: string
  /** Virtual path of its directory. */
  readonly path: string
}

/**
 * - `peer`: what it needs beside it is missing, or does not fit
 * - `optional`: an optional dependency that is not installed
 * - `native`: it has parts that are built for, or run by, one kind of machine only
 * - `install_script`: it wants to run a program when it is installed, which never happens here
 * - `deprecated`: its authors advise against it
 * - `engine`: it is made for another version of Node
 */
export type InstallWarningKind = 'peer' | 'optional' | 'native' | 'install_script' | 'deprecated' | 'engine'

export interface InstallWarning {
  readonly kind: InstallWarningKind
  readonly name: string
  /** Empty where none was found. */
  readonly version: string
  readonly message: string
}

export interface InstallReport {
  /** What was asked for by name, in that order. */
  readonly requested: readonly InstalledPackage[]
  readonly added: readonly InstalledPackage[]
  /** In the place of another version, or of a copy that was damaged. */
  readonly updated: readonly (InstalledPackage & { readonly from: string })[]
  readonly removed: readonly InstalledPackage[]
  /** How many stayed as they were. */
  readonly unchanged: number
  /** Written, of packages. */
  readonly files: number
  readonly bytes: number
  /** Virtual path of the lock file. */
  readonly lockfile: string
  /** About what was added or updated; those about peers, about everything. */
  readonly warnings: readonly InstallWarning[]
}
