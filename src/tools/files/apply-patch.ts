import { defineTool } from '../../core/define-tool.js'
import { object, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag } from '../schema.js'

const applyPatchInput = object({
  patch: text('The patch as plain text.'),
  atomic: flag('Apply all files or none. If false, changes made before a failure are kept.', true),
  dry_run: flag('Dry run: only show the changes.', false),
})

const body = lazy(() => import('./apply-patch-run.js'))

/** The tool `apply_patch`: changes several files with a unified diff or a `*** Begin Patch` envelope. */
export const applyPatch: AnyTool = defineTool({
  name: 'apply_patch',
  description: `Change several files with a unified diff (---, +++, @@; also from Git) or an envelope:
*** Begin Patch
*** Add File: path (then + lines), *** Delete File: path, or *** Update File: path (then *** Move to: path, to rename), and hunks:
@@ optional line above, such as the function
 line to keep
-line to remove
+line to add
*** End Patch
Include 3 unchanged lines around each change. A hunk must match one place only.`,
  inputSchema: applyPatchInput,
  outputSchema: outputOf('apply_patch'),
  annotations: { title: 'Apply patch', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(input, context) {
    const { runPatch } = await body()
    return runPatch(input, context)
  },
})
