// @module-tag shell-worker
import { workerContracts } from './just-bash-worker-contract.js'
import { shellWorkers } from './node-workers.js'

workerContracts(await shellWorkers())
