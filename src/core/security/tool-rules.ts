import type { ToolRule } from '../../types/runtime.js'
import type { SecuritySettings, ToolCheck } from './types.js'

type ToolSettings = Pick<SecuritySettings, 'autonomy' | 'allowedTools' | 'excludedTools' | 'autoApprove' | 'alwaysAsk'>

const EXCLUDED = 'the policy excludes this tool'
const UNLISTED = 'the policy allows only listed tools, and this tool is not listed'
const NOTHING = 'the policy allows no tool at all'
const ALWAYS = 'the policy requires approval for every use of this tool'
const SUPERVISED = 'tools that are not auto-approved need approval'

const READONLY = 'the policy is read-only: no program may run'

/**
 * Input for a running program cannot be checked like a command, and many programs run others: `git log` on a terminal opens a pager, and
 * `!` in the pager starts a shell. So this tool needs approval unless the host lists it in `autoApprove`.
 */
const TYPING: readonly string[] = ['write_background_bash']
const TYPED = 'input to a running program is not checked like commands'

/**
 * A JavaScript program cannot be checked like a command, and its access depends on the adapter. So these tools need approval too, unless
 * the host states that the adapter isolates programs.
 */
const PROGRAMS: readonly string[] = [
  'run_js',
  'run_js_module',
  'start_background_js',
  'write_background_js',
  'install_js_packages',
  'create_persistent_tool',
]
const UNCHECKED = 'JavaScript programs are not checked like commands'

/** What the host states about the adapters of a runtime. */
interface Surely {
  /** JavaScript programs reach only their grants. Default false. */
  readonly isolatedJs?: boolean
}

/** The tools that need approval because of their kind, with the reason. */
function riskyAsked(
  { autoApprove }: ToolSettings,
  { isolatedJs = false }: Surely,
): readonly { readonly tools: readonly string[]; readonly reason: string }[] {
  if (autoApprove?.includes('*')) return []
  const risky = [{ tools: TYPING, reason: TYPED }, ...(isolatedJs ? [] : [{ tools: PROGRAMS, reason: UNCHECKED }])]
  return risky
    .map(({ tools, reason }) => ({ tools: tools.filter((tool) => !autoApprove?.includes(tool)), reason }))
    .filter(({ tools }) => tools.length > 0)
}

/** The tool rules of the policy, for the runtime. The first matching rule decides. */
export function toolRules(settings: ToolSettings, surely: Surely = {}): readonly ToolRule[] {
  const { allowedTools, excludedTools, autoApprove, alwaysAsk, autonomy } = settings
  const rules: ToolRule[] = []
  if (excludedTools.length > 0) rules.push({ tools: excludedTools, action: 'deny', reason: EXCLUDED })
  if (autonomy === 'readonly') rules.push({ tools: PROGRAMS, action: 'deny', reason: READONLY })
  if (allowedTools !== null) {
    for (const tool of allowedTools) rules.push({ tools: tool, ...asked(tool, settings) })
    rules.push({ tools: '*', action: 'deny', reason: allowedTools.length === 0 ? NOTHING : UNLISTED })
    return rules
  }
  if (alwaysAsk.length > 0) rules.push({ tools: alwaysAsk, action: 'ask', reason: ALWAYS })
  for (const risky of riskyAsked(settings, surely)) rules.push({ ...risky, action: 'ask' })
  if (autoApprove === null || autonomy !== 'supervised' || autoApprove.includes('*')) return rules
  return [...rules, { tools: autoApprove, action: 'allow' }, { tools: '*', action: 'ask', reason: SUPERVISED }]
}

/** Decides about one tool by the same rules as `toolRules`. */
export function checkTool(name: string, settings: ToolSettings): ToolCheck {
  const { allowedTools, excludedTools, autonomy } = settings
  if (excludedTools.includes(name)) return { action: 'deny', reason: EXCLUDED }
  if (autonomy === 'readonly' && PROGRAMS.includes(name)) return { action: 'deny', reason: READONLY }
  if (allowedTools?.length === 0) return { action: 'deny', reason: NOTHING }
  if (allowedTools && !allowedTools.includes(name)) return { action: 'deny', reason: UNLISTED }
  const answer = asked(name, settings)
  if (answer.action !== 'allow' || allowedTools !== null) return answer
  const risky = riskyAsked(settings, {}).find(({ tools }) => tools.includes(name))
  return risky ? { action: 'ask', reason: risky.reason } : answer
}

/** Whether the tool needs approval. `alwaysAsk` names tools explicitly, so it applies at every level, also `full`. */
function asked(tool: string, { autonomy, autoApprove, alwaysAsk }: ToolSettings): ToolCheck {
  if (alwaysAsk.includes(tool) || alwaysAsk.includes('*')) return { action: 'ask', reason: ALWAYS }
  if (autonomy !== 'supervised' || autoApprove === null || autoApprove.includes(tool) || autoApprove.includes('*'))
    return { action: 'allow' }
  return { action: 'ask', reason: SUPERVISED }
}
