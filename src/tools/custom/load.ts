import type { AnyTool } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import type { ToolPlace } from './custom-registry.js'
import { type CustomToolFacts, describeTool, type Loading } from './describe.js'
import type { CustomToolsSettings } from './options.js'

/** The report of loading custom tools. */
export interface LoadedCustomTools {
  /** Virtual paths. */
  readonly searchedDirectories: string[]
  readonly loaded: { readonly name: string; readonly sourcePath: string }[]
  /** One message for each file without a tool: `failed loading <file>: <why>`. */
  readonly errors: string[]
}

interface LoadOptions extends Loading {
  readonly place: ToolPlace
  readonly settings: CustomToolsSettings
  /** Virtual paths, searched in this order. */
  readonly directories: readonly string[]
  readonly make: (facts: CustomToolFacts) => AnyTool
  readonly signal?: AbortSignal | undefined
}

const MOST_FILES = 500

/** Loads and registers tool files. Does not reject because of a file: the error of a file is in the report. */
export async function loadInto({ place, settings, directories, make, signal, ...loading }: LoadOptions): Promise<LoadedCustomTools> {
  const found = (await Promise.all(directories.map((directory) => findToolFiles(loading.workspace, directory)))).flat()
  const files = [...new Set(found)]
  const report: LoadedCustomTools = { searchedDirectories: [...directories], loaded: [], errors: [] }
  // Load files one by one: if programs share a thread, a program that loops would use up the time of the others.
  for (const path of files.slice(0, MOST_FILES)) {
    const looked = await look(loading, path, settings, signal)
    if (typeof looked === 'string') report.errors.push(looked)
    else register(looked, place, make, report)
  }
  if (files.length > MOST_FILES) report.errors.push(`skipped ${files.length - MOST_FILES} files: more than ${MOST_FILES} are not looked at`)
  return report
}

async function look(
  loading: Loading,
  path: string,
  settings: CustomToolsSettings,
  signal: AbortSignal | undefined,
): Promise<CustomToolFacts | string> {
  try {
    return (await describeTool(loading, path, settings, signal)) ?? `skipped ${path}: no valid tool export found`
  } catch (error) {
    return `failed loading ${path}: ${messageOf(error)}`
  }
}

/**
 * Registers the tool of a file. The first file of a name, and any tool that is already registered, take precedence. A file that was loaded
 * before is reloaded.
 */
function register(facts: CustomToolFacts, place: ToolPlace, make: LoadOptions['make'], report: LoadedCustomTools): void {
  const { name, path } = facts
  try {
    const isTaken = place.isBuiltin(name) || (place.has(name) && place.fileOf(name) !== path)
    if (isTaken) throw new Error(`tool already registered: ${name}`)
    place.put(make(facts), path)
    report.loaded.push({ name, sourcePath: path })
  } catch (error) {
    report.errors.push(`failed registering ${path}: ${messageOf(error)}`)
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const TOOL_FILE = /\.[cm]?[jt]s$/i
const DECLARATION = /\.d\.[cm]?ts$/i
/** A temporary tool file, see `persistent.ts`. */
const CANDIDATE: RegExp = /^\..*\.new\.[cm]?js$/

/** Lists the tool files below a directory, in code-unit order. Empty if the directory is missing. Does not follow links. Never rejects. */
async function findToolFiles(workspace: Workspace, directory: string): Promise<string[]> {
  const filter = {
    start: null,
    enter: (_: unknown, name: string) => (name === 'node_modules' ? undefined : null),
    accept: (_: unknown, name: string, kind: string) => kind === 'file' && isToolFile(name),
  }
  const files: string[] = []
  try {
    for await (const run of workspace.walk(directory, { filter, ignore: false, onError: () => undefined }))
      files.push(...run.map(({ path }) => path))
  } catch {
    return files.sort()
  }
  return files.sort()
}

const isToolFile = (name: string): boolean => TOOL_FILE.test(name) && !DECLARATION.test(name) && !CANDIDATE.test(name)
