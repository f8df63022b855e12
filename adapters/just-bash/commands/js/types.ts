import type { JsAdapter, JsGrants } from '../../../../src/types/js.js'
import type { Workspace } from '../../../../src/types/workspace.js'

/** Names of the commands that run JavaScript. */
export type JsCommandName = 'node' | 'js'

/** Options of `jsCommands`. */
export interface JsCommandsOptions {
  /** Permissions of programs. Default: `fs: 'write'` (read and write workspace files), without `fetch` and tools. */
  readonly grants?: JsGrants
  /** Memory limit of one program, in bytes. Default: the adapter's limit. */
  readonly memoryBytes?: number
  /** Names of the commands to create. Default: both. */
  readonly names?: readonly JsCommandName[]
}

/** An adapter, or a function that creates one for the shell's workspace. */
export type JsSource = JsAdapter | ((workspace: Workspace) => JsAdapter)
