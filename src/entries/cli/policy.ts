import { readlink, realpath } from 'node:fs/promises'
import { join, parse, relative, resolve, sep } from 'node:path'
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

/** Whatever leads to a file, relative to the root: as it is named, every link on the way, and the file itself, where these lie within. */
async function insideOf(root: string, file: string): Promise<readonly string[]> {
  const from = await realpath(root)
  const places = new Set([file, ...(await linksTo(file)), await realpath(file)])
  return [...places]
    .filter((place) => place.startsWith(from.endsWith(sep) ? from : `${from}${sep}`))
    .map((place) => relative(from, place).replaceAll(sep, '/'))
}

/** As many as systems follow. */
const MOST_LINKS = 40

/** The links that are followed to open a file, each where it really is. */
async function linksTo(file: string): Promise<readonly string[]> {
  const links: string[] = []
  const { root } = parse(file)
  const names = file.slice(root.length).split(sep)
  let place = root
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(place, name)
    const target = await readlink(next).catch(() => undefined)
    if (target === undefined || links.length === MOST_LINKS) {
      place = next
      continue
    }
    links.push(next)
    const to = resolve(place, target)
    place = parse(to).root
    names.unshift(...to.slice(place.length).split(sep))
  }
  return links
}

const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\]{}()!+@|^]/g, '\\$&')
