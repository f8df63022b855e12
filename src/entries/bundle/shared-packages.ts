import { lexers } from '../../packages/modules/lexers.js'
import type { Workspace } from '../../types/workspace.js'
import { relativePath } from '../../workspace/paths.js'
import type { EsbuildResult } from './esbuild-types.js'
import { FILES } from './options.js'
import type { Plan } from './plan.js'

// While an app is developed, the CommonJS modules of its packages are in a script of their own. An edit of the app neither builds nor prints
// them again. They stay lazy: each runs when the first module of the app requires it, as in one bundle.

const REGISTRY = 'globalThis.__toolport_packages'
/** Name of the output without its extension. It is a classic script, which runs before the modules of its page. */
export const PACKAGES = 'assets/chunks/packages'
const INPUT = '/packages.js#0'

/** What stands in the app for a module of a package. */
export const sharedModule = (path: string): string => `module.exports = ${REGISTRY}[${JSON.stringify(path)}]()`

/** The script of the packages, for the plan of the app that requires `paths`. */
export function planShared(plan: Plan, paths: readonly string[]): Plan {
  const all = paths.map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${relativePath(path, '/')}`)})`)
  const code = `Object.assign(${REGISTRY} ??= {}, {\n${all.join(',\n')}\n})`
  return { ...plan, pages: [], entries: [{ input: INPUT, name: PACKAGES }], inline: new Map([[INPUT, code]]) }
}

/** Whether an app and its packages can be two builds: no module is in both, and the packages need nothing but their script. */
export function isShareable(app: EsbuildResult, packages: EsbuildResult): boolean {
  const { outputs = {}, inputs = {} } = packages.metafile ?? {}
  const own = app.metafile?.inputs ?? {}
  return (
    packages.errors.length === 0 &&
    Object.keys(outputs).every((path) => /\.js(?:\.map)?$/.test(path)) &&
    !Object.keys(inputs).some((path) => path.startsWith(`${FILES}:`) && Object.hasOwn(own, path))
  )
}

/** Whether a file is a CommonJS module of a package, by its text, as bundlers tell it. */
export async function isCommonJsOfPackage(workspace: Workspace, path: string): Promise<boolean> {
  if (!path.includes('/node_modules/') || !/\.c?js$/.test(path)) return false
  try {
    const { text } = await workspace.readText(path)
    const [, , , hasModuleSyntax] = (await lexers()).module(text)
    return !hasModuleSyntax
  } catch {
    // The build of the app reports it.
    return false
  }
}
