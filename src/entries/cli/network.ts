import { createFetch } from '../../../adapters/fetch/index.js'
import { checkJsOptions, type JsToolsOptions } from '../../tools/js/options.js'
import { webTools } from '../../tools/web/index.js'
import type { FetchAdapter } from '../../types/ports.js'
import type { AnyTool } from '../../types/tool.js'
import { type CliOptions, UsageError } from './options.js'

interface Network {
  readonly jsTools: JsToolsOptions | undefined
  /** `web_search`, where a proxy is named for it. */
  readonly webTools: readonly AnyTool[]
  /** The way to the registry and the proxy, and nowhere else. */
  readonly fetch: FetchAdapter | undefined
}

const MIB = 1024 * 1024

/** What the tools reach beyond the workspace. @throws {UsageError} for an address that is none */
export function networkOf({ registry, webSearch, fetch }: Pick<CliOptions, 'registry' | 'webSearch' | 'fetch'>): Network {
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
