import { isRecord } from '../../ops/is-record.js'
import { lineAt } from '../../ops/lines.js'
import type { BuildMessage } from '../../types/preview.js'
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

/** Whether a file is a Svelte component, or a module that may have runes. */
export const isSvelte = (path: string): boolean => /\.svelte(?:\.[jt]s)?$/.test(path)

const RUNE = /\$(?:state|derived|effect|inspect|props|bindable|host)\b/

/** Whether Svelte has to compile a file. A module without runes is an ordinary module. */
export const needsSvelte = (path: string, bytes: Uint8Array): boolean =>
  isSvelte(path) && (path.endsWith('.svelte') || RUNE.test(new TextDecoder().decode(bytes)))

/** Compiles the Svelte files of one build. */
export interface SvelteLoader {
  /** @throws {FsError}, {WorkspaceError} while reading the compiler's files */
  load(
    path: string,
    text: string,
  ): Promise<Failure | { readonly contents: string; readonly loader: 'js'; readonly warnings: readonly EsbuildMessage[] }>
  /** CSS of a component that `load` has loaded. */
  styles(path: string): string
  /**
   * Converts a message about a position in compiled code to one about the source. If the position has no source, omits it. `location`: the
   * file's name with its namespace.
   */
  original(location: string, message: BuildMessage): Promise<BuildMessage>
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
const LINE_BREAK = /\r\n?|\n/

export function createSvelteLoader({ compiler, esbuild, root, workspace, resolution, reading }: SvelteLoaderOptions): SvelteLoader {
  const css = new Map<string, string>()
  const sources = new Map<string, { readonly lines: readonly string[]; readonly map: Mappings }>()
  const told = new WeakSet<Error>()
  let build: { readonly reading: Reading; readonly installed: Promise<Installed> } | undefined
  /** Looks for the compiler once per build, and forgets the files of the previous build. */
  const installedCompiler = (): Promise<Installed> => {
    const now = reading()
    if (build?.reading === now) return build.installed
    css.clear()
    sources.clear()
    build = { reading: now, installed: findCompiler(workspace, root, resolution(), now) }
    return build.installed
  }
  return {
    styles: (path) => css.get(path) ?? '',
    async original(location, message) {
      const { text, file, line = 1, column = 1, code = '' } = message
      const source = sources.get(location)
      if (!source) return message
      // Positions of the compiler's own messages are in the source. esbuild shortens the lines of these messages.
      if (source.lines[line - 1]?.startsWith(code)) return message
      const place = await originalPosition(source.map, { line, column: column - 1 })
      const lineText = place && source.lines[place.line - 1]
      if (!place || lineText === undefined) return { text, ...(file !== undefined && { file }) }
      const before = Math.min(Math.max(place.column, 0), lineText.length)
      return { ...message, line: place.line, column: before + 1, code: lineText }
    },
    async load(path, text) {
      const fails = (cause: string): Failure => ({ errors: [{ text: `Cannot compile "${path}": ${cause}.` }] })
      if (!compiler) {
        return fails(
          'the bundler has no JavaScript sandbox to run the Svelte compiler. Ask the developer of this program to add one, or write the app without Svelte',
        )
      }
      const installed = await installedCompiler()
      if ('problem' in installed) return fails(installed.problem)
      const plain = path.endsWith('.ts') ? await plainModule(esbuild, resolution(), path, text) : { code: text }
      if (!('code' in plain)) return plain
      let compiled: Compiled
      try {
        compiled = await compiler.compile({ path, code: plain.code }, installed.version)
      } catch (error) {
        const failure = error as Error
        // All files of the build fail with this error, so one report suffices.
        if (told.has(failure)) return { contents: '', loader: 'js', warnings: [] }
        told.add(failure)
        return fails(failure.message.replace(/\.$/, ''))
      }
      const styles = path.endsWith('.svelte') ? unknownStyles(text) : []
      const lines = text.split(LINE_BREAK)
      const place = (message: SvelteMessage): Promise<EsbuildMessage> => located(path, lines, message, plain.map)
      if ('error' in compiled) {
        const errors = [...styles, compiled.error].map((error) => ({ ...error, text: `Cannot compile "${path}": ${error.text}` }))
        return { errors: await Promise.all(errors.map(place)) }
      }
      const { js } = compiled
      const source = `${FILES}:${path}`
      const map = plain.map ? await joinMaps(plain.map, js) : js
      sources.set(source, { lines, map })
      if (compiled.css) sources.set(`${SVELTE_STYLES}:${path}`, { lines, map: compiled.css })
      css.set(path, compiled.css ? withMap(compiled.css.code, compiled.css, source, text) : '')
      const imports = compiled.css ? `\nimport ${JSON.stringify(SVELTE_STYLES)}` : ''
      const unclear = styles.map((style) => ({ ...style, text: `The styles of "${path}" may be wrong: ${style.text}` }))
      const warnings = path.includes('/node_modules/') ? [] : [...unclear, ...compiled.warnings]
      return { contents: withMap(js.code + imports, map, source, text), loader: 'js', warnings: await Promise.all(warnings.map(place)) }
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

// Unclosed markup ends with the file. Otherwise, each opening tag would search to the end of the file.
const NOT_MARKUP = /<!--[\s\S]*?(?:-->|$)|<script\b[\s\S]*?(?:<\/script\s*>|$)/gi
const STYLE_LANGUAGE = /<style\b[^<>]*?\slang\s*=\s*["']?(?!css\b)([\w-]+)/i

/** A message for a stylesheet in a language that Svelte leaves to preprocessors. Svelte itself compiles it as CSS. */
function unknownStyles(text: string): readonly SvelteMessage[] {
  const markup = text.replace(NOT_MARKUP, (all) => all.replace(/[^\n]/g, ' '))
  const found = STYLE_LANGUAGE.exec(markup)
  if (!found) return []
  const { index, 1: language } = found
  const column = index - (text.lastIndexOf('\n', index - 1) + 1)
  const said = `the bundler has no preprocessor for <style lang="${language}">. Write plain CSS, in which rules can be nested`
  return [{ text: said, place: { line: lineAt(text, index), column } }]
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

/** Converts a message of the compiler to a message of esbuild, with its position in the file. */
async function located(path: string, lines: readonly string[], { text, place }: SvelteMessage, map?: Mappings): Promise<EsbuildMessage> {
  const found = place && map ? await originalPosition(map, place) : place
  const lineText = found && lines[found.line - 1]
  if (!found || lineText === undefined) return { text, location: null }
  const column = new TextEncoder().encode(lineText.slice(0, found.column)).length
  return { text, location: { file: path, namespace: FILES, line: found.line, column, lineText } }
}
