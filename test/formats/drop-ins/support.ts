import { type CreateRuntimeOptions, createRuntime, fileTools, type RuntimeEvent, searchTools, shellTools, type ToolRuntime } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'

export type Files = Readonly<Record<string, string | Uint8Array>>

type Options = Partial<CreateRuntimeOptions>

export function runtimeOver(files: Files = {}, options: Options = {}): ToolRuntime {
  return createRuntime({
    fs: createMemoryFs({ files }),
    root: '/workspace',
    shell: createJustBashShell({ scratch: createMemoryFs() }),
    tools: [...fileTools(), ...searchTools(), ...shellTools()],
    ...options,
  })
}

/** A runtime, and the names of the tools that are called, in order. */
export function watched(files: Files = {}, options: Options = {}): { readonly runtime: ToolRuntime; readonly asked: string[] } {
  const asked: string[] = []
  const onEvent = (event: RuntimeEvent): void => {
    if (event.type === 'call_start') asked.push(event.call.name)
  }
  return { runtime: runtimeOver(files, { ...options, hooks: { onEvent } }), asked }
}

export const bytes = (length: number): Uint8Array => new Uint8Array(length).map((_, i) => (i * 7) % 256)

/** The error that a call rejects with. */
export async function rejection(work: PromiseLike<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not reject')
}

/** A runtime with a symlink `out` that leads above the root, as a command may have created it. */
export async function withLinkOut(): Promise<ToolRuntime> {
  const fs = createMemoryFs({ files: { 'a.txt': 'a\n' } })
  await fs.symlink?.('../etc', '/out')
  return runtimeOver({}, { fs })
}
