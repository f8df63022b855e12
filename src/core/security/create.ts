import type { CommandVerdict, RuntimePolicy } from '../../types/runtime.js'
import type { WorkspacePolicy } from '../../types/workspace.js'
import { CommandRules } from './command-check.js'
import { absolute, readOptions } from './options.js'
import { PathRules } from './path-rules.js'
import { ActionRate, HOUR_MS } from './rate.js'
import { checkTool, toolRules } from './tool-rules.js'
import type { CommandCheck, SecurityPolicy, SecurityPolicyOptions, SecuritySettings, ToRuntimePolicyOptions } from './types.js'

/**
 * A policy about commands, paths, tools and how often. It denies what it does not understand.
 *
 * Commands are read as sh, bash and zsh read them, then each one is checked by its name, its arguments and the paths among them. A program
 * that can run any other (`xargs`, `eval`, an editor) is refused although it is listed; one that runs the command in its arguments
 * (`env`, `timeout`, `sh -c`) is allowed when that command is.
 * @throws TypeError or RangeError for options that make no sense
 */
export function createSecurityPolicy(options: SecurityPolicyOptions = {}): SecurityPolicy {
  const settings = readOptions(options)
  const { now: clock } = options
  const commands = new CommandRules(settings)
  const paths = new PathRules(settings)
  const rate = new ActionRate(settings.maxActionsPerHour)
  return {
    settings,
    isCommandAllowed: (command) => commands.check(command, { approved: true }).allowed,
    checkCommand: (command, given = {}) => commands.check(command, given),
    commandRisk: (command) => commands.risk(command),
    checkPath(path, access) {
      const problem =
        access === 'write' && settings.autonomy === 'readonly'
          ? 'the policy is read-only: nothing may be written'
          : paths.problem(path, access)
      return problem === undefined ? { allowed: true } : { allowed: false, reason: `the path "${path}" is refused: ${problem}` }
    },
    checkTool: (name) => checkTool(name, settings),
    reserve(sender = '', now = clock?.()) {
      if (now === undefined || !Number.isFinite(now))
        throw new TypeError('Cannot reserve an action without the time: give the policy "now", or pass it here')
      return rate.reserve(sender, now)
    },
    toRuntimePolicy: (given = {}) => toRuntimePolicy(settings, given),
  }
}

/** The settings as rules of a runtime and its workspace. What does not apply is left out. */
function toRuntimePolicy(given: SecuritySettings, options: ToRuntimePolicyOptions): RuntimePolicy & WorkspacePolicy {
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
