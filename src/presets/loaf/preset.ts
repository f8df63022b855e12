import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { PatchOutput } from '../../tools/files/apply-patch-run.js'
import { checkJsOptions } from '../../tools/js/options.js'
import { type ShellSession, sessionOf } from '../../tools/shell/session.js'
import type { Preset } from '../../types/preset.js'
import type { AnyTool, Limits } from '../../types/tool.js'
import { seedSchema, stringOf } from '../shared/seed-schema.js'
import { backgroundBashTools } from './background-tools.js'
import { bash } from './bash.js'
import { grepFiles } from './grep-files.js'
import type { FindSession, SearchWebSettings } from './inputs.js'
import { javascriptTools } from './javascript.js'
import { listDir } from './list-dir.js'
import { renderFailure, renderInvalid, renderUnknown } from './messages.js'
import { checkExa, type LoafExaOptions, type LoafOptions } from './options.js'
import { readFile } from './read-file.js'
import { searchWeb } from './search-web.js'
import { toWire } from './wire.js'

/**
 * The limits allow a command of 1200 s, and two streams of 300,000 characters with up to six bytes each in JSON. `grep_files` has its own
 * limit of 30 s.
 */
const LIMITS: Partial<Limits> = { deadlineMs: 1_260_000, outputBytes: 4 * 1024 * 1024 }

/** The parts of the preset besides its tools. */
export const manners: Omit<Preset, 'tools'> = {
  name: 'loaf',
  validation: 'strict',
  renderInvalid,
  renderUnknown,
  renderFailure,
  toWire,
  limits: LIMITS,
}

/** The tools, one list per family. `loaf` lists the families in the order of these fields, as documented. */
interface LoafFamilies {
  readonly bash: readonly AnyTool[]
  readonly files: readonly AnyTool[]
  readonly js: readonly AnyTool[]
  /** Empty without a search URL. */
  readonly exa: readonly AnyTool[]
}

export function families({ exa, jsTools = {}, atomic = false }: LoafOptions, find: FindSession = sessionOf): LoafFamilies {
  const settings = exa && settingsOf(checkExa(exa))
  return {
    bash: [bash(find), ...backgroundBashTools()],
    js: javascriptTools(checkJsOptions(jsTools)),
    files: [readFile, listDir, grepFiles, applyPatch(atomic)],
    exa: settings ? [searchWeb(settings)] : [],
  }
}

export function settingsOf(exa: LoafExaOptions): SearchWebSettings {
  return { exa, getApiKey: () => exa.apiKey?.trim() || exa.getApiKey?.() }
}

/** Creates one session that all runtimes share. */
export function sharedSession(create: () => ShellSession): FindSession {
  let session: ShellSession | undefined
  return (_, reset) => {
    if (reset || !session) session = create()
    return session
  }
}

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

/** Creates `apply_patch`. `atomic`: whether to change all files or none. If false, the tool applies one section after another. */
function applyPatch(atomic: boolean): AnyTool {
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
