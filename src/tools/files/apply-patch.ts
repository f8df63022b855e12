import { defineTool } from '../../core/define-tool.js'
import { object, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag } from '../schema.js'

const applyPatchInput = object({
  patch: text('The patch as plain text.'),
  atomic: flag('All files or none. False: one after another, and what came before a failure stays.', true),
  dry_run: flag('Show the change without making it.', false),
})

const body = lazy(() => import('./apply-patch-run.js'))

/** The tool `apply_patch`: changes several files with a unified diff or a `*** Begin Patch` envelope. */
export const applyPatch: AnyTool = defineTool({
  name: 'apply_patch',
  description: `Change several files by a unified diff (---, +++, @@; also git's) or by an envelope:
*** Begin Patch
*** Add File: path (then + lines), *** Delete File: path, or *** Update File: path (then *** Move to: path, to rename), and hunks:
@@ optional line above, such as the function
 line that stays
-line that goes
+line that comes
*** End Patch
Give 3 lines around each change as the file has them. A hunk must fit one place only.`,
  inputSchema: applyPatchInput,
  outputSchema: outputOf('apply_patch'),
  annotations: { title: 'Apply patch', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(input, context) {
    const { runPatch } = await body()
    return runPatch(input, context)
  },
})
