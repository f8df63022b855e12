import { type CallContext, type CreateRuntimeOptions, createRuntime, type JsonValue, type ToolRuntime, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loom } from 'toolport/presets/loom'

export interface LoomBench {
  readonly runtime: ToolRuntime
  /** The output, which must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of outputs whose shape they assert.
  ok(name: string, input?: unknown, context?: CallContext): Promise<any>
  /** What a model reads of a failure, which it must be. */
  fail(name: string, input?: unknown, context?: CallContext): Promise<string>
}

/** The preset over a workspace in memory, unless the options name another storage. */
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
