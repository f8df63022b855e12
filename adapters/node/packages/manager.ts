import { FsError, JsError, NetworkError, PolicyError, ShellError, UnsupportedError } from '../../../src/errors/index.js'
import { HeadTail } from '../../../src/ops/truncate.js'
import { installError, shown } from '../../../src/packages/install/faults.js'
import type { ManagedInstall, ManagedReport, PackageManager } from '../../../src/packages/install/manager.js'
import type { InstalledPackage } from '../../../src/packages/install/options.js'
import type { parseRequest } from '../../../src/packages/install/specs.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { untilBegun } from '../../../src/workspace/abortable-wait.js'
import { joinPath, relativePath } from '../../../src/workspace/paths.js'
import { safeListener } from '../../shared/output-buffer.js'
import { watchStop } from '../../shared/process/stop.js'
import { errnoOf } from '../faults.js'
import { baseEnvironments } from '../shell/environment.js'
import { reasonOf, startProcess } from '../shell/process.js'
import { type Chosen, chooseManager, lockOf } from './choose.js'
import { type Command, commandOf, type ManagerName } from './commands.js'
import { compareTrees, readEntry, readTree } from './installed.js'
import { cleaner, wholeLines } from './redact.js'

/** Options of `createNodePackageManager`. */
export interface NodePackageManagerOptions {
  /** Default: `auto`. This means the manager in `packageManager` of package.json, else the manager of the existing lock file, else npm. */
  readonly use?: 'auto' | ManagerName
  /** Whether to run scripts of packages, which may do whatever this process may. Default: false. */
  readonly scripts?: boolean
  /**
   * URL of the registry. Default: the registry of the manager's own configuration (`.npmrc` and the like), which is also the place for API
   * keys.
   */
  readonly registry?: string
  /** Variables to add to the manager's environment. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Further variables of this process that the manager may see, for example proxies, or `ALL`. Default: those that `createNodeShell`
   * passes.
   */
  readonly inherit?: readonly string[] | 'ALL'
}

const USES: readonly unknown[] = ['auto', 'npm', 'pnpm', 'yarn', 'bun']
/** Number of bytes of each stream to keep for the error message. */
const KEPT_BYTES = 16 * 1024

/**
 * Installs packages with a package manager of this machine, for `jsTools({ packageManager })`: npm, pnpm, yarn or bun, as the project
 * requests. It runs in its own process group, which has ended when `install` resolves. Use it for trusted projects only: it obeys their
 * settings (`.npmrc`, `.yarnrc.yml`), and path rules and quotas do not restrict it. Reported output contains no API keys and no machine
 * paths.
 *
 * A failed or aborted install is not rolled back.
 *
 * @throws {TypeError} for invalid options; {InputError} for an invalid environment variable
 */
export function createNodePackageManager(options: NodePackageManagerOptions = {}): PackageManager {
  const { use = 'auto', scripts = false, registry } = options
  if (!USES.includes(use))
    throw new TypeError(`Cannot use the package manager ${JSON.stringify(use)}: expected auto, npm, pnpm, yarn or bun`)
  if (registry !== undefined) checkAddress(registry)
  const base = baseEnvironments(options).plain
  return {
    name: use,
    runsScripts: scripts,
    async install(workspace, request) {
      const project = await projectOf(workspace, request)
      const specs = await import('../../../src/packages/install/specs.js')
      const requests = request.packages.map((given) => requestOf(given, specs.parseRequest))
      return locked(workspace, project.path, request.signal, async () => {
        const chosen = chooseManager(project.host, use)
        const before = readTree(project.host)
        const packages = requests.map(({ text }) => text)
        const { dev = false } = request
        const given = { folder: project.host, packages, dev, scripts, registry, modernYarn: chosen.modernYarn }
        await run(commandOf(chosen.name, given), { workspace, project, base, request })
        const requested = requests.map(({ name }) => requestedOf(name, project, chosen))
        const changes = compareTrees(before, readTree(project.host), project.path, scripts)
        const lockfile = lockOf(project.host, chosen.name)
        return {
          manager: chosen.name,
          requested,
          ...changes,
          ...(lockfile !== undefined && { lockfile: joinPath(project.path, lockfile) }),
        } satisfies ManagedReport
      })
    },
  }
}

