// @module-tag shell-worker
import { workerContract, workerSessions } from './just-bash-worker-contract.js'

workerContract(true)
workerSessions(true)
