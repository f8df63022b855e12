// @module-tag mcp
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { defineTool, reply } from 'toolport'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyTool } from '../../src/types/tool.js'
import { type HttpServed, serveHttp, standardRuntime } from './mcp-support.js'

const run = promisify(execFile)
/** The suite needs Node 22. */
const NODE = process.env.CONFORMANCE_NODE ?? process.execPath
const isThere = process.env.CONFORMANCE_NODE !== undefined || Number(process.versions.node.split('.')[0]) >= 22

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const text = (said: string) => ({ type: 'text', text: said }) as const
const image = { type: 'image', mediaType: 'image/png', data: PIXEL } as const
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

const tool = (name: string, work: AnyTool['run'], inputSchema: object = { type: 'object' }): AnyTool =>
  defineTool({ name, description: 'A tool of the conformance suite.', inputSchema: { ...inputSchema }, run: work as never })

const address = { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } }
const string = { type: 'string' }
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

/** The tools that the suite expects of a server, as far as a runtime supports them. */
const TOOLS = [
  tool('test_simple_text', () => 'This is a simple text response for testing.'),
  tool('test_image_content', () => reply({}, [image])),
  tool('test_multiple_content_types', () => reply({}, [text('Multiple content types test:'), image])),
  tool('test_error_handling', () => Promise.reject(new Error('This tool intentionally returns an error for testing'))),
  tool('test_tool_with_progress', async (_, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress({ done, total: 100 })
      await pause()
    }
    return 'done'
  }),
  ...['test_tool_with_logging', 'test_logging_tool'].map((name) =>
    tool(name, async (_, { log }) => {
      for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        log(message)
        await pause()
      }
      return 'done'
    }),
  ),
  tool('test_streaming_elicitation', () => 'done'),
  tool('json_schema_2020_12_tool', () => 'done', SCHEMA),
]

/** Features that Toolport does not support. docs/mcp.md has the reasons. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'prompts, which Toolport has none of': /^(prompts-|caching$|input-required-result-non-tool-request$)/,
  'resources other than the files of the workspace': /^resources-(read-|templates-read|subscribe|unsubscribe)/,
  'audio and embedded resources in results of tools': /^tools-call-(audio|embedded-resource|mixed-content)$/,
  'sampling, and questions other than approvals': /^(tools-call-sampling|tools-call-elicitation|elicitation-|input-required-)/,
  'headers for parameters, which no tool declares': /^http-custom-header-server-validation$/,
  'tools that need a capability of the client': /^server-stateless$/,
}

describe.skipIf(!isThere)('the MCP conformance suite', () => {
  let served: HttpServed
  let output: string
  const runtime = standardRuntime({ tools: TOOLS })
  beforeAll(async () => {
    served = await serveHttp(runtime)
    output = await mkdtemp(join(tmpdir(), 'toolport-conformance-'))
  })
  afterAll(async () => {
    await served.close()
    await runtime.dispose()
    await rm(output, { recursive: true, force: true })
  })

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
    'passes for %s, except for unsupported parts',
    async (version) => {
      const suite = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
      const args = [suite, 'server', '--url', served.url.href, '--suite', 'all', '--spec-version', version, '-o', output]
      // The exit status is 1 if any scenario fails.
      const { stdout } = await run(NODE, args, { maxBuffer: 2 ** 26 }).catch((error: { readonly stdout: string }) => error)
      const results = [...stdout.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)]
      const failed = results.flatMap(([, mark, name = '']) => (mark === '✗' ? [name] : []))
      const wrong = failed.filter((name) => !Object.values(REFUSED).some((pattern) => pattern.test(name)))
      expect(wrong).toEqual([])
      expect(results.length - failed.length).toBeGreaterThan(10)
      console.info(`${version}: ${results.length - failed.length} of ${results.length} scenarios pass; ${failed.join(', ')} are refused`)
    },
    300_000,
  )
})
