import { FsError, ignoreCodes, type NetworkError } from '../../errors/index.js'
import { createLimit } from '../../ops/concurrency.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { Workspace } from '../../types/workspace.js'
import { untilBegun } from '../../workspace/abortable-wait.js'
import { joinPath } from '../../workspace/paths.js'
import { Slicer } from '../../workspace/slicer.js'
import { registryBase } from './addresses.js'
import { type Chosen, chooseRequested } from './choose-requested.js'
import { commit } from './commit.js'
import { fromLock, type PackageEntry } from './entry.js'
import { installError } from './faults.js'
import { addLocked, type LockContent, type LockFile, lockText, namesOf, readLockFile } from './lockfile.js'
import {
  type InstalledPackage,
  type InstallLimits,
  type InstallOptions,
  type InstallPhase,
  type InstallReport,
  type InstallWarning,
  installLimits,
} from './options.js'
import { HIDDEN_LOCK, isListed, makePlan, type Plan, readInstalled } from './plan.js'
import { installable } from './platform.js'
import { overridesOf, type Project, projectText, readProject, wantsOf, withDependencies } from './project.js'
import { createRegistry, type Registry } from './registry-client.js'
import { resolveTree } from './resolve.js'
import { parseRequest } from './specs.js'
import { readArrivals } from './staging.js'
import { type Flags, projectNode, prune, registryNameOf, type TreeNode } from './tree.js'
import { type Unpacked, unpack } from './unpack.js'
import { packageWarnings, peerWarnings, runsScripts, warning } from './warnings.js'

const CONCURRENCY = 6
/** Number of tarballs to unpack concurrently. A low number, because unpacking keeps the processor busy instead of waiting. */
const UNPACKERS = 2
const LOCK = 'package-lock.json'

/**
 * Installs packages from a registry into a project of the workspace, without a package manager. Chooses versions and places packages in
 * node_modules as npm does. Maintains `package.json` and npm's own `package-lock.json` (version 3), and keeps the versions that the lock
 * file records. If the lock file matches, no metadata is downloaded, and packages that are already in place are not downloaded again.
 *
 * Downloads, verifies (by digest) and unpacks everything before it writes. A failure or an abort leaves the project unchanged. Installs in
 * the same workspace run one after another. Scripts of packages never run. Peer dependencies are not installed; the report lists the
 * missing ones. Commands of packages are linked in `node_modules/.bin` if the storage supports links.
 *
 * @throws {InputError} with `details.reason`: `name`, `spec`, `unknown_package`, `no_version`, `project`, `tarball`, `limit`
 * @throws {NetworkError} errors of the fetch adapter; `http_status`; `network` for a wrong digest or an invalid response
 * @throws {FsError} EROFS EACCES ENOSPC ENOENT (no such project) EFBIG (over a limit) ...; {TypeError} for invalid options; the signal's
 * reason
 */
export async function installPackages(workspace: Workspace, options: InstallOptions): Promise<InstallReport> {
  const chosen = {
    base: registryBase(options.registry),
    limits: installLimits(options.limits),
    concurrency: concurrencyOf(options.concurrency),
  }
  const requests = options.packages.map(parseRequest)
  const folder = await workspace.realpath(options.cwd ?? workspace.cwd)
  const stat = await workspace.stat(folder, 'install into')
  if (stat.kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'install into', path: folder })
  if (workspace.readOnly) throw new FsError({ code: 'EROFS', op: 'install into', path: folder })
  const paths = ['node_modules', 'package.json', LOCK].map((name) => joinPath(folder, name))
  return untilBegun(options.signal, (begin) =>
    workspace.locked(paths, async (locked) => {
      begin()
      const stop = new AbortController()
      const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
      try {
        return await new Install(locked, folder, options, chosen, signal).run(requests)
      } catch (error) {
        // Cancel pending downloads.
        stop.abort(error)
        throw error
      }
    }),
  )
}

function concurrencyOf(given = CONCURRENCY): number {
  if (!Number.isInteger(given) || given < 1) throw new TypeError('The option "concurrency" must be a whole number of 1 or more')
  return given
}

class Install {
  readonly #workspace: Workspace
  readonly #folder: string
  readonly #options: InstallOptions
  readonly #limits: Required<InstallLimits>
  readonly #signal: AbortSignal
  readonly #registry: Registry
  readonly #warnings: InstallWarning[] = []
  readonly #tarballs = new Map<string, Promise<Uint8Array>>()

  constructor(
    workspace: Workspace,
    folder: string,
    options: InstallOptions,
    { base, limits, concurrency }: { readonly base: string; readonly limits: Required<InstallLimits>; readonly concurrency: number },
    signal: AbortSignal,
  ) {
    this.#workspace = workspace
    this.#folder = folder
    this.#options = options
    this.#limits = limits
    this.#signal = signal
    const { fetch, headers = {}, nodeVersion } = options
    const { metadataBytes, packageBytes, packages: prefetches } = limits
    const { host } = workspace
    const limit = createLimit(concurrency)
    this.#registry = createRegistry({ fetch, base, headers, prefetches, metadataBytes, packageBytes, nodeVersion, host, limit, signal })
  }

