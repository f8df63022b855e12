// Run with --expose-gc. Prints what 10,000 workspaces, each with a runtime of the standard tools, cost: KiB each, ms and MiB.
import { createRuntime, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'

const WORKSPACES = 10_000

function used(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const make = (): ToolRuntime => createRuntime({ fs: createMemoryFs({ files: { 'a.txt': 'text\n' } }), preset: standard() })

// Code and one-time costs are not counted.
const kept = Array.from({ length: 20 }, make)
const before = used()
const begin = performance.now()
for (let i = 0; i < WORKSPACES; i++) kept.push(make())
const ms = performance.now() - begin
const mib = process.memoryUsage().rss / 1024 ** 2
const kib = (used() - before) / WORKSPACES / 1024
process.stdout.write(JSON.stringify([kib, ms, mib]))
await Promise.all(kept.map((runtime) => runtime.dispose()))