/** Managers treat arguments with these endings as files of the project instead of names in a registry. */
const TARBALL = /\.(?:tgz|tar|tar\.gz)$/i

function requestOf(given: string, parse: typeof parseRequest): ReturnType<typeof parseRequest> {
  const request = parse(given)
  if (!TARBALL.test(request.text)) return request
  throw installError('spec', `Cannot install ${shown(request.text)}: a package manager takes it for the file of a package, name a package`)
}

/** Rejects an address with credentials, because arguments are visible in the process list of this machine. */
function checkAddress(registry: string): void {
  const url = URL.canParse(registry) ? new URL(registry) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('The option "registry" must be an http(s) address')
  if (url.username || url.password) throw new TypeError('The option "registry" has a user or password in it: keys belong into .npmrc')
}

/** A directory: its virtual path and its host path. */
interface Project {
  readonly path: string
  readonly host: string
}

async function projectOf(workspace: Workspace, { cwd, packages }: ManagedInstall): Promise<Project> {
  const { fs, readOnly } = workspace
  if (fs.hostPath === undefined) {
    const message = `Cannot use a package manager: the storage "${fs.name}" is no directory of this machine`
    throw new UnsupportedError('package manager', message, fs.name)
  }
  if (process.platform === 'win32') throw new JsError('unavailable', 'Cannot use a package manager: Windows has no process groups')
  if (readOnly) {
    const message = 'Cannot install packages: the workspace is read-only, and a package manager writes where it likes'
    throw new PolicyError('read_only', message, 'readOnly')
  }
  const path = await workspace.realpath(cwd ?? workspace.cwd)
  const { kind } = await workspace.stat(path, 'install into')
  if (kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'install into', path })
  // Reject symlinks that lead out of the workspace, because the manager would follow them.
  for (const name of ['package.json', 'node_modules']) await workspace.realpath(joinPath(path, name))
  if (packages.length === 0 && !(await workspace.exists(joinPath(path, 'package.json'))))
    throw installError('project', `Cannot install: there is no package.json in "${path}". Name the packages to install`)
  return { path, host: fs.hostPath(joinPath('/', relativePath(path, workspace.root))) }
}

/** Locks the paths that an install changes, so that no other call on this workspace changes them in the meantime. */
function locked<T>(workspace: Workspace, path: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const paths = ['node_modules', 'package.json', 'package-lock.json'].map((name) => joinPath(path, name))
  return untilBegun(signal, (begin) =>
    workspace.locked(paths, async () => {
      begin()
      return work()
    }),
  )
}

interface Running {
  readonly workspace: Workspace
  readonly project: Project
  readonly base: Readonly<Record<string, string>>
  readonly request: ManagedInstall
}

/** @throws as `install` */
async function run({ file, args, env }: Command, { workspace, project, base, request: { signal, onOutput } }: Running): Promise<void> {
  const all = { ...base, ...env, PWD: project.host }
  const hostRoot = workspace.fs.hostPath?.('/') ?? project.host
  const clean = cleaner({ folder: project.host, hostRoot, root: workspace.root, env: all })
  const kept = { stdout: new HeadTail(KEPT_BYTES), stderr: new HeadTail(KEPT_BYTES) }
  const tell = safeListener(onOutput)
  const lines = (stream: ShellOutput['stream']): ReturnType<typeof wholeLines> =>
    wholeLines((text) => {
      const shown = clean(text)
      kept[stream].push(shown)
      tell({ stream, text: shown })
    })
  const streams = { stdout: lines('stdout'), stderr: lines('stderr') }
  const stop = watchStop(signal, undefined)
  try {
    const start = { file, args, scratch: [], cwd: project.host, env: all, reports: false }
    const child = await startProcess({ ...start, onOutput: ({ stream, text }) => streams[stream].push(text) }).catch((error) =>
      failToStart(file, error),
    )
    const exit = await Promise.race([child.exited, stop.happened])
    if (exit === undefined) {
      await child.end()
      throw signal?.reason
    }
    await child.settle()
    streams.stdout.end()
    streams.stderr.end()
    if (exit.code !== 0) throw failureOf(file, exit.code, kept)
  } finally {
    stop.dispose()
  }
}

