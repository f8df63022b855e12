import type { JsAdapter, JsResult, JsRunOptions, Workspace } from 'toolport'
import { createNodeJs, type NodeJsOptions } from 'toolport/adapters/node'
import { closedLater, workspaceOf } from './node-programs-fixture.js'

export { cleanUp, freshRoot, isRunning, put, rejection, root, workspaceOf } from './node-programs-fixture.js'

export function jsOf(options?: NodeJsOptions, workspace: Workspace = workspaceOf()): JsAdapter {
  return closedLater(createNodeJs(options)(workspace))
}

/** Runs one program. */
export function run(program: JsRunOptions, options?: NodeJsOptions): Promise<JsResult> {
  return jsOf(options).run(program)
}
