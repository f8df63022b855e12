// @module-tag shell-worker
import { workerCases } from './just-bash-worker-cases.js'
import { shellWorkers } from './just-bash-worker-node.js'

const worker = await shellWorkers()

workerCases(worker, worker, true)
