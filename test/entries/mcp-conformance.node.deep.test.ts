// @module-tag mcp
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWER_NODE } from '../package/new-folder.js'
import config from './mcp-conformance.config.mjs'
import { bridgeStdio } from './mcp-stdio-bridge.js'
import { serveHttp, standardRuntime } from './mcp-support.js'

const run = promisify(execFile)
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Features that Toolport does not support. docs/mcp.md has the reasons. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'prompts, which Toolport has none of': /^(prompts-|caching$|input-required-result-non-tool-request$)/,
  'resources other than the files of the workspace': /^resources-(read-|templates-read|subscribe|unsubscribe)/,
  'audio and embedded resources in results of tools': /^tools-call-(audio|embedded-resource|mixed-content)$/,
  'sampling, and questions other than approvals': /^(tools-call-sampling|tools-call-elicitation|elicitation-|input-required-)/,
  'headers for parameters, which no tool declares': /^http-custom-header-server-validation$/,
  'tools that need a capability of the client': /^server-stateless$/,
}

/** Scenarios that test HTTP itself. Over stdio they would test only the bridge. */
const ONLY_HTTP = /^(dns-rebinding-|http-|server-session-|server-sse-)/

interface Served {
  readonly url: URL
  readonly close: () => Promise<void>
}

const SERVERS: Readonly<Record<'HTTP' | 'stdio', () => Promise<Served>>> = {
  async HTTP() {
    const runtime = standardRuntime({ tools: config.tools })
    const { url, close } = await serveHttp(runtime)
    return { url, close: () => close().then(() => runtime.dispose()) }
  },
  stdio: () => bridgeStdio(here('.'), ['--config', here('./mcp-conformance.config.mjs')]),
}

describe.skipIf(NEWER_NODE === undefined).each(['HTTP', 'stdio'] as const)('the MCP conformance suite over %s', (transport) => {
  let served: Served
  let output: string
  beforeAll(async () => {
    served = await SERVERS[transport]()
    output = await mkdtemp(join(tmpdir(), 'toolport-conformance-'))
  })
  afterAll(async () => {
    await served.close()
    await rm(output, { recursive: true, force: true })
  })

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
    'passes for %s, except for unsupported parts',
    async (version) => {
      const suite = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
      const args = [suite, 'server', '--url', served.url.href, '--suite', 'all', '--spec-version', version, '-o', output]
      // The exit status is 1 if any scenario fails.
      const { stdout } = await run(NEWER_NODE ?? '', args, { maxBuffer: 2 ** 26 }).catch((error: { readonly stdout: string }) => error)
      const all = [...stdout.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)]
      const results = all.filter(([, , name = '']) => transport === 'HTTP' || !ONLY_HTTP.test(name))
      const failed = results.flatMap(([, mark, name = '']) => (mark === '✗' ? [name] : []))
      const wrong = failed.filter((name) => !Object.values(REFUSED).some((pattern) => pattern.test(name)))
      expect(wrong).toEqual([])
      expect(results.length - failed.length).toBeGreaterThan(10)
      console.info(`${version}: ${results.length - failed.length} of ${results.length} scenarios pass; ${failed.join(', ')} are refused`)
    },
    300_000,
  )
})
