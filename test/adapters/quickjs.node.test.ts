// @module-tag quickjs
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace, jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { quickJsCases } from './quickjs-cases.js'
import { jsWorkers } from './quickjs-worker-node.js'

const worker = await jsWorkers()

for (const [name, options] of Object.entries({ 'in a worker thread': { worker }, 'in this thread': { worker: false } })) {
  const create = () => {
    const { workspace } = createTestWorkspace()
    return { workspace, js: createQuickJs(options)(workspace) }
  }
  jsContract({ describe, it }, { name: `quickjs ${name}`, create })
  quickJsCases(`quickjs ${name}`, options, options.worker !== false)
}
