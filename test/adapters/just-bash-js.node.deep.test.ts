// @module-tag virtual-shell
import { createQuickJs } from 'toolport/adapters/quickjs'
import { jsCommandCases } from './just-bash-js-cases.js'
import { shellWorkers } from './node-workers.js'

const shellWorker = await shellWorkers()

jsCommandCases('quickjs here, shell in threads', { js: createQuickJs({ worker: false }), worker: () => shellWorker() })
