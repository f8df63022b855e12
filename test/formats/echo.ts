import { createRuntime, defineTool, type JsonSchema, type JsonValue, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { runToolCalls } from 'toolport/formats'

/** A tool that answers with its input. */
export function runtimeWith(inputSchema: JsonSchema): ToolRuntime {
  const echo = defineTool({ name: 'echo', description: 'Echo', inputSchema, run: (input) => ({ input: input as JsonValue }) })
  return createRuntime({ fs: createMemoryFs(), tools: [echo] })
}

export async function answered(runtime: ToolRuntime, said: unknown): Promise<unknown> {
  const call = { id: '1', type: 'function', function: { name: 'echo', arguments: JSON.stringify(said) } }
  const { calls } = await runToolCalls(runtime, { choices: [{ message: { role: 'assistant', tool_calls: [call] } }] })
  return calls[0]?.result.output
}
