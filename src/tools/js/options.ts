import type { PackageManager } from '../../packages/install/manager.js'
import type { InstallLimits } from '../../packages/install/options.js'
import type { SecretHeaders } from '../web/options.js'
import { parseWebUrl } from '../web/url.js'

/** What programs may do besides computing. Programs cannot see what they are not granted. */
export interface JsToolGrants {
  /** Access to the workspace's files, under the workspace's rules. Default `write`; at most `read` in a read-only workspace. */
  readonly fs?: 'none' | 'read' | 'write'
  /** `fetch`, through the runtime's fetch adapter and its allowed origins. Default false. */
  readonly fetch?: boolean
  /**
   * `invokeTool(name, input)`: all other tools, or those with these names. The runtime's policy applies to each call. Available only during
   * the call that runs the program, not in the background. Default false.
   */
  readonly tools?: boolean | readonly string[]
}

/** Options of the JavaScript tools. */
export interface JsToolsOptions {
  readonly grants?: JsToolGrants
  /** Base URL of the package registry, or of its proxy, for `install_js_packages`. No default. The fetch adapter must allow its origin. */
  readonly registry?: string
  /** Headers of each request to the registry. Toolport sends them nowhere else, and no output, event or error contains them. */
  readonly registryHeaders?: SecretHeaders
  /** Limits of one install. */
  readonly installLimits?: InstallLimits
  /** The Node version to match against the `engines` of packages. Default: no check. */
  readonly nodeVersion?: string
  /**
   * A package manager that replaces the built-in installer, such as `createNodePackageManager()` of `toolport/adapters/node`. It uses its
   * own registry settings and limits. Default: the built-in installer.
   */
  readonly packageManager?: PackageManager
}

/** The checked options. */
export interface JsSettings extends Omit<JsToolsOptions, 'grants'> {
  readonly grants: Required<JsToolGrants>
}

const FS: readonly unknown[] = ['none', 'read', 'write']

/** @throws {TypeError} for invalid grants or an invalid URL; the message does not quote the URL, which may contain an API key */
export function checkJsOptions({ grants = {}, ...rest }: JsToolsOptions): JsSettings {
  const { fs = 'write', fetch = false, tools = false } = grants
  if (!FS.includes(fs)) throw new TypeError(`Cannot grant fs ${JSON.stringify(fs)}: expected none, read or write`)
  if (typeof fetch !== 'boolean')
    throw new TypeError('Cannot grant fetch: expected true or false. The fetch adapter decides which origins are allowed')
  const isList = Array.isArray(tools) && tools.every((name) => typeof name === 'string')
  if (typeof tools !== 'boolean' && !isList) throw new TypeError('Cannot grant tools: expected true, false or a list of names')
  checkRegistry(rest.registry)
  checkManager(rest)
  return { ...rest, grants: { fs, fetch, tools } }
}

function checkManager({ packageManager, registry, registryHeaders, installLimits }: JsToolsOptions): void {
  if (packageManager === undefined) return
  if (typeof packageManager.install !== 'function')
    throw new TypeError('Cannot install packages: packageManager is not a package manager. Pass the result of createNodePackageManager()')
  for (const [name, given] of Object.entries({ registry, registryHeaders, installLimits })) {
    if (given !== undefined)
      throw new TypeError(
        `Cannot install packages: "${name}" applies to the built-in installer only. Pass "${name}" or "packageManager", not both`,
      )
  }
}

function checkRegistry(registry: string | undefined): void {
  if (registry === undefined) return
  const url = parseWebUrl(registry)
  if (!url) throw new TypeError('Cannot install packages: registry must be a URL that begins with http:// or https://')
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError(
      'Cannot install packages: registry must not have a user, password, query or fragment. Pass keys in "registryHeaders"',
    )
}
