// @module-tag shell-worker
import { workerCases } from './just-bash-worker-cases.js'
import { shellWorkers } from './node-workers.js'

const worker = await shellWorkers()

workerCases(worker, worker, true)
