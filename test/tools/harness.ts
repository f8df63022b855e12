import {
  createRuntime,
  fileTools,
  type JsonValue,
  searchTools,
  type ToolError,
  type ToolResult,
  type ToolRuntime,
  toModelText,
} from 'toolport'
import { createTestWorkspace, type TestWorkspaceOptions } from 'toolport/testing'

export interface Bench {
  readonly runtime: ToolRuntime
  /** Every file of the workspace. */
  files(): Promise<Record<string, string | Uint8Array>>
  /** The whole result. */
  run(name: string, input?: unknown): Promise<ToolResult>
  /** The output, which must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of outputs whose shape they assert.
  ok(name: string, input?: unknown): Promise<any>
  /** The failure, which must be one. */
  fail(name: string, input?: unknown): Promise<ToolError>
  /** What a model reads. */
  read(name: string, input?: unknown): Promise<string>
}

/** The standard tools over an in-memory workspace. */
export function bench(files: TestWorkspaceOptions['files'] = {}, options: Omit<TestWorkspaceOptions, 'files'> = {}): Bench {
  const { workspace } = createTestWorkspace({ files, ...options })
  return benchOver(createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] }))
}

export function benchOver(runtime: ToolRuntime): Bench {
  const run = (name: string, input: unknown = {}): Promise<ToolResult> => runtime.execute({ name, input })
  return {
    runtime,
    run,
    files: () => runtime.workspace.files(),
    async ok(name, input) {
      const result = await run(name, input)
      if (!result.ok) throw new Error(`expected a success: ${toModelText(result)}`)
      return result.output as JsonValue
    },
    async fail(name, input) {
      const result = await run(name, input)
      if (result.ok) throw new Error(`expected a failure: ${JSON.stringify(result.output)}`)
      return result
    },
    read: async (name, input) => toModelText(await run(name, input)),
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
