import { defineTool } from '../../core/define-tool.js'
import { list, object, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { charactersAtMost, flag, NOT_BLANK, notBlank } from '../schema.js'
import type { JsSettings } from './options.js'

const body = lazy(() => import('./install.js'))

const MOST_PACKAGES = 100
const LONGEST_NAME = 500

const name = text(undefined, { pattern: NOT_BLANK, maxLength: LONGEST_NAME }, [
  notBlank('is empty: give the name of a package'),
  charactersAtMost(LONGEST_NAME),
])

const inputSchema = object({
  packages: list(name, {
    max: MOST_PACKAGES,
    description: 'Such as "nanoid", "zod@^4", "yaml@latest", "@scope/name@1.2". Empty: what package.json asks for.',
  }),
  dev: flag('Add them to devDependencies.', false),
  cwd: optional(text('The directory of the project: absolute, or relative to the workspace, which is the default.')),
})

export function installJsPackages(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'install_js_packages',
    description: description(settings),
    inputSchema,
    outputSchema: outputOf('install_js_packages'),
    annotations: { title: 'Install packages', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    requires: settings.packageManager ? ['js'] : ['js', 'fetch'],
    run: async (input, context) => (await body()).runInstall(settings, input, context),
  })
}

function description({ packageManager }: JsSettings): string {
  const what =
    'Install packages from the npm registry into node_modules, for run_js and run_js_module to import: package.json and a lock file are written too.'
  if (!packageManager)
    return `${what} No program of a package runs while it is installed, and packages with native parts do not work. All of it is done, or nothing.`
  const scripts = packageManager.runsScripts ? '' : ' No program of a package runs while it is installed.'
  return `${what} The package manager of the project does it.${scripts}`
}
