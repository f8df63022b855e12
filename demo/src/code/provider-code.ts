import type { ManifestEntry } from 'toolport'
import { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools } from 'toolport/formats'
import type { CodeBlock, CodeCall, CodeFormat } from './code-call.js'
import { jsonText } from './escapes.js'
import { literal } from './literal.js'
import { strictInput } from './strict-input.js'

/** Call id for the formats that have call ids. */
const ID = 'call_1'

const definition = (value: unknown): CodeBlock => ({ title: 'The tool, in the request', language: 'json', text: jsonText(value) })
const answer = (value: unknown): CodeBlock => ({ title: 'The call, in the model’s response', language: 'json', text: jsonText(value) })
const loop = (...lines: readonly string[]): CodeBlock => ({
  title: 'With Toolport: offering the tools, running the calls',
  language: 'ts',
  text: `${lines.join('\n')}\n`,
})

/** The parts that both of OpenAI's formats use. `strict`: whether strict mode can express the tool's schema and the input. */
interface OpenAiCall {
  readonly strict: boolean
  /** The arguments as JSON text. */
  readonly arguments: string
  /** Code of the extra argument for the functions that convert tools and calls. Empty if they need no option. */
  readonly option: string
}

function openAiCall({ entry, input }: CodeCall): OpenAiCall {
  const said = strictInput(input, entry.inputSchema)
  const strict = said !== undefined
  return { strict, arguments: JSON.stringify(strict ? said : input), option: strict ? '' : ', { strict: false }' }
}

function openAiChat(call: CodeCall): readonly CodeBlock[] {
  const { strict, option, ...said } = openAiCall(call)
  const [tool] = toOpenAiChatTools([call.entry], { strict })
  const asked = { id: ID, type: 'function', function: { name: call.entry.alias, arguments: said.arguments } }
  const message = { role: 'assistant', content: null, tool_calls: [asked] }
  return [
    definition(tool),
    answer({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    loop(
      `import { runToolCalls, toOpenAiChatTools } from 'toolport/formats'`,
      '',
      `const response = await client.chat.completions.create({ model, messages, tools: toOpenAiChatTools(runtime${option}) })`,
      `const ran = await runToolCalls(runtime, response${option})`,
      'messages.push(...ran.messages)',
    ),
  ]
}

function openAiResponses(call: CodeCall): readonly CodeBlock[] {
  const { strict, option, ...said } = openAiCall(call)
  const [tool] = toOpenAiResponsesTools([call.entry], { strict })
  const asked = { type: 'function_call', id: 'fc_1', call_id: ID, name: call.entry.alias, arguments: said.arguments, status: 'completed' }
  return [
    definition(tool),
    answer({ output: [asked] }),
    loop(
      `import { runToolCalls, toOpenAiResponsesTools } from 'toolport/formats'`,
      '',
      `const response = await client.responses.create({ model, input, tools: toOpenAiResponsesTools(runtime${option}) })`,
      `const ran = await runToolCalls(runtime, response${option})`,
      'input.push(...ran.messages)',
    ),
  ]
}

function anthropic({ entry, input }: CodeCall): readonly CodeBlock[] {
  const [tool] = toAnthropicTools([entry])
  const asked = { type: 'tool_use', id: 'toolu_1', name: entry.alias, input }
  return [
    definition(tool),
    answer({ type: 'message', role: 'assistant', content: [asked], stop_reason: 'tool_use' }),
    loop(
      `import { runToolCalls, toAnthropicTools } from 'toolport/formats'`,
      '',
      `const response = await client.messages.create({ model, max_tokens, messages, tools: toAnthropicTools(runtime) })`,
      'const ran = await runToolCalls(runtime, response)',
      'messages.push(...ran.messages)',
    ),
  ]
}

function gemini({ entry, input }: CodeCall): readonly CodeBlock[] {
  const tools = toGeminiTools([entry])
  const asked = { functionCall: { name: tools.functionDeclarations[0]?.name, args: input } }
  return [
    definition(tools),
    answer({ candidates: [{ content: { role: 'model', parts: [asked] }, finishReason: 'STOP' }] }),
    loop(
      `import { runToolCalls, toGeminiTools } from 'toolport/formats'`,
      '',
      'const config = { tools: [toGeminiTools(runtime)] }',
      'const response = await client.models.generateContent({ model, contents, config })',
      'const ran = await runToolCalls(runtime, response)',
      'contents.push(...ran.messages)',
    ),
  ]
}

function aiSdk({ entry, input }: CodeCall): readonly CodeBlock[] {
  const { alias, description, inputSchema } = entry
  return [
    definition({ [alias]: { description, inputSchema } }),
    answer({ type: 'tool-call', toolCallId: ID, toolName: alias, input }),
    loop(
      `import { generateText, isStepCount } from 'ai'`,
      `import { toAiSdkTools } from 'toolport/formats'`,
      '',
      'const tools = toAiSdkTools(runtime)',
      'const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(20) })',
    ),
  ]
}

function mcp({ entry, input }: CodeCall): readonly CodeBlock[] {
  const [tool] = toMcpTools([entry])
  const params = { name: entry.alias, arguments: input }
  return [
    { title: 'The tool, as tools/list answers', language: 'json', text: jsonText(tool) },
    { title: 'The request', language: 'json', text: jsonText({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) },
    {
      title: 'From a client of MCP’s own SDK',
      language: 'ts',
      text: `const result = await client.callTool(${literal(params)})\n`,
    },
  ]
}

const plain = ({ name }: ManifestEntry, input: CodeCall['input']): string => jsonText({ name, input })

/** The plain call, then the provider formats. */
export const providerFormats: readonly CodeFormat[] = [
  {
    name: 'JSON',
    about: 'The call itself, as it is sent to the runtime.',
    blocks: ({ entry, input }) => [{ title: 'The call', language: 'json', text: plain(entry, input) }],
  },
  { name: 'OpenAI Chat', about: 'Chat Completions, and every API that speaks as they do.', blocks: openAiChat },
  { name: 'OpenAI Responses', about: 'The Responses API.', blocks: openAiResponses },
  { name: 'Anthropic', about: 'The Messages API.', blocks: anthropic },
  { name: 'Gemini', about: 'The Gemini API: generateContent.', blocks: gemini },
  { name: 'AI SDK', about: 'AI SDK 7, with the model of any provider.', blocks: aiSdk },
  { name: 'MCP', about: 'The Model Context Protocol: JSON-RPC, whichever way it goes.', blocks: mcp },
]
