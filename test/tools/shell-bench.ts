import { type CreateRuntimeOptions, createRuntime, fileTools, searchTools, shellTools } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type Bench, benchOver } from './harness.js'

/** Options of a runtime, besides its storage, shell and tools. */
export type ShellBenchOptions = Omit<CreateRuntimeOptions, 'fs' | 'workspace' | 'shell' | 'tools' | 'preset'>

export const shellBenchTools = (): CreateRuntimeOptions['tools'] => [...fileTools(), ...searchTools(), ...shellTools()]

/** The standard tools and the virtual shell in memory, with the system's clock, so that commands take real time. */
export function virtualBench(files: Readonly<Record<string, string>> = {}, options: ShellBenchOptions = {}): Bench {
  const shell = createJustBashShell({ scratch: createMemoryFs() })
  return benchOver(createRuntime({ root: '/workspace', ...options, fs: createMemoryFs({ files }), shell, tools: shellBenchTools() }))
}
