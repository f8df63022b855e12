import { fileTools, type JsonValue, searchTools, type ToolError, type ToolResult, type ToolRuntime, toModelText } from 'toolport'
import { createTestRuntime, type TestWorkspaceOptions } from 'toolport/testing'

export interface Bench {
  readonly runtime: ToolRuntime
  /** All files of the workspace. */
  files(): Promise<Record<string, string | Uint8Array>>
  /** Runs a tool and returns its result. */
  run(name: string, input?: unknown): Promise<ToolResult>
  /** Runs a tool, expects success, and returns the output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of outputs whose shape they assert.
  ok(name: string, input?: unknown): Promise<any>
  /** Runs a tool, expects a failure, and returns the failure. */
  fail(name: string, input?: unknown): Promise<ToolError>
  /** Runs a tool and returns the model view. */
  read(name: string, input?: unknown): Promise<string>
}

/** The standard file and search tools on a workspace in memory. */
export function bench(files: TestWorkspaceOptions['files'] = {}, options: Omit<TestWorkspaceOptions, 'files'> = {}): Bench {
  return benchOver(createTestRuntime({ files, ...options, tools: [...fileTools(), ...searchTools()] }).runtime)
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