  async run(requests: readonly ReturnType<typeof parseRequest>[]): Promise<InstallReport> {
    const { dev } = this.#options
    const workspace = this.#workspace
    const before = await readProject(workspace, this.#folder)
    if (!before.exists && requests.length === 0) {
      throw installError('project', `Cannot install: there is no package.json in "${this.#folder}". Name the packages to install`)
    }
    await this.#refuseLinkedModules()
    const lock = await readLockFile(workspace, joinPath(this.#folder, LOCK))
    const installed = await readInstalled(workspace, this.#folder)
    const { saved, ...chosen } = await chooseRequested(requests, before, lock, dev, this.#registry)
    const project = withDependencies(before, saved)
    const { root, flags } = await this.#resolve(project, lock, installed, chosen)
    const wanted = installable(root, flags)
    const arrivals = await readArrivals(workspace, joinPath(this.#folder, 'node_modules'))
    const plan = await makePlan(workspace, this.#folder, wanted, installed, lock, arrivals)
    const unpacked = await this.#fetch(plan, flags)
    const done = { fresh: plan.fresh.filter((node) => unpacked.has(node)), kept: plan.kept, gone: plan.gone }
    const all = this.#contents(flags, unpacked, lock)
    this.#warn(flags, wanted, done, unpacked, lock)
    await this.#write(before, project, done, unpacked, all, lock, installed)
    return this.#report(requests, root, done, unpacked, installed)
  }

  /** Rejects a linked node_modules, whose content belongs to another project. */
  async #refuseLinkedModules(): Promise<void> {
    const path = joinPath(this.#folder, 'node_modules')
    const stat = await this.#workspace.lstat(path).catch(ignoreCodes('ENOENT'))
    if (stat && stat.kind !== 'dir') {
      const code = stat.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR'
      throw new FsError({ code, op: 'install into', path, detail: `it is a ${stat.kind === 'symlink' ? 'link' : 'file'}: remove it first` })
    }
  }

  async #resolve(project: Project, lock: LockFile, installed: LockFile, { explicit, asked }: Omit<Chosen, 'saved'>) {
    const wants = wantsOf(project)
    const overrides = overridesOf(project, wants)
    const root = projectNode(wants, asked)
    addLocked(root, lock, overrides)
    await resolveTree(root, {
      registry: this.#registry,
      overrides,
      limits: this.#limits,
      slicer: new Slicer(this.#workspace.host, { signal: this.#signal }),
      explicit,
      onPlaced: (node) => {
        if (!isListed(installed, node.path, node.entry)) void this.#tarball(node)
      },
      onMissing: ({ name, given }, message) =>
        void this.#warnings.push(
          warning('optional', { name, entry: { version: '' } }, `(${given}) is optional and not installed: ${message}`),
        ),
      onProgress: (done, total, name) => this.#tell('resolve', done, total, name),
    })
    return { root, flags: prune(root) }
  }

  /** Downloads each tarball once, even if it is used several times. */
  #tarball({ name, entry }: TreeNode): Promise<Uint8Array> {
    const registryName = entry.name ?? name
    const key = `${registryName} ${entry.version} ${entry.resolved} ${entry.integrity}`
    const before = this.#tarballs.get(key)
    if (before) return before
    const got = this.#registry.tarball(registryName, entry)
    // Handle the rejection here: the code that awaits this promise reports the error, but if the package is not needed, no code awaits it.
    got.catch(() => undefined)
    this.#tarballs.set(key, got)
    return got
  }

  /** Downloads, verifies and unpacks all packages. Skips optional packages that are unavailable. */
  async #fetch({ fresh }: Plan, flags: ReadonlyMap<TreeNode, Flags>): Promise<Map<TreeNode, Unpacked>> {
    const workspace = this.#workspace
    const signal = this.#signal
    const budget = { files: this.#limits.files, bytes: this.#limits.unpackedBytes }
    const unpackers = createLimit(UNPACKERS)
    const unpacked = new Map<TreeNode, Unpacked>()
    let fetched = 0
    const one = async (node: TreeNode): Promise<void> => {
      const tarball = await this.#tarball(node).catch((error: unknown) => {
        if (!flags.get(node)?.optional || !isMissing(error)) throw error
        this.#warnings.push(warning('optional', node, `is optional and not installed: ${error.message}`))
        return undefined
      })
      this.#tell('fetch', ++fetched, fresh.length, node.name)
      if (!tarball) return
      const { host, fs } = workspace
      const content = await unpackers(() => {
        signal.throwIfAborted()
        return unpack(registryNameOf(node), node.entry, tarball, { host, caseSensitive: fs.can.caseSensitive, budget, signal })
      })
      unpacked.set(node, content)
      this.#tell('unpack', unpacked.size, fresh.length, node.name)
    }
    await Promise.all(fresh.map(one))
    return unpacked
  }

  /**
   * Collects the content of the lock file. Adds install scripts, which some metadata omit, and bundled packages, which no metadata contain.
   */
  #contents(flags: ReadonlyMap<TreeNode, Flags>, unpacked: ReadonlyMap<TreeNode, Unpacked>, lock: LockFile): LockContent {
    const packages = new Map<string, { readonly entry: PackageEntry; readonly flags: Flags }>()
    const bundled = new Map<string, PackageEntry>()
    for (const [node, own] of flags) {
      const content = unpacked.get(node)
      const runs = content !== undefined && runsScripts(content)
      packages.set(node.path, { entry: runs ? { ...node.entry, hasInstallScript: true } : node.entry, flags: own })
      if (!node.entry.bundleDependencies) continue
      for (const [path, entry] of content ? bundledIn(node.path, content) : lock.bundled) {
        if (path.startsWith(`${node.path}/node_modules/`)) bundled.set(path, entry)
      }
    }
    return { packages, bundled }
  }

  #warn(
    flags: ReadonlyMap<TreeNode, Flags>,
    wanted: ReadonlySet<TreeNode>,
    { fresh, kept }: Plan,
    unpacked: ReadonlyMap<TreeNode, Unpacked>,
    lock: LockFile,
  ): void {
    const { nodeVersion } = this.#options
    for (const node of fresh) this.#warnings.push(...packageWarnings(node, unpacked.get(node), nodeVersion))
    for (const node of flags.keys()) {
      if (!wanted.has(node) && !lock.packages.has(node.path)) this.#warnings.push(...packageWarnings(node, undefined, undefined))
    }
    for (const node of [...fresh, ...kept]) this.#warnings.push(...peerWarnings(node))
  }

  async #write(
    before: Project,
    project: Project,
    plan: Plan,
    unpacked: ReadonlyMap<TreeNode, Unpacked>,
    content: LockContent,
    lock: LockFile,
    installed: LockFile,
  ): Promise<void> {
    const there = new Set([...plan.fresh, ...plan.kept].map(({ path }) => path))
    const hidden = lockText(project, { ...content, packages: new Map([...content.packages].filter(([path]) => there.has(path))) }, true)
    const visible = lockText(project, content, false)
    const moved = plan.fresh.length > 0 || plan.gone.size > 0
    const texts = [
      ...(there.size > 0 && (moved || hidden !== installed.text) ? [{ path: HIDDEN_LOCK, text: hidden }] : []),
      ...(project === before && before.exists ? [] : [{ path: 'package.json', text: projectText(project), bom: project.bom }]),
      ...(visible === lock.text ? [] : [{ path: LOCK, text: visible }]),
    ]
    const total = plan.fresh.reduce((sum, node) => sum + (unpacked.get(node)?.files.size ?? 0), 0)
    let written = 0
    await commit(this.#workspace, {
      folder: this.#folder,
      plan,
      unpacked,
      before: installed.packages,
      texts,
      signal: this.#signal,
      onFile: (name) => this.#tell('write', ++written, total, name),
    })
  }

