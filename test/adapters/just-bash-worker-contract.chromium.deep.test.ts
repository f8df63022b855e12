// @module-tag shell-worker
import { wholeShellContract } from './just-bash-worker-contract.js'

wholeShellContract(true)
