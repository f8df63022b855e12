import { lexers } from '../../packages/modules/lexers.js'
import type { Workspace } from '../../types/workspace.js'
import { relativePath } from '../../workspace/paths.js'
import type { EsbuildResult } from './esbuild-types.js'
import { FILES } from './options.js'
import type { Plan } from './plan.js'

// During development, the CommonJS modules of packages form a separate script, so that esbuild does not build them again when the app
// changes. As in a single bundle, each of these modules runs when the app first requires it.

/** Namespace of the stubs in the app. Each stub stands for a module in the packages' script. */
export const SHARED = 'workspace-shared'
const REGISTRY = 'globalThis.__toolport_packages'
/** Name of the packages' script, without its extension. This is a classic script, so it runs before the modules of the page. */
export const PACKAGES = 'assets/chunks/packages'
const INPUT = '/packages.js#0'

/**
 * esbuild options for the packages' script. Minifies whitespace, because half the text loads in half the time. Adds strict mode, which the
 * modules of an app have too.
 */
export const PACKAGES_BUILD: object = { format: 'iife', splitting: false, minifyWhitespace: true, banner: { js: '"use strict";' } }

/** The code of a stub in the app for a module of a package. The stub throws if the page has not loaded the script of the same build. */
export function sharedModule(path: string): string {
  const key = JSON.stringify(path)
  const text = `Cannot load "${path}": this page has not loaded "${PACKAGES}.js" of the same build. Reload the page. If that does not help, add the page to "entryPoints" of the bundler.`
  return `const load = ${REGISTRY}?.[${key}]\nif (!load) throw new Error(${JSON.stringify(text)})\nmodule.exports = load()`
}

/** The plan of the packages' script, for an app that requires `paths`. */
export function planShared(plan: Plan, paths: readonly string[]): Plan {
  const all = paths.map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${relativePath(path, '/')}`)})`)
  const code = `Object.assign(${REGISTRY} ??= {}, {\n${all.join(',\n')}\n})`
  return { ...plan, pages: [], entries: [{ input: INPUT, name: PACKAGES }], inline: new Map([[INPUT, code]]) }
}

/** Whether the packages fit into one classic script: no other output, no external module, no `import.meta`. */
export function isOneScript({ errors, metafile, outputFiles = [] }: EsbuildResult): boolean {
  const { outputs = {}, inputs = {} } = metafile ?? {}
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))
  return (
    errors.length === 0 &&
    Object.keys(outputs).every((path) => /\.js(?:\.map)?$/.test(path)) &&
    !Object.values(inputs).some(({ imports = [] }) =>
      imports.some(({ path, kind, external }) => external && kind === 'import-statement' && !path.startsWith('<')),
    ) &&
    !/\bimport_meta\d*=\{\}/.test(new TextDecoder().decode(script?.contents))
  )
}

/** Whether both builds contain the same module, which would then run twice. */
export function haveSameModule(app: EsbuildResult, packages: EsbuildResult): boolean {
  const own = app.metafile?.inputs ?? {}
  return Object.keys(packages.metafile?.inputs ?? {}).some((path) => path.startsWith(`${FILES}:`) && Object.hasOwn(own, path))
}

/** Whether a file is a CommonJS module of a package: a script without ES module syntax. */
export async function isCommonJsOfPackage(workspace: Workspace, path: string): Promise<boolean> {
  if (!path.includes('/node_modules/') || !/\.c?js$/.test(path)) return false
  try {
    const { text } = await workspace.readText(path)
    return !(await lexers()).module(text).hasModuleSyntax
  } catch {
    // The build of the app reports the error.
    return false
  }
}
