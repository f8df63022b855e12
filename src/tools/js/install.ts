import { reply } from '../../core/define-tool.js'
import { NetworkError, UnsupportedError } from '../../errors/index.js'
import { headTail } from '../../ops/truncate.js'
import { installPackages } from '../../packages/install/index.js'
import type { ManagedReport } from '../../packages/install/manager.js'
import type { InstalledPackage, InstallReport, InstallWarningKind } from '../../packages/install/options.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { streamProgress } from '../shell/stream-progress.js'
import type { SecretHeaders } from '../web/options.js'
import type { JsSettings } from './options.js'
import { placeOf } from './run.js'

interface InstallInput {
  readonly packages: readonly string[]
  readonly dev: boolean
  readonly cwd?: string | undefined
}

const TOOL = 'install_js_packages'

/** The body of `install_js_packages`. */
export async function runInstall(settings: JsSettings, input: InstallInput, context: ToolContext): Promise<ToolReply<InstalledOutput>> {
  const { host, limits } = context
  const started = host.now()
  const cwd = await placeOf(input.cwd, context)
  const report = await install(settings, { ...input, cwd }, context)
  const output = installedOutput(report, cwd, host.now() - started)
  return reply(output, [{ type: 'text', text: renderInstalled(output, limits.outputBytes) }])
}

/** @throws {UnsupportedError} without a registry; errors of `installPackages` or of the package manager */
export async function install(
  { registry, registryHeaders = {}, installLimits, nodeVersion, packageManager }: JsSettings,
  { packages, dev, cwd }: InstallInput & { readonly cwd: string },
  { workspace, fetch, signal, progress, limits }: ToolContext,
): Promise<InstallReport | ManagedReport> {
  if (packageManager) {
    const onOutput = streamProgress(progress, limits.shellStreamBytes)
    return packageManager.install(workspace, { packages, cwd, signal, onOutput, ...(dev && { dev }) })
  }
  if (registry === undefined || !fetch) {
    const missing = registry === undefined ? 'no package registry is configured' : 'there is no fetch adapter'
    throw new UnsupportedError('registry', `Cannot run "${TOOL}": ${missing}`)
  }
  return installPackages(workspace, {
    packages,
    cwd,
    fetch,
    registry,
    headers: await headersFrom(registryHeaders),
    signal,
    onProgress: ({ phase, done, total, name }) => progress({ phase, done, total, name }),
    ...(dev && { dev }),
    ...(installLimits && { limits: installLimits }),
    ...(nodeVersion !== undefined && { nodeVersion }),
  })
}

async function headersFrom(given: SecretHeaders): Promise<Readonly<Record<string, string>>> {
  try {
    return typeof given === 'function' ? await given() : given
  } catch {
    // The error may contain the API key.
    throw new NetworkError('network', `Cannot run "${TOOL}": the headers for the registry could not be read`)
  }
}

interface ShownPackage {
  readonly name: string
  readonly version: string
  /** Virtual path of its directory. */
  readonly path: string
}

interface ShownWarning {
  readonly kind: InstallWarningKind
  readonly name: string
  readonly version: string
  readonly message: string
}

interface InstalledOutput {
  /** The packages requested by name. */
  readonly installed: readonly ShownPackage[]
  /** Numbers of packages in the dependency tree. */
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
  /** Numbers of written files and bytes, if known. */
  readonly files?: number
  readonly bytes?: number
  readonly warnings: readonly ShownWarning[]
  /** Total number of warnings. `warnings` lists the first ones. */
  readonly warnings_total: number
  /** The lockfile, if there is one. */
  readonly lockfile?: string
  /** The package manager, if it is not the built-in installer. */
  readonly package_manager?: string
  readonly cwd: string
  readonly duration_ms: number
}

const MOST_WARNINGS = 50

function installedOutput(report: InstallReport | ManagedReport, cwd: string, durationMs: number): InstalledOutput {
  const { requested, added, updated, removed, unchanged, warnings, lockfile } = report
  return {
    installed: requested.map(shownPackage),
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    unchanged,
    ...('files' in report && { files: report.files, bytes: report.bytes }),
    warnings: warnings.slice(0, MOST_WARNINGS).map(({ kind, name, version, message }) => ({ kind, name, version, message })),
    warnings_total: warnings.length,
    ...(lockfile !== undefined && { lockfile }),
    ...('manager' in report && { package_manager: report.manager }),
    cwd,
    duration_ms: durationMs,
  }
}

const shownPackage = ({ name, version, path }: InstalledPackage): ShownPackage => ({ name, version, path })

/** Renders the installed packages, the changes and the warnings. */
function renderInstalled(output: InstalledOutput, maxBytes: number): string {
  const { installed, warnings, warnings_total } = output
  const rest = warnings_total - warnings.length
  const text = [
    ...(installed.length === 0
      ? ['All dependencies in package.json are installed']
      : installed.map((each) => `${each.name}@${each.version}`)),
    ...warnings.map(({ message }) => `[warning] ${message}`),
    ...(rest > 0 ? [`[${rest} more warnings]`] : []),
    `[${countsOf(output)}]`,
  ].join('\n')
  return headTail(text, maxBytes, (bytes) => `\n[... ${bytes} bytes left out ...]\n`).text
}

function countsOf({ added, updated, removed, unchanged, duration_ms }: InstalledOutput): string {
  const counts = Object.entries({ added, updated, removed, unchanged }).filter(([, count]) => count > 0)
  return [...counts.map(([what, count]) => `${count} ${what}`), `${duration_ms} ms`].join(', ')
}
