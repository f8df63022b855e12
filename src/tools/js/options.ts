import type { PackageManager } from '../../packages/install/manager.js'
import type { InstallLimits } from '../../packages/install/options.js'
import type { SecretHeaders } from '../web/options.js'
import { parseWebUrl } from '../web/url.js'

/** What programs may do besides computing. What is not granted is not there. */
export interface JsToolGrants {
  /** The workspace's files, under its rules. Default `write`; in a read-only workspace it is `read` at the most. */
  readonly fs?: 'none' | 'read' | 'write'
  /** `fetch`, through the runtime's fetch adapter and the origins that it allows. Default false. */
  readonly fetch?: boolean
  /**
   * `invokeTool(name, input)`: the other tools, all or those of these names, each call under the runtime's policy. Only while the call
   * that runs the program lasts, so not in the background. Default false.
   */
  readonly tools?: boolean | readonly string[]
}

export interface JsToolsOptions {
  readonly grants?: JsToolGrants
  /** Address of the package registry, or of a proxy of it, for `install_js_packages`: none is built in. The fetch adapter has to allow it. */
  readonly registry?: string
  /** Sent with each request to the registry. They go nowhere else, and appear in no output, event or error. */
  readonly registryHeaders?: SecretHeaders
  /** Of one install. */
  readonly installLimits?: InstallLimits
  /** The version of Node that programs find, for what packages say about it. Default: it is not looked at. */
  readonly nodeVersion?: string
  /**
   * Installs in the place of what is built in: `createNodePackageManager()` of `toolport/adapters/node`. Where it asks for packages, and
   * what it may take, is its own affair. Default: what is built in.
   */
  readonly packageManager?: PackageManager
}

/** The options, checked. */
export interface JsSettings extends Omit<JsToolsOptions, 'grants'> {
  readonly grants: Required<JsToolGrants>
}

const FS: readonly unknown[] = ['none', 'read', 'write']

/** @throws {TypeError} for grants that are none; for an address that is none, which is not quoted: it may hold a key */
export function checkJsOptions({ grants = {}, ...rest }: JsToolsOptions): JsSettings {
  const { fs = 'write', fetch = false, tools = false } = grants
  if (!FS.includes(fs)) throw new TypeError(`Cannot grant fs ${JSON.stringify(fs)}: expected none, read or write`)
  if (typeof fetch !== 'boolean')
    throw new TypeError('Cannot grant fetch: expected true or false; which origins is up to the fetch adapter')
  const isList = Array.isArray(tools) && tools.every((name) => typeof name === 'string')
  if (typeof tools !== 'boolean' && !isList) throw new TypeError('Cannot grant tools: expected true, false or a list of names')
  checkRegistry(rest.registry)
  checkManager(rest)
  return { ...rest, grants: { fs, fetch, tools } }
}

function checkManager({ packageManager, registry, registryHeaders, installLimits }: JsToolsOptions): void {
  if (packageManager === undefined) return
  if (typeof packageManager.install !== 'function')
    throw new TypeError('Cannot install packages: packageManager is none, such as createNodePackageManager() gives')
  for (const [name, given] of Object.entries({ registry, registryHeaders, installLimits })) {
    if (given !== undefined)
      throw new TypeError(`Cannot install packages: "${name}" is for the built-in installer, and says nothing to "packageManager"`)
  }
}

function checkRegistry(registry: string | undefined): void {
  if (registry === undefined) return
  const url = parseWebUrl(registry)
  if (!url) throw new TypeError('Cannot install packages: registry is no address that begins with http:// or https://')
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError(
      'Cannot install packages: registry has a user, a password, a query or a fragment; keys belong into "registryHeaders"',
    )
}
