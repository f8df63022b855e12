// @module-tag virtual-shell
import { createQuickJs } from 'toolport/adapters/quickjs'
import { jsCommandCases } from './just-bash-js-cases.js'
import { shellWorkers } from './just-bash-worker-node.js'
import { jsWorkers } from './quickjs-worker-node.js'

const worker = await jsWorkers()
const shellWorker = await shellWorkers()

jsCommandCases('quickjs in threads', { js: createQuickJs({ worker }) })
jsCommandCases('quickjs here, shell in threads', { js: createQuickJs({ worker: false }), worker: () => shellWorker() })
