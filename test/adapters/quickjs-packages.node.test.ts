// @module-tag quickjs
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { jsWorkers } from './node-workers.js'
import { packageCases } from './quickjs-packages-cases.js'

const workspace = createWorkspace({ fs: createMemoryFs() })
packageCases('quickjs', { workspace, js: createQuickJs({ worker: await jsWorkers() })(workspace), guest: true })
