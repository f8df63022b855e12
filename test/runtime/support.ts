import * as z from 'zod/mini'
import { defineTool } from '../../src/core/define-tool.js'
import { createTestWorkspace, type TestWorkspace } from '../../src/entries/testing.js'
import type { CreateRuntimeOptions } from '../../src/runtime/compose-runtime.js'
import { createRuntime } from '../../src/runtime/create-runtime.js'
import type { ToolRuntime } from '../../src/runtime/tool-runtime.js'
import type { RuntimeEvent } from '../../src/types/runtime.js'
import type { AnyTool, ToolContext } from '../../src/types/tool.js'

export interface TestRuntime extends Omit<TestWorkspace, 'workspace' | 'start'> {
  readonly runtime: ToolRuntime
  /** All events since the start. */
  readonly events: readonly RuntimeEvent[]
}

/** A runtime in memory with a deterministic host. */
export function testRuntime(tools: readonly AnyTool[], options: Omit<CreateRuntimeOptions, 'tools' | 'workspace'> = {}): TestRuntime {
  const { fs, host } = createTestWorkspace()
  const runtime = createRuntime({ fs, host, tools, root: '/workspace', ...options })
  const events: RuntimeEvent[] = []
  runtime.on((event) => events.push(event))
  return { runtime, fs, host, events, files: () => runtime.workspace.files() }
}

/** A tool that accepts any input and calls `run`. */
export function toolOf(
  run: (input: { readonly [field: string]: unknown }, context: ToolContext) => unknown,
  more: Partial<AnyTool> = {},
): AnyTool {
  return { name: 'probe', description: 'Does what the test says', inputSchema: z.looseObject({}), run, ...more }
}

export const add: AnyTool = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.strictObject({ a: z.number(), b: z._default(z.number(), 1) }),
  annotations: { readOnlyHint: true },
  run: ({ a, b }) => ({ sum: a + b }),
})

/** A promise that the test settles. */
export function deferred<T>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
} {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Waits a few turns of the event loop, so that pending work finishes. */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}
