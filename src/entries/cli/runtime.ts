import { readlink, realpath } from 'node:fs/promises'
import { basename, join, parse, relative, resolve, sep } from 'node:path'
import { createFetch } from '../../../adapters/fetch/index.js'
import { createMemoryFs } from '../../../adapters/memory/index.js'
import { createNodeFs, createNodeShell, createShellWorker } from '../../../adapters/node/index.js'
import { createWorkspaceMemory } from '../../../adapters/workspace-memory/index.js'
import { createSecurityPolicy } from '../../core/security/index.js'
import { FsError, JsError, RegistryError, ShellError } from '../../errors/index.js'
import { type StandardOptions, standard } from '../../presets/standard.js'
import type { CreateRuntimeOptions, PortOption } from '../../runtime/compose-runtime.js'
import { createRuntime } from '../../runtime/create-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { checkJsOptions, type JsToolsOptions } from '../../tools/js/options.js'
import { webTools } from '../../tools/web/index.js'
import type { FsAdapter } from '../../types/fs.js'
import type { FetchAdapter } from '../../types/ports.js'
import type { Preset } from '../../types/preset.js'
import type { RuntimePolicy } from '../../types/runtime.js'
import type { ShellAdapter } from '../../types/shell.js'
import type { AnyTool } from '../../types/tool.js'
import type { Mounts, PathRule, Quotas, WorkspacePolicy } from '../../types/workspace.js'
import { createWorkspace } from '../../workspace/create-workspace.js'
import { memoryQuotas } from '../shared/memory-storage.js'
import { shellJs } from '../shared/shell-js.js'
import { virtualShell } from '../shared/virtual-shell.js'
import { approvalOf } from './approval.js'
import { CONFIG_NAMES, ConfigError } from './config/file.js'
import { engineOf } from './javascript.js'
import type { PresetName, ShellName } from './names.js'
import { type CliOptions, UsageError } from './options.js'

const SHELLS: Readonly<Record<ShellName, (commands: ReturnType<typeof shellJs>) => PortOption<ShellAdapter> | undefined>> = {
  node: () => createNodeShell(),
  // Runs the shell in a worker, so that an interrupt can always stop a command.
  virtual: (commands) => virtualShell({ worker: () => createShellWorker() }, { commands }),
  none: () => undefined,
}

/**
 * Milliseconds that a call has to return partial results after an interrupt; long enough for a busy machine. A second interrupt exits
 * immediately.
 */
const GRACE_MS = 5000

/** @throws {UsageError} for an unknown preset, a path that is no directory, a missing shell, or an invalid registry address */
export async function openRuntime(options: CliOptions): Promise<ToolRuntime> {
  const js = engineOf(options)
  const { jsTools, webTools, fetch } = networkOf(options)
  const { fs, quotas, guards, mounts } = await openStorage(options)
  const approve = approvalOf(options)
  return openOn(options, async () => {
    const policy = policyOf(options, fs.suggestedRoot ?? '/workspace')
    return createRuntime({
      fs,
      quotas,
      ...(mounts && { mounts }),
      checkpoints: { automatic: options.command === 'mcp' && !options.noCheckpoints },
      preset: await presetNamed(options.preset, { jsTools }),
      tools: [...webTools, ...options.tools],
      policy: { ...policy, paths: [...guards, ...(policy.paths ?? []), ...onlyIn(mounts)], ...(approve && { approve }) },
      js,
      fetch,
      shell: SHELLS[options.shell](shellJs(js)),
      memory: createWorkspaceMemory(),
      hooks: options.hooks,
      markData: options.markData,
      limits: { graceMs: GRACE_MS, ...options.limits, ...(options.timeoutMs !== undefined && { deadlineMs: options.timeoutMs }) },
    })
  })
}

interface Storage {
  readonly fs: FsAdapter
  readonly quotas: Quotas | undefined
  readonly mounts?: Mounts
  /** Path rules that precede the rules of the policy. */
  readonly guards: readonly PathRule[]
}

