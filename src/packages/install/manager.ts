import type { ShellOutput } from '../../types/shell.js'
import type { Workspace } from '../../types/workspace.js'
import type { InstallReport } from './options.js'

/** One install by an external package manager. */
export interface ManagedInstall {
  /**
   * Package specs as for the built-in installer: `nanoid`, `nanoid@^5`, `@scope/x@latest`, `alias@npm:pkg`. Empty: the dependencies of
   * package.json.
   */
  readonly packages: readonly string[]
  /** Whether to add the packages to `devDependencies`. Default: the manager decides. */
  readonly dev?: boolean
  /** The project directory: a path in the workspace. Default the workspace itself. */
  readonly cwd?: string
  /** Ends the install. Completed changes stay. */
  readonly signal?: AbortSignal
  /** Called with printed lines. The manager ignores exceptions of this function. */
  readonly onOutput?: (output: ShellOutput) => void
}

/** The result of an install. Managers count differently, so some fields of `InstallReport` are missing. */
export interface ManagedReport extends Omit<InstallReport, 'files' | 'bytes' | 'lockfile'> {
  /** `npm`, `pnpm`, `yarn`, `bun`. */
  readonly manager: string
  readonly lockfile?: string
}

/** Installs packages with a project's own package manager instead of the built-in installer. */
export interface PackageManager {
  readonly name: string
  /** Whether the manager runs scripts of packages, which may do anything. */
  readonly runsScripts: boolean
  /**
   * Installs packages. Not atomic: after a failure the project may be partly changed.
   *
   * @throws {InputError} with `details.reason` as of `installPackages`, or `manager` with the manager's own message @throws {PolicyError}
   * read_only; {UnsupportedError} for a storage that the manager cannot reach; {JsError} spawn_failed: the manager is not installed;
   * {FsError}, {WorkspaceError}; {NetworkError}; the signal's reason
   */
  install(workspace: Workspace, request: ManagedInstall): Promise<ManagedReport>
}
