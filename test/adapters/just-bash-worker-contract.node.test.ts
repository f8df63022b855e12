// @module-tag shell-worker
import { workerContracts } from './just-bash-worker-contract.js'
import { shellWorkers } from './just-bash-worker-node.js'

workerContracts(await shellWorkers())