async function openStorage(options: CliOptions): Promise<Storage> {
  const { memory, seed, root, roots, quotas, configFile } = options
  if (roots.length > 1) return openSeveral(options)
  if (!memory) return { fs: await openDirectory(root), quotas, guards: [await guardConfig(root, configFile)] }
  const files = seed === undefined ? {} : await readSeed(seed)
  return { fs: createMemoryFs({ files }), quotas: { ...memoryQuotas, ...quotas }, guards: [] }
}

/** Mounts several directories, each under its own name. `onlyIn` denies writes outside the mounts, which would be lost. */
async function openSeveral(options: CliOptions): Promise<Storage> {
  const { quotas, configFile } = options
  const mounts = new Map<string, FsAdapter>()
  const guards: PathRule[] = []
  for (const [name, root] of namesOf(options)) {
    mounts.set(name, await openDirectory(root))
    const guard = await guardConfig(root, configFile)
    guards.push({ ...guard, paths: [guard.paths].flat().map((path) => (path.startsWith('**/') ? path : `${escapeGlob(name)}/${path}`)) })
  }
  return { fs: createMemoryFs(), quotas, mounts: Object.fromEntries(mounts), guards }
}

/** Returns several directories by their names. @throws {UsageError} if they cannot be in one workspace */
function namesOf({ roots, shell, js }: CliOptions): ReadonlyMap<string, string> {
  const real = shell === 'node' ? 'shell' : js === 'node' ? 'js' : undefined
  if (real) throw new UsageError(`--${real} node works in one directory, not in several: ${roots.join(', ')}`)
  const names = new Map<string, string>()
  for (const root of roots) {
    const name = basename(resolve(root))
    if (name === '') throw new UsageError(`--root ${root}: one of several directories cannot be the whole file system`)
    if (names.has(name))
      throw new UsageError(
        `--root ${root}: another directory has the name "${name}" too. Name only one of the two, or a directory that contains both`,
      )
    names.set(name, root)
  }
  return names
}

/** Checks the directories of `roots` before `openRuntime` opens them. @throws {UsageError} if they cannot be opened */
export async function checkRoots(options: CliOptions): Promise<void> {
  if (options.roots.length > 1) namesOf(options)
  for (const root of options.roots) await (await openDirectory(root)).close()
}

/** Returns path rules that allow writes only inside these mounts. */
function onlyIn(mounts: Mounts | undefined): readonly PathRule[] {
  if (!mounts) return []
  const names = Object.keys(mounts)
  const reason = `write into one of the directories ${names.join(', ')}`
  return [
    { paths: names.map((name) => `${escapeGlob(name)}/**`), action: 'allow' },
    { paths: '**', access: 'write', action: 'deny', reason },
  ]
}

/** Creates the runtime. Turns errors into usage errors, because their cause is the machine or the configuration file. */
async function openOn({ configFile }: CliOptions, create: () => Promise<ToolRuntime>): Promise<ToolRuntime> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof ShellError || error instanceof JsError) throw new UsageError(error.message)
    const isSetting = error instanceof TypeError || error instanceof RangeError || error instanceof RegistryError
    throw configFile !== undefined && isSetting ? new ConfigError({ path: configFile, name: basename(configFile) }, error.message) : error
  }
}

async function openDirectory(root: string): Promise<FsAdapter> {
  const fs = createNodeFs({ root })
  try {
    await fs.open?.()
  } catch (error) {
    if (!FsError.is(error)) throw error
    throw new UsageError(
      `Cannot work in "${root}": ${error.code === 'ENOENT' ? 'there is no such directory' : (error.detail ?? error.code)}`,
    )
  }
  if (fs.suggestedRoot?.includes('\\')) throw new UsageError(`Cannot work in "${root}": tools cannot use paths with a backslash`)
  return fs
}

/** Reads all files that are not ignored, because build output and packages are not worth copying. */
async function readSeed(root: string): Promise<Record<string, Uint8Array>> {
  const workspace = createWorkspace({ fs: await openDirectory(root) })
  const files: [string, Uint8Array][] = []
  for await (const run of workspace.walk('.')) {
    for (const { path, kind } of run) {
      if (kind === 'file') files.push([workspace.relative(path), (await workspace.readBytes(path)).bytes])
    }
  }
  await workspace.close()
  return Object.fromEntries(files)
}

type PresetOptions = Pick<StandardOptions, 'jsTools'>

