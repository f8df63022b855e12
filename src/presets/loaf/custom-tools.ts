import type { Workspace } from '../../types/workspace.js'

/** What the names of custom tools consist of. */
export const CUSTOM_TOOL_NAME_PATTERN: RegExp = /^[a-zA-Z0-9_.:-]+$/

export interface LoadedCustomTools {
  /** Virtual paths. */
  readonly searchedDirectories: string[]
  readonly loaded: { readonly name: string; readonly sourcePath: string }[]
  /** One for each file that gave no tool: `failed loading <file>: <why>`. */
  readonly errors: string[]
}

const TOOL_FILE = /\.[cm]?[jt]s$/i
const DECLARATION = /\.d\.[cm]?ts$/i

/** Finds the tool files of a directory, in path order. Nothing is loaded yet: that takes a JavaScript adapter. Never rejects. */
export async function findCustomTools(workspace: Workspace, directory: string): Promise<LoadedCustomTools> {
  const files = await toolFiles(workspace, directory)
  const errors = files.map((path) => `failed loading ${path}: this runtime has no JavaScript adapter that loads tools`)
  return { searchedDirectories: [directory], loaded: [], errors }
}

/** None where there is no such directory. Links are not followed. */
async function toolFiles(workspace: Workspace, directory: string): Promise<string[]> {
  const filter = {
    start: null,
    enter: (_: unknown, name: string) => (name === 'node_modules' ? undefined : null),
    accept: (_: unknown, name: string, kind: string) => kind === 'file' && TOOL_FILE.test(name) && !DECLARATION.test(name),
  }
  const files: string[] = []
  try {
    const options = { filter, ignore: false, onError: () => undefined }
    for await (const run of workspace.walk(directory, options)) files.push(...run.map(({ path }) => path))
  } catch {
    return files
  }
  return files.sort()
}
