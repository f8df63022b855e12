import type { ShellOutput } from '../../types/shell.js'
import type { Workspace } from '../../types/workspace.js'
import type { InstallReport } from './options.js'

export interface ManagedInstall {
  /** As those of the built-in installer: `nanoid`, `nanoid@^5`, `@scope/x@latest`, `alias@npm:pkg`. Empty: what package.json asks for. */
  readonly packages: readonly string[]
  /** Add them to `devDependencies`. Default: as the manager does. */
  readonly dev?: boolean
  /** The project: a path in the workspace, which is the default. */
  readonly cwd?: string
  /** Ends it. What it has done by then stays. */
  readonly signal?: AbortSignal
  /** Told what it prints, line by line. What it throws is ignored. */
  readonly onOutput?: (output: ShellOutput) => void
}

/** What is known of it afterwards: managers count differently. */
export interface ManagedReport extends Omit<InstallReport, 'files' | 'bytes' | 'lockfile'> {
  /** `npm`, `pnpm`, `yarn`, `bun`. */
  readonly manager: string
  readonly lockfile?: string
}

/** Installs by the package manager of a project, in the place of what is built in. */
export interface PackageManager {
  readonly name: string
  /** Whether scripts of packages are run, which may do anything. */
  readonly runsScripts: boolean
  /**
   * Not all or nothing: after a failure the project may be half changed.
   *
   * @throws {InputError} with `details.reason` as of `installPackages`, or `manager`: it failed, in its own words
   * @throws {PolicyError} read_only; {UnsupportedError} for storage that it cannot reach; {JsError} spawn_failed: it is not installed;
   * {FsError}, {WorkspaceError}; {NetworkError}; the signal's reason
   */
  install(workspace: Workspace, request: ManagedInstall): Promise<ManagedReport>
}
