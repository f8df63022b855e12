import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createJsWorker } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { BOMBS, BOMBS_BESIDE, JSON_BOMBS } from './quickjs-loops.js'

/** Prints JSON lines: first the memory in bytes once the workers have started, then the peak after each program. */
const say = (line: object): void => console.log(JSON.stringify(line))
const peak = (): number => process.resourceUsage().maxRSS * 1024

const [script = '', memoryBytes, rounds] = process.argv.slice(2)
const js = createQuickJs({ worker: () => createJsWorker({ script }), memoryBytes: Number(memoryBytes) })(
  createWorkspace({ fs: createMemoryFs() }),
)
// Starts the worker that runs the programs, and the spare worker for the next program.
for (let i = 0; i < 3; i++) await js.run({ code: 'console.log(1)' })
say({ kind: 'base', exitCode: 0, bytes: process.memoryUsage().rss, peak: peak() })
for (let round = 0; round < Number(rounds); round++) {
  for (const [kind, code] of Object.entries({ ...JSON_BOMBS, ...BOMBS, ...BOMBS_BESIDE })) {
    const { exitCode } = await js.run({ code, grants: { fs: 'write', invokeTool: async () => null } })
    say({ kind, exitCode, bytes: process.memoryUsage().rss, peak: peak() })
  }
}
await js.close?.()
