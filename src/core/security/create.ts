import type { CommandVerdict, RuntimePolicy } from '../../types/runtime.js'
import type { WorkspacePolicy } from '../../types/workspace.js'
import { CommandRules } from './command-check.js'
import { DEFAULT_ALLOWED_COMMANDS, DEFAULT_FORBIDDEN_PATHS } from './defaults.js'
import { PathRules } from './path-rules.js'
import { ActionRate, HOUR_MS } from './rate.js'
import { checkTool, toolRules } from './tool-rules.js'
import type { AllowedRoot, CommandCheck, SecurityPolicy, SecurityPolicyOptions, SecuritySettings, ToRuntimePolicyOptions } from './types.js'

/**
 * Creates a policy for commands, paths, tools and the rate of actions. The policy denies every command that it cannot parse.
 *
 * The policy parses commands as sh, bash and zsh do, and checks each command by its name, its arguments and its paths. It rejects programs
 * that can run arbitrary other programs (`xargs`, `eval`, an editor), even if they are listed. It allows a program that runs the command in
 * its arguments (`env`, `timeout`, `sh -c`) if it allows that command.
 * @throws TypeError or RangeError for invalid options
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
          ? 'the policy is read-only: writing is not allowed'
          : paths.problem(path, access)
      return problem === undefined ? { allowed: true } : { allowed: false, reason: `the path "${path}" is not allowed: ${problem}` }
    },
    checkTool: (name) => checkTool(name, settings),
    reserve(sender = '', now = clock?.()) {
      if (now === undefined || !Number.isFinite(now))
        throw new TypeError('Cannot reserve an action: the time is unknown. Pass "now" to the policy or to reserve()')
      return rate.reserve(sender, now)
    },
    toRuntimePolicy: (given = {}) => toRuntimePolicy(settings, given),
  }
}

/** Converts the settings to rules for a runtime and its workspace. */
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

const AUTONOMY = ['readonly', 'supervised', 'full']
const ACCESS = ['read-write', 'read-only', 'write-only']

/** Fills in the defaults. @throws TypeError or RangeError for invalid options: a misspelled rule would protect nothing */
function readOptions(options: SecurityPolicyOptions): SecuritySettings {
  const { autonomy = 'supervised', workspaceRoot = '/workspace', shellTimeoutSecs = 60, maxCostPerDayCents = 500 } = options
  const { maxActionsPerHour = 20 } = options
  if (!AUTONOMY.includes(autonomy)) throw new TypeError(`"autonomy" is ${show(autonomy)}: use ${AUTONOMY.join(', ')}`)
  if (maxActionsPerHour !== null) whole('maxActionsPerHour', maxActionsPerHour, ': 0 allows no action, null any number')
  whole('maxCostPerDayCents', maxCostPerDayCents)
  if (!(shellTimeoutSecs > 0 && shellTimeoutSecs < Infinity)) {
    throw new RangeError(`"shellTimeoutSecs" is ${show(shellTimeoutSecs)}: use a positive number of seconds`)
  }
  return Object.freeze({
    autonomy,
    workspaceRoot: absolute('workspaceRoot', workspaceRoot),
    workspaceOnly: flag('workspaceOnly', options.workspaceOnly),
    allowedCommands: commands(options.allowedCommands),
    forbiddenPaths: names('forbiddenPaths', options.forbiddenPaths ?? DEFAULT_FORBIDDEN_PATHS),
    allowedRoots: Object.freeze((options.allowedRoots ?? []).map(readRoot)),
    maxActionsPerHour,
    maxCostPerDayCents,
    requireApprovalForMediumRisk: flag('requireApprovalForMediumRisk', options.requireApprovalForMediumRisk),
    blockHighRiskCommands: flag('blockHighRiskCommands', options.blockHighRiskCommands),
    allowedTools: toolNames('allowedTools', options.allowedTools ?? null, false),
    excludedTools: toolNames('excludedTools', options.excludedTools ?? [], false),
    autoApprove: toolNames('autoApprove', options.autoApprove ?? null, true),
    alwaysAsk: toolNames('alwaysAsk', options.alwaysAsk ?? [], true),
    shellTimeoutSecs,
  })
}

const show = (value: unknown): string => JSON.stringify(value) ?? String(value)

function flag(name: string, value: boolean | undefined): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? true
  throw new TypeError(`"${name}" is ${show(value)}: use true or false`)
}

function whole(name: string, value: number, more = ''): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`"${name}" is ${String(value)}: use a whole number${more}`)
}

/** @throws TypeError unless the path is absolute and has no `..` */
function absolute(name: string, path: string): string {
  if (typeof path === 'string' && path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\0')) return path
  throw new TypeError(`"${name}" is ${show(path)}: use an absolute path without ".."`)
}

function names(name: string, list: readonly string[]): readonly string[] {
  if (Array.isArray(list) && list.every((entry) => typeof entry === 'string' && entry.trim() !== '')) return Object.freeze([...list])
  throw new TypeError(`"${name}" is ${show(list)}: use a list of names`)
}

function toolNames<List extends readonly string[] | null>(name: string, list: List, star: boolean): List {
  if (list === null) return list
  const odd = names(name, list).find((entry) => entry.includes('*') && !(star && entry === '*'))
  if (odd !== undefined) throw new TypeError(`"${name}" has "${odd}": use exact names${star ? ', or "*" for every tool' : ''}`)
  return Object.freeze([...list]) as unknown as List
}

function commands(list: readonly string[] = DEFAULT_ALLOWED_COMMANDS): readonly string[] {
  const odd = names('allowedCommands', list).find((entry) => /\s/.test(entry) || (entry.includes('*') && entry !== '*'))
  if (odd !== undefined) throw new TypeError(`"allowedCommands" has "${odd}": use names of programs, their paths, or "*"`)
  return Object.freeze([...list])
}

function readRoot(root: string | AllowedRoot): Required<AllowedRoot> {
  const { path, access = 'read-write' } = typeof root === 'string' ? { path: root } : root
  if (!ACCESS.includes(access)) throw new TypeError(`The allowed root "${path}" has access ${show(access)}: use ${ACCESS.join(', ')}`)
  return Object.freeze({ path: absolute('allowedRoots', path), access })
}