  #report(
    requests: readonly ReturnType<typeof parseRequest>[],
    root: TreeNode,
    { fresh, kept, gone }: Plan,
    unpacked: ReadonlyMap<TreeNode, Unpacked>,
    { packages }: LockFile,
  ): InstallReport {
    const at = ({ name, path, entry }: Pick<TreeNode, 'name' | 'path' | 'entry'>): InstalledPackage => ({
      name,
      version: entry.version,
      path: joinPath(this.#folder, path),
    })
    const contents = [...unpacked.values()]
    return {
      requested: requests.flatMap(({ name }) => {
        const node = root.children.get(name)
        return node ? [at(node)] : []
      }),
      added: fresh.filter(({ path }) => !packages.has(path)).map(at),
      updated: fresh.flatMap((node) => {
        const from = packages.get(node.path)?.version
        return from === undefined ? [] : [{ ...at(node), from }]
      }),
      removed: [...gone].map(([path, entry]) => at({ name: path.slice(path.lastIndexOf('node_modules/') + 13), path, entry })),
      unchanged: kept.length,
      files: contents.reduce((sum, { files }) => sum + files.size, 0),
      bytes: contents.reduce((sum, { bytes }) => sum + bytes, 0),
      lockfile: joinPath(this.#folder, LOCK),
      warnings: this.#warnings,
    }
  }

  #tell(phase: InstallPhase, done: number, total: number, name: string): void {
    this.#options.onProgress?.({ phase, done, total, name })
  }
}

function isMissing(error: unknown): error is NetworkError {
  return error instanceof Error && error.name === 'NetworkError' && (error as NetworkError).code === 'http_status'
}

const MANIFEST = '/package.json'

/** Returns the packages that are bundled in a tarball's own node_modules, by their paths after the install. */
function bundledIn(folder: string, { files }: Unpacked): Map<string, PackageEntry> {
  const bundled = new Map<string, PackageEntry>()
  for (const [path, { bytes }] of files) {
    if (!path.startsWith('node_modules/') || !path.endsWith(MANIFEST)) continue
    const at = path.slice(0, -MANIFEST.length)
    const name = namesOf(at)?.at(-1)
    const entry = name === undefined || (name.includes('/') && !name.startsWith('@')) ? undefined : fromLock(name, jsonOf(bytes))
    if (entry) bundled.set(`${folder}/${at}`, entry)
  }
  return bundled
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}
