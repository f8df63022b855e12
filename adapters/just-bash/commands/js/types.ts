import type { JsAdapter, JsGrants } from '../../../../src/types/js.js'
import type { Workspace } from '../../../../src/types/workspace.js'

/** The names of the commands that run JavaScript. */
export type JsCommandName = 'node' | 'js'

/** Options of `jsCommands`. */
export interface JsCommandsOptions {
  /** What programs may do. Default: they read and write files of the workspace (`fs: 'write'`), and have no `fetch` and no tools. */
  readonly grants?: JsGrants
  /** Of one program. Default the adapter's. */
  readonly memoryBytes?: number
  /** Default both. */
  readonly names?: readonly JsCommandName[]
}

/** An adapter, or what makes it for the workspace that the shell runs over. */
export type JsSource = JsAdapter | ((workspace: Workspace) => JsAdapter)
