import type { Workspace } from '../../types/workspace.js'

const TOOL_FILE = /\.[cm]?[jt]s$/i
const DECLARATION = /\.d\.[cm]?ts$/i
/** A tool that is being made, see `persistent.ts`. */
export const CANDIDATE: RegExp = /^\..*\.new\.[cm]?js$/

/** The tool files below a directory, in code-unit order. None where there is no such directory. Links are not followed. Never rejects. */
export async function findToolFiles(workspace: Workspace, directory: string): Promise<string[]> {
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
