import type { ToolRule } from '../../types/runtime.js'
import type { SecuritySettings, ToolCheck } from './types.js'

type ToolSettings = Pick<SecuritySettings, 'autonomy' | 'allowedTools' | 'excludedTools' | 'autoApprove' | 'alwaysAsk'>

const EXCLUDED = 'the policy excludes this tool'
const UNLISTED = 'the policy allows only the tools it lists, and this is none of them'
const NOTHING = 'the policy allows no tool at all'
const ALWAYS = 'the policy asks about every use of this tool'
const SUPERVISED = 'tools that are not approved in advance need an approval'

const READONLY = 'the policy is read-only: no program may run'

/**
 * What is written to a program that runs is not checked as commands are, and many programs that look harmless run others when they are
 * told to: `git log` opens a pager on a terminal, and `!` in that a shell. So it is asked about unless the host names it.
 */
const TYPING: readonly string[] = ['write_background_bash']
const TYPED = 'what is written to a program that runs is not checked as commands are'

/**
 * A program in JavaScript is no command that could be checked, and what it may do depends on the adapter: so these are asked about too,
 * unless the host says that the adapter keeps programs to what they are granted.
 */
const PROGRAMS: readonly string[] = [
  'run_js',
  'run_js_module',
  'start_background_js',
  'write_background_js',
  'install_js_packages',
  'create_persistent_tool',
]
const UNCHECKED = 'what a program in JavaScript does is not checked as commands are'

/** What the host says about the adapters of a runtime. */
interface Surely {
  /** Programs in JavaScript reach nothing but what they are granted. Default false. */
  readonly isolatedJs?: boolean
}

/** The tools that are asked about for what they are, and why. */
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

/** The rules of the policy about tools, for the runtime: the first that fits decides. */
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

/** The same for one tool. */
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

/** `alwaysAsk` is a word of the host about this very tool, so it counts in `full` too. */
function asked(tool: string, { autonomy, autoApprove, alwaysAsk }: ToolSettings): ToolCheck {
  if (alwaysAsk.includes(tool) || alwaysAsk.includes('*')) return { action: 'ask', reason: ALWAYS }
  if (autonomy !== 'supervised' || autoApprove === null || autoApprove.includes(tool) || autoApprove.includes('*'))
    return { action: 'allow' }
  return { action: 'ask', reason: SUPERVISED }
}
