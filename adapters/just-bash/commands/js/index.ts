import type { JsAdapter } from '../../../../src/types/js.js'
import type { ShellCommand, ShellCommandSource } from '../../../../src/types/shell.js'
import type { Workspace } from '../../../../src/types/workspace.js'
import type { JsCommandName, JsCommandsOptions, JsSource } from './types.js'

export type { JsCommandName, JsCommandsOptions, JsSource } from './types.js'

const ABOUT: Readonly<Record<JsCommandName, string>> = {
  node: 'runs JavaScript and TypeScript: node FILE, node -e CODE, node -p EXPRESSION',
  js: 'runs an ES module and prints its default export as JSON: js FILE, js -e CODE',
}

/** Loads the implementation on the first call, because most shells never use it. */
const load = (): Promise<typeof import('./run.js')> => import('./run.js')

/**
 * Creates the commands `node` and `js` for a virtual shell: `createJustBashShell({ commands: [...jsCommands(js)] })`. Programs run in the
 * adapter, in the working directory of the shell, with its exported variables and with the command's input and output. The commands never
 * close an adapter. A factory function is called once per workspace, when the first program runs.
 */
export function jsCommands(js: JsSource, options: JsCommandsOptions = {}): readonly ShellCommandSource[] {
  const adapters = new WeakMap<Workspace, JsAdapter>()
  const adapterOf = (workspace: Workspace): JsAdapter => {
    if (typeof js !== 'function') return js
    const made = adapters.get(workspace) ?? js(workspace)
    adapters.set(workspace, made)
    return made
  }
  return (options.names ?? ['node', 'js']).map(
    (name) =>
      (workspace: Workspace): ShellCommand => ({
        name,
        about: ABOUT[name],
        run: async (args, context) => (await load()).runJsCommand(args, { name, js: adapterOf(workspace), options, workspace, context }),
      }),
  )
}
