// @module-tag shell-worker
import { workerContracts } from './just-bash-worker-contract.js'

workerContracts(true)