const INSTALLS: Readonly<Record<ManagerName, string>> = {
  npm: 'it comes with Node',
  pnpm: '"corepack enable pnpm" or "npm install --global pnpm" installs it',
  yarn: '"corepack enable yarn" or "npm install --global yarn" installs it',
  bun: '"npm install --global bun" installs it',
}

function failToStart(file: ManagerName, error: unknown): never {
  if (!(error instanceof ShellError)) throw error
  const errno = errnoOf(error.cause)
  const why = errno === 'ENOENT' ? `it is not installed here (${INSTALLS[file]}), or not in PATH` : reasonOf(errno)
  throw new JsError('spawn_failed', `Cannot run ${file}: ${why}`, { cause: error.cause })
}

/** Returns the installed package. Settings such as `dry-run` and `global` let a manager succeed without installing it. */
function requestedOf(name: string, { path, host }: Project, { name: manager }: Chosen): InstalledPackage {
  const entry = readEntry(host, name)
  if (!entry) {
    const message = `Cannot find ${JSON.stringify(name)} in node_modules after ${manager} has installed it: see its settings in the project (.npmrc, .yarnrc.yml)`
    throw installError('manager', message, { package_manager: manager })
  }
  return { name, version: entry.version, path: joinPath(path, `node_modules/${name}`) }
}

const MOST_LINES = 20
const LONGEST = 2000

/** Output lines that do not help to understand the error. */
const NOISE = /A complete log of this run|^\s*$|npm warn Unknown (?:user|project|env) config|Update available|^npm (?:error|warn)\s*$/

/** Patterns that classify the error messages of all managers. */
const UNKNOWN = /\bE404\b|ERR_PNPM_FETCH_404|Couldn't find package|error: .* failed to resolve|Package not found/i
const NO_VERSION = /\bETARGET\b|ERR_PNPM_NO_MATCHING_VERSION|Couldn't find any versions|No version matching|No candidates found/i
const NETWORK =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EAI_AGAIN|EINTEGRITY|E401|E403|E5\d\d)\b|ERR_PNPM_(?:FETCH_|META_FETCH)|network (?:request|error)/i

/** Builds the error of a failed manager from its output, which is already redacted. */
export function failureOf(
  manager: ManagerName,
  code: number,
  { stdout, stderr }: { readonly stdout: HeadTail; readonly stderr: HeadTail },
): Error {
  const cut = (): string => '\n[...]\n'
  const said = tailOf(stderr.finish(cut).text)
  // Look at stdout too, because some managers report errors there.
  const words = said === '' || !/err/i.test(said) ? `${tailOf(stdout.finish(cut).text)}\n${said}`.trim() : said
  const message = `${manager} could not install (exit code ${code})${words === '' ? '' : `:\n${words}`}`
  const details = { package_manager: manager, exit_code: code }
  if (UNKNOWN.test(words)) return installError('unknown_package', message, details)
  if (NO_VERSION.test(words)) return installError('no_version', message, details)
  if (NETWORK.test(words)) return new NetworkError('network', message)
  return installError('manager', message, details)
}

function tailOf(text: string): string {
  const lines = text.split('\n').filter((line) => !NOISE.test(line))
  return lines.slice(-MOST_LINES).join('\n').slice(-LONGEST)
}
