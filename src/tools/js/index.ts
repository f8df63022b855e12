import type { AnyTool } from '../../types/tool.js'
import { backgroundTools } from '../shell/background/index.js'
import { JS } from './family.js'
import { installJsPackages } from './install-js-packages.js'
import { checkJsOptions, type JsToolsOptions } from './options.js'
import { runJs } from './run-js.js'
import { runJsModule } from './run-js-module.js'
import { startBackgroundJs } from './start-background-js.js'

export type { JsToolGrants, JsToolsOptions } from './options.js'

const sessions = backgroundTools(JS)

/**
 * `run_js`, `run_js_module`, `install_js_packages`, and programs that run beside the calls: `start_ read_ write_ stop_ list_background_js`.
 *
 * @throws {TypeError} for grants that are none, and for an address of a registry that is none
 */
export function jsTools(options: JsToolsOptions = {}): AnyTool[] {
  const settings = checkJsOptions(options)
  return [runJs(settings), runJsModule(settings), installJsPackages(settings), startBackgroundJs(settings), ...sessions]
}
