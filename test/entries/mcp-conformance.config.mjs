// The configuration of a server with the tools that the MCP conformance suite expects, as far as a runtime supports them. `toolport mcp`
// loads this file in plain Node, so it is JavaScript.
import { setTimeout as pause } from 'node:timers/promises'
import { reply } from 'toolport'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = /** @type {const} */ ({ type: 'image', mediaType: 'image/png', data: PIXEL })

const string = { type: 'string' }
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
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

/** @param {string} name @param {import('toolport').AnyTool['run']} run @returns {import('toolport').AnyTool} */
const tool = (name, run, inputSchema = { type: 'object' }) => ({
  name,
  description: 'A tool of the conformance suite.',
  inputSchema,
  run,
})

const tools = [
  tool('test_simple_text', () => 'This is a simple text response for testing.'),
  tool('test_image_content', () => reply({}, [image])),
  tool('test_multiple_content_types', () => reply({}, [{ type: 'text', text: 'Multiple content types test:' }, image])),
  tool('test_error_handling', () => Promise.reject(new Error('This tool intentionally returns an error for testing'))),
  tool('test_tool_with_progress', async (_, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress({ done, total: 100 })
      await pause(50)
    }
    return 'done'
  }),
  ...['test_tool_with_logging', 'test_logging_tool'].map((name) =>
    tool(name, async (_, { log }) => {
      for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        log(message)
        await pause(50)
      }
      return 'done'
    }),
  ),
  tool('test_streaming_elicitation', () => 'done'),
  tool('json_schema_2020_12_tool', () => 'done', SCHEMA),
]

export default { memory: true, tools }
