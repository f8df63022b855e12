import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { createSecurityPolicy } from '../../core/security/index.js'
import type { RuntimePolicy } from '../../types/runtime.js'
import type { PathRule, WorkspacePolicy } from '../../types/workspace.js'
import { CONFIG_NAMES } from './config/file.js'
import type { CliOptions } from './options.js'

type Policy = RuntimePolicy & WorkspacePolicy

/**
 * The policy of the file as the runtime takes it. Settings for commands come with rules for the tools that such settings do not see, behind
 * the file's own rules, which decide first.
 * @throws {TypeError} or {RangeError} for settings that make no sense
 */
export function policyOf({ policy, readOnly, js }: Pick<CliOptions, 'policy' | 'readOnly' | 'js'>, workspaceRoot: string): Policy {
  const { commands, paths = [], tools = [], rate } = policy
  const own = { ...(rate && { rate }), readOnly, paths, tools }
  if (typeof commands === 'function') return { ...own, commands }
  if (commands === undefined) return own
  const made = createSecurityPolicy(commands).toRuntimePolicy({ workspaceRoot, rate: false, isolatedJs: js === 'sandbox' })
  return {
    ...made,
    ...own,
    readOnly: readOnly || made.readOnly === true,
    paths: [...paths, ...(made.paths ?? [])],
    tools: [...tools, ...(made.tools ?? [])],
  }
}

/**
 * Keeps the tools from writing what configures this command: a model that could, would run its own code with the next one. The names
 * anywhere, for the next command may be run anywhere, and the file in use.
 */
export async function guardConfig(root: string, configFile: string | undefined): Promise<PathRule> {
  const own = configFile === undefined ? [] : await insideOf(root, configFile)
  return {
    paths: [...CONFIG_NAMES.map((name) => `**/${name}`), ...own.map(escapeGlob)],
    access: 'write',
    action: 'deny',
    reason: 'it configures toolport, which the tools may not do',
  }
}

/** The paths of a file relative to the root, as it is named and as it is, where these lie within. */
async function insideOf(root: string, file: string): Promise<readonly string[]> {
  const from = await realpath(root)
  const places = [join(await realpath(dirname(file)), basename(file)), await realpath(file)]
  return places.map((place) => relative(from, place).replaceAll(sep, '/')).filter((path) => path !== '..' && !path.startsWith('../'))
}

const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\]{}()!+@|^]/g, '\\$&')
