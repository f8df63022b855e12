// @module-tag shell-worker
import { workerContract } from './just-bash-worker-contract.js'
import { shellWorkers } from './node-workers.js'

workerContract(await shellWorkers())
