import { workerContracts } from './just-bash-worker-contract.js'

workerContracts(true)
