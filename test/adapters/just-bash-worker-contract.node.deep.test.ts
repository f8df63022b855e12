// @module-tag shell-worker
import { wholeShellContract } from './just-bash-worker-contract.js'
import { shellWorkers } from './node-workers.js'

wholeShellContract(await shellWorkers())
