import type { Workspace } from './workspace.js'

/**
 * Loads tool files beside the program that uses them. What they do is bound by nothing: not by the workspace and its rules, not by grants,
 * not by time or memory.
 */
export interface TrustedToolLoader {
  readonly name: string
  /**
   * Loads the file at a virtual path, anew each time; what it imports in turn may stay as it was. Resolves to what it exports.
   *
   * @throws {FsError}, {WorkspaceError} for a path that is none, or leads out; what the file throws
   */
  load(path: string): Promise<Readonly<Record<string, unknown>>>
}

/** A loader over a workspace. @throws {UnsupportedError} for storage whose files it cannot load */
export type TrustedTools = (workspace: Workspace) => TrustedToolLoader
