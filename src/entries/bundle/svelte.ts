import { isRecord } from '../../ops/is-record.js'
import { lineAt } from '../../ops/lines.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import type { Esbuild, EsbuildMessage, Failure } from './esbuild-types.js'
import { FILES } from './options.js'
import { type Reading, versionOf } from './reading.js'
import { type Question, type ResolveOptions, resolveTarget } from './resolve.js'
import { joinMaps, type Mappings, originalPosition, withMap, withoutMap } from './source-maps.js'
import { PROGRAM_NAME, type SvelteCompiler } from './svelte-compiler.js'
import type { Compiled, SvelteMessage } from './svelte-program.js'

/** Namespace of component stylesheets. A compiled component imports its own stylesheet by this name too. */
export const SVELTE_STYLES = 'workspace-svelte'

/** Whether a file is a Svelte component, or a module with runes. */
export const isSvelte = (path: string): boolean => /\.svelte(?:\.[jt]s)?$/.test(path)

/** Compiles the Svelte files of one build. */
export interface SvelteLoader {
  /** @throws {FsError}, {WorkspaceError} while reading the compiler's files */
  load(
    path: string,
    text: string,
  ): Promise<Failure | { readonly contents: string; readonly loader: 'js'; readonly warnings: readonly EsbuildMessage[] }>
  /** CSS of a component that `load` has loaded. */
  styles(path: string): string
}

interface SvelteLoaderOptions {
  readonly workspace: Workspace
  readonly compiler: SvelteCompiler | undefined
  readonly esbuild: Pick<Esbuild, 'transform'>
  readonly root: string
  readonly resolution: () => ResolveOptions
  readonly reading: () => Reading
}

/** JavaScript for the compiler, and a source map to the file if the code differs from the file. */
interface Plain {
  readonly code: string
  readonly map?: Mappings
}

const OLDEST = 5

export function createSvelteLoader({ compiler, esbuild, root, workspace, resolution, reading }: SvelteLoaderOptions): SvelteLoader {
  const css = new Map<string, string>()
  const found = new WeakMap<Reading, Promise<Installed>>()
  /** Looks for the compiler once per build. */
  const installedCompiler = (): Promise<Installed> => {
    const looking = found.get(reading()) ?? findCompiler(workspace, root, resolution(), reading())
    found.set(reading(), looking)
    return looking
  }
  return {
    styles: (path) => css.get(path) ?? '',
    async load(path, text) {
      const fails = (cause: string): Failure => ({ errors: [{ text: `Cannot compile "${path}": ${cause}.` }] })
      if (!compiler) {
        return fails(
          'the bundler has no JavaScript sandbox to run the Svelte compiler. Ask the developer of this program to add one, or write the app without Svelte',
        )
      }
      const installed = await installedCompiler()
      if ('problem' in installed) return fails(installed.problem)
      const unknown = path.endsWith('.svelte') ? unknownStyle(text) : undefined
      if (unknown) return { errors: [await located(path, text, cannotCompile(path, unknown))] }
      const plain = path.endsWith('.ts') ? await plainModule(esbuild, resolution(), path, text) : { code: text }
      if (!('code' in plain)) return plain
      let compiled: Compiled
      try {
        compiled = await compiler.compile({ path, code: plain.code }, installed.version)
      } catch (error) {
        return fails(error instanceof Error ? error.message : String(error))
      }
      if ('error' in compiled) return { errors: [await located(path, text, cannotCompile(path, compiled.error), plain.map)] }
      const { js } = compiled
      const source = `${FILES}:${path}`
      css.set(path, compiled.css ? withMap(compiled.css.code, compiled.css, source, text) : '')
      const imports = compiled.css ? `\nimport ${JSON.stringify(SVELTE_STYLES)}` : ''
      const warnings = path.includes('/node_modules/') ? [] : compiled.warnings
      return {
        contents: withMap(js.code + imports, plain.map ? await joinMaps(plain.map, js) : js, source, text),
        loader: 'js',
        warnings: await Promise.all(warnings.map((warning) => located(path, text, warning, plain.map))),
      }
    },
  }
}

type Installed = { readonly version: string } | { readonly problem: string }

