import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createJsWorker } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { BOMBS, BOMBS_BESIDE, JSON_BOMBS } from './quickjs-loops.js'

/** One line of JSON each: what the process holds once its workers are there, in bytes, then the most it has held after each program. */
const say = (line: object): void => console.log(JSON.stringify(line))
const peak = (): number => process.resourceUsage().maxRSS * 1024

const [script = '', memoryBytes, rounds] = process.argv.slice(2)
const js = createQuickJs({ worker: () => createJsWorker({ script }), memoryBytes: Number(memoryBytes) })(
  createWorkspace({ fs: createMemoryFs() }),
)
// The worker that runs, and the one that is kept for the next program.
for (let i = 0; i < 3; i++) await js.run({ code: 'console.log(1)' })
say({ kind: 'base', exitCode: 0, bytes: process.memoryUsage().rss, peak: peak() })
for (let round = 0; round < Number(rounds); round++) {
  for (const [kind, code] of Object.entries({ ...JSON_BOMBS, ...BOMBS, ...BOMBS_BESIDE })) {
    const { exitCode } = await js.run({ code, grants: { fs: 'write', invokeTool: async () => null } })
    say({ kind, exitCode, bytes: process.memoryUsage().rss, peak: peak() })
  }
}
await js.close?.()
