import { reply } from '../../core/define-tool.js'
import { NetworkError, UnsupportedError } from '../../errors/index.js'
import { installPackages } from '../../packages/install/index.js'
import type { ManagedReport } from '../../packages/install/manager.js'
import type { InstallReport } from '../../packages/install/options.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { streamProgress } from '../shell/stream-progress.js'
import type { SecretHeaders } from '../web/options.js'
import { type InstalledOutput, installedOutput, renderInstalled } from './install-output.js'
import type { JsSettings } from './options.js'
import { placeOf } from './run.js'

export interface InstallInput {
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

/** @throws {UnsupportedError} without a registry; what `installPackages` throws, or the package manager */
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
    const missing =
      registry === undefined ? 'no package registry is configured (the option "registry" of its tools)' : 'there is no fetch adapter'
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
    // What it says may hold the key.
    throw new NetworkError('network', `Cannot run "${TOOL}": the headers for the registry could not be had`)
  }
}
