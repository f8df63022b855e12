import type { Workspace } from './workspace.js'

/**
 * Loads tool files into the host's own process. Their code is unrestricted: no workspace rules, no grants, and no limits of time or memory
 * apply.
 */
export interface TrustedToolLoader {
  readonly name: string
  /**
   * Loads the file at a virtual path again on each call; its own imports may stay cached. Resolves to its exports.
   *
   * @throws {FsError}, {WorkspaceError} for an invalid path or a path outside the workspace; errors of the file
   */
  load(path: string): Promise<Readonly<Record<string, unknown>>>
}

/** Creates a loader for a workspace. @throws {UnsupportedError} for a storage whose files it cannot load */
export type TrustedTools = (workspace: Workspace) => TrustedToolLoader
