// @module-tag shell-worker
import { wholeShellContract } from './just-bash-worker-contract.js'
import { shellWorkers } from './just-bash-worker-node.js'

wholeShellContract(await shellWorkers())
