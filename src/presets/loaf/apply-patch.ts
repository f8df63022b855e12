import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { PatchOutput } from '../../tools/files/apply-patch-run.js'
import type { AnyTool } from '../../types/tool.js'
import { seedSchema, stringOf } from '../shared/seed-schema.js'

const body = lazy(() => import('../../tools/files/apply-patch-run.js'))

const schema = seedSchema(
  {
    type: 'object',
    properties: { input: { type: 'string', minLength: 1, description: 'The whole patch' } },
    required: ['input'],
  },
  (args, refuse) => {
    const input = stringOf(args, 'input') ?? ''
    if (input === '') refuse('input', 'input must not be empty')
    return input
  },
)

/** `atomic`: all files or none; else one section after another. */
export function applyPatch(atomic: boolean): AnyTool {
  return defineTool({
    name: 'apply_patch',
    description: `Apply unified diff patches to files (---, +++, @@; also git's), or patches of this form:
*** Begin Patch
*** Add File: path (then + lines), *** Delete File: path, or *** Update File: path (then *** Move to: path, to rename), and chunks:
@@ optional line above, such as the function
 line that stays
-line that goes
+line that comes
*** End Patch`,
    inputSchema: schema,
    annotations: { title: 'Apply patch', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (patch, context) => {
      const { patchFiles } = await body()
      return summary(await patchFiles({ patch, atomic, dry_run: false }, context, { ambiguity: 'first', finalBreak: true }))
    },
  })
}

const MARKS = { add: 'A', update: 'M', move: 'M', delete: 'D' } as const

function summary({ changes }: PatchOutput): string {
  const marked = changes.map(({ kind, path }) => ({ mark: MARKS[kind], path }))
  const lines = ['A', 'M', 'D'].flatMap((wanted) => marked.filter(({ mark }) => mark === wanted).map(({ mark, path }) => `${mark} ${path}`))
  return ['Success. Updated the following files:', ...lines].join('\n')
}
