// @module-tag shell-worker
import { wholeShellContract, workerSessions } from './just-bash-worker-contract.js'
import { shellWorkers } from './node-workers.js'

const workers = await shellWorkers()

wholeShellContract(workers)
workerSessions(workers)
