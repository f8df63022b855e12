import type { ToolContext } from '../../types/tool.js'
import { commitStates } from './apply-patch-commit.js'
import { removeEmpty } from './apply-patch-run.js'
import { PatchStates, want } from './apply-patch-state.js'

/**
 * Writes whole files, all or none: if a write fails, undoes the earlier writes. Replaces existing files, even if this runtime has read an
 * older version.
 *
 * @throws errors of the workspace
 */
export async function writeFiles(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  context: ToolContext,
): Promise<void> {
  const made: string[] = []
  const paths = files.map(({ path }) => path)
  try {
    await context.workspace.locked(paths, async (workspace) => {
      const states = new PatchStates(workspace, new Map())
      for (const { path, bytes } of files) want(await states.file(path, 'write'), { bytes })
      await commitStates({ workspace, context, made }, states.changed())
    })
  } catch (error) {
    await removeEmpty(context.workspace, made)
    throw error
  }
}