/** Finds the version of the installed compiler. Records in `reading` the file or lookup that the result depends on. */
async function findCompiler(workspace: Workspace, root: string, options: ResolveOptions, reading: Reading): Promise<Installed> {
  const importer = joinPath(root, PROGRAM_NAME)
  const question: Question = { specifier: 'svelte/compiler', importer, folder: root, kind: 'require' }
  const found = await resolveTarget(options, question).catch(() => undefined)
  const path = found && 'path' in found ? found.path : undefined
  const folder = path && /^.*\/node_modules\/svelte(?=\/)/.exec(path)?.[0]
  if (path === undefined || folder === undefined) {
    const problem = '"svelte" is not installed in the workspace. Install it'
    reading.unresolved.push({ ...question, written: question.specifier, text: problem })
    return { problem }
  }
  const version = await versionIn(workspace, joinPath(folder, 'package.json'))
  if (!(Number.parseInt(version, 10) >= OLDEST)) {
    return { problem: `the bundler needs "svelte" ${OLDEST}, and ${version} is installed. Install "svelte@${OLDEST}"` }
  }
  // The version includes the compiler's own file, so that an edited compiler compiles everything again.
  const content = await versionOf(workspace, path)
  reading.inputs.set(path, content)
  return { version: `${version} ${content}` }
}

async function versionIn(workspace: Workspace, path: string): Promise<string> {
  try {
    const manifest: unknown = JSON.parse((await workspace.readText(path)).text)
    return isRecord(manifest) && typeof manifest.version === 'string' ? manifest.version : 'an unknown version'
  } catch {
    return 'an unknown version'
  }
}

const NOT_MARKUP = /<!--[\s\S]*?-->|<script\b[\s\S]*?<\/script\s*>/gi
const STYLE_LANGUAGE = /<style\b[^>]*?\slang\s*=\s*["']?(?!css\b)([\w-]+)/i

/** The error for a stylesheet in a language that Svelte leaves to preprocessors. */
function unknownStyle(text: string): SvelteMessage | undefined {
  const markup = text.replace(NOT_MARKUP, (all) => all.replace(/[^\n]/g, ' '))
  const found = STYLE_LANGUAGE.exec(markup)
  if (!found) return undefined
  const { index, 1: language } = found
  const column = index - (text.lastIndexOf('\n', index - 1) + 1)
  return {
    text: `the bundler has no preprocessor for <style lang="${language}">. Write plain CSS, in which rules can be nested`,
    place: { line: lineAt(text, index), column },
  }
}

/** Removes the types of a module, which Svelte does only in components. */
async function plainModule(
  esbuild: Pick<Esbuild, 'transform'>,
  { tsconfig }: ResolveOptions,
  path: string,
  text: string,
): Promise<Plain | Failure> {
  const { verbatimModuleSyntax, experimentalDecorators } = tsconfig.compilerOptions
  const compilerOptions = { verbatimModuleSyntax, experimentalDecorators, useDefineForClassFields: true }
  try {
    const { code, map } = await esbuild.transform(withoutMap(text), {
      loader: 'ts',
      target: 'esnext',
      sourcefile: path,
      sourcemap: 'external',
      sourcesContent: false,
      charset: 'utf8',
      logLevel: 'silent',
      tsconfigRaw: { compilerOptions },
    })
    return { code, map: JSON.parse(map) as Mappings }
  } catch (error) {
    if (!isRecord(error) || !Array.isArray(error.errors)) throw error
    // esbuild reports `path` as a path on the machine, so replace it.
    const at = { file: path, namespace: FILES }
    return {
      errors: (error.errors as EsbuildMessage[]).map(({ text, location }) => ({ text, location: location && { ...location, ...at } })),
    }
  }
}

const cannotCompile = (path: string, message: SvelteMessage): SvelteMessage => ({
  ...message,
  text: `Cannot compile "${path}": ${message.text}`,
})

/** Converts a message of the compiler to a message of esbuild, with its position in the file. */
async function located(path: string, text: string, { text: said, place }: SvelteMessage, map?: Mappings): Promise<EsbuildMessage> {
  const found = place && map ? await originalPosition(map, place) : place
  const lineText = found && text.split(/\r\n?|\n/)[found.line - 1]
  if (!found || lineText === undefined) return { text: said, location: null }
  const column = new TextEncoder().encode(lineText.slice(0, found.column)).length
  return { text: said, location: { file: path, namespace: FILES, line: found.line, column, lineText } }
}
