// @module-tag quickjs
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { packageCases } from './quickjs-packages-cases.js'
import { jsWorkers } from './quickjs-worker-node.js'

const workspace = createWorkspace({ fs: createMemoryFs() })
packageCases('quickjs', { workspace, js: createQuickJs({ worker: await jsWorkers() })(workspace), guest: true })
