import { type CallContext, type CreateRuntimeOptions, createRuntime, type JsonValue, type ToolRuntime, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loom } from 'toolport/presets/loom'

export interface LoomBench {
  readonly runtime: ToolRuntime
  /** Runs a tool, expects success, and returns the output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of outputs whose shape they assert.
  ok(name: string, input?: unknown, context?: CallContext): Promise<any>
  /** Runs a tool, expects a failure, and returns the model view. */
  fail(name: string, input?: unknown, context?: CallContext): Promise<string>
}

/** The preset on a workspace in memory, unless the options contain another storage. */
export function loomBench(files: Readonly<Record<string, string | Uint8Array>> = {}, options: CreateRuntimeOptions = {}): LoomBench {
  const storage = options.fs || options.workspace ? {} : { fs: createMemoryFs({ files }), root: '/workspace' }
  const runtime = createRuntime({ preset: loom(), ...storage, ...options })
  return {
    runtime,
    async ok(name, input = {}, context) {
      const result = await runtime.execute({ name, input }, context)
      if (!result.ok) throw new Error(`expected a success: ${toModelText(result)}`)
      return result.output as JsonValue
    },
    async fail(name, input = {}, context) {
      const result = await runtime.execute({ name, input }, context)
      if (result.ok) throw new Error(`expected a failure: ${JSON.stringify(result.output)}`)
      return toModelText(result)
    },
  }
}
