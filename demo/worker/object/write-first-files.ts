import type { Workspace } from 'toolport'

/** Writes the files under quota. Returns the error message of the first file that fails. */
export async function writeFirstFiles(workspace: Workspace, files: Readonly<Record<string, string>>): Promise<string | undefined> {
  for (const [path, text] of Object.entries(files)) {
    try {
      await workspace.writeText(path, text, { mode: 'create' })
    } catch (error) {
      return error instanceof Error ? error.message : `Cannot write "${path}"`
    }
  }
  return undefined
}
