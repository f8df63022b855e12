import type { CommandVerdict, RuntimePolicy } from '../../types/runtime.js'
import type { WorkspacePolicy } from '../../types/workspace.js'
import { CommandRules } from './command-check.js'
import { absolute } from './options.js'
import { PathRules } from './path-rules.js'
import { HOUR_MS } from './rate.js'
import { toolRules } from './tool-rules.js'
import type { CommandCheck, SecuritySettings, ToRuntimePolicyOptions } from './types.js'

/** The settings as rules of a runtime and its workspace. What does not apply is left out. */
export function toRuntimePolicy(given: SecuritySettings, options: ToRuntimePolicyOptions): RuntimePolicy & WorkspacePolicy {
  const { workspaceRoot = given.workspaceRoot, rate = true, trustedEnv = {}, isolatedJs = false } = options
  const settings = { ...given, workspaceRoot: absolute('workspaceRoot', workspaceRoot) }
  const commands = new CommandRules(settings)
  const tools = toolRules(settings, { isolatedJs })
  const inside = new PathRules(settings).inside()
  const trusted = { ...trustedEnv }
  return {
    commands: ({ command, cwd, env }) =>
      toVerdict(commands.check(command, { ...(cwd !== undefined && { cwd }), ...(env && { env }) }, trusted)),
    ...(tools.length > 0 && { tools }),
    ...(rate && settings.maxActionsPerHour !== null && { rate: { calls: settings.maxActionsPerHour, perMs: HOUR_MS } }),
    ...(settings.autonomy === 'readonly' && { readOnly: true }),
    ...(inside.length > 0 && { paths: inside.map(({ path, ...rule }) => ({ ...rule, paths: escapeGlob(path), action: 'deny' as const })) }),
  }
}

function toVerdict({ allowed, needsApproval, reason }: CommandCheck): CommandVerdict {
  if (allowed) return 'allow'
  return { action: needsApproval ? 'ask' : 'deny', ...(reason !== undefined && { reason }) }
}

const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\]{}()!+@|^]/g, '\\$&')
