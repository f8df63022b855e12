import type { ToolRule } from '../../types/runtime.js'
import type { SecuritySettings, ToolCheck } from './types.js'

type ToolSettings = Pick<SecuritySettings, 'autonomy' | 'allowedTools' | 'excludedTools' | 'autoApprove' | 'alwaysAsk'>

const EXCLUDED = 'the policy excludes this tool'
const UNLISTED = 'the policy allows only the tools it lists, and this is none of them'
const NOTHING = 'the policy allows no tool at all'
const ALWAYS = 'the policy asks about every use of this tool'
const SUPERVISED = 'tools that are not approved in advance need an approval'

/**
 * What is written to a program that runs is not checked as commands are, and many programs that look harmless run others when they are
 * told to: `git log` opens a pager on a terminal, and `!` in that a shell. So it is asked about unless the host names it.
 */
const TYPING: readonly string[] = ['write_background_bash']
const TYPED = 'what is written to a program that runs is not checked as commands are'

const typingAsked = ({ autoApprove }: ToolSettings): readonly string[] =>
  autoApprove?.includes('*') ? [] : TYPING.filter((tool) => !autoApprove?.includes(tool))

/** The rules of the policy about tools, for the runtime: the first that fits decides. */
export function toolRules(settings: ToolSettings): readonly ToolRule[] {
  const { allowedTools, excludedTools, autoApprove, alwaysAsk, autonomy } = settings
  const rules: ToolRule[] = []
  if (excludedTools.length > 0) rules.push({ tools: excludedTools, action: 'deny', reason: EXCLUDED })
  if (allowedTools !== null) {
    for (const tool of allowedTools) rules.push({ tools: tool, ...asked(tool, settings) })
    rules.push({ tools: '*', action: 'deny', reason: allowedTools.length === 0 ? NOTHING : UNLISTED })
    return rules
  }
  if (alwaysAsk.length > 0) rules.push({ tools: alwaysAsk, action: 'ask', reason: ALWAYS })
  const typing = typingAsked(settings)
  if (typing.length > 0) rules.push({ tools: typing, action: 'ask', reason: TYPED })
  if (autoApprove === null || autonomy !== 'supervised' || autoApprove.includes('*')) return rules
  return [...rules, { tools: autoApprove, action: 'allow' }, { tools: '*', action: 'ask', reason: SUPERVISED }]
}

/** The same for one tool. */
export function checkTool(name: string, settings: ToolSettings): ToolCheck {
  const { allowedTools, excludedTools } = settings
  if (excludedTools.includes(name)) return { action: 'deny', reason: EXCLUDED }
  if (allowedTools?.length === 0) return { action: 'deny', reason: NOTHING }
  if (allowedTools && !allowedTools.includes(name)) return { action: 'deny', reason: UNLISTED }
  const answer = asked(name, settings)
  const isTyping = answer.action === 'allow' && allowedTools === null && typingAsked(settings).includes(name)
  return isTyping ? { action: 'ask', reason: TYPED } : answer
}

/** `alwaysAsk` is a word of the host about this very tool, so it counts in `full` too. */
function asked(tool: string, { autonomy, autoApprove, alwaysAsk }: ToolSettings): ToolCheck {
  if (alwaysAsk.includes(tool) || alwaysAsk.includes('*')) return { action: 'ask', reason: ALWAYS }
  if (autonomy !== 'supervised' || autoApprove === null || autoApprove.includes(tool) || autoApprove.includes('*'))
    return { action: 'allow' }
  return { action: 'ask', reason: SUPERVISED }
}