/** The factory of each preset, by the preset's name. Modules are loaded on demand. */
const PRESETS: Readonly<Record<PresetName, (options: PresetOptions) => Preset | Promise<Preset>>> = {
  standard,
  loom: async () => (await import('../../presets/loom.js')).loom(),
  loaf: async (options) => (await import('../../presets/loaf.js')).loaf(options),
  'loom-elixir': async () => (await import('../../presets/loom-elixir.js')).loomElixir(),
  zeroclaw: async () => (await import('../../presets/zeroclaw.js')).zeroclaw(),
}

/** @throws {UsageError} for an unknown preset */
async function presetNamed(name: string, options: PresetOptions = {}): Promise<Preset> {
  const make = Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : undefined
  if (!make) throw new UsageError(`There is no preset "${name}": use one of ${Object.keys(PRESETS).join(', ')}`)
  return make(options)
}

/**
 * Returns the parts of a runtime that a replay needs: those that decide about calls, without shell, engine or network. @throws {UsageError}
 * as `openRuntime`
 */
export async function toolsOf(
  options: CliOptions,
): Promise<Pick<CreateRuntimeOptions, 'preset' | 'tools' | 'policy' | 'limits' | 'markData'>> {
  const { jsTools, webTools } = networkOf(options)
  return {
    preset: await presetNamed(options.preset, { jsTools }),
    tools: [...webTools, ...options.tools],
    policy: policyOf(options, '/workspace'),
    limits: options.limits,
    markData: options.markData,
  }
}

interface Network {
  readonly jsTools: JsToolsOptions | undefined
  /** `web_search`, if a proxy is configured. */
  readonly webTools: readonly AnyTool[]
  /** Network access to the registry and the proxy only. */
  readonly fetch: FetchAdapter | undefined
}

const MIB = 1024 * 1024

/** Returns the network access of the tools. @throws {UsageError} for an invalid address */
function networkOf({ registry, webSearch, fetch }: Pick<CliOptions, 'registry' | 'webSearch' | 'fetch'>): Network {
  const jsTools = registry === undefined ? undefined : { registry }
  try {
    checkJsOptions({ ...jsTools })
    const tools = webSearch ? webTools(webSearch) : []
    const origins = [registry, webSearch?.baseUrl].flatMap((address) => (address === undefined ? [] : [new URL(address).origin]))
    const own = origins.length === 0 ? undefined : createFetch({ origins, maxBytes: 64 * MIB })
    return { jsTools, webTools: tools, fetch: fetch ?? own }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

type Policy = RuntimePolicy & WorkspacePolicy

/**
 * Converts the configuration file's policy for the runtime. If the file has settings for commands, adds rules for the tools that run code
 * in other ways. The file's own rules come first and therefore take precedence.
 * @throws {TypeError} or {RangeError} for settings that make no sense
 */
function policyOf({ policy, readOnly, js }: Pick<CliOptions, 'policy' | 'readOnly' | 'js'>, workspaceRoot: string): Policy {
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
 * Returns a rule that denies writes to configuration files, because a model could otherwise run its own code with the next command. Covers
 * the default names in every folder, since commands may run in every folder, and the file in use.
 */
async function guardConfig(root: string, configFile: string | undefined): Promise<PathRule> {
  const own = configFile === undefined ? [] : await insideOf(root, configFile)
  return {
    paths: [...CONFIG_NAMES.map((name) => `**/${name}`), ...own.map(escapeGlob)],
    access: 'write',
    action: 'deny',
    reason: 'it configures toolport, which the tools may not do',
  }
}

/**
 * Returns all paths inside the root that lead to a file, relative to the root: the given path, the path of every symlink on the way, and
 * the real path.
 */
async function insideOf(root: string, file: string): Promise<readonly string[]> {
  const from = await realpath(root)
  const places = new Set([file, ...(await linksTo(file)), await realpath(file)])
  return [...places]
    .filter((place) => place.startsWith(from.endsWith(sep) ? from : `${from}${sep}`))
    .map((place) => relative(from, place).replaceAll(sep, '/'))
}

/** Maximum number of symlinks followed, as on common systems. */
const MOST_LINKS = 40

/** Returns the symlinks on the way to a file, each as a path whose folders are not symlinks. */
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
