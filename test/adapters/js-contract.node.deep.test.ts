import { it } from 'vitest'
import { nodeJsContract } from './js-contract-node.js'

nodeJsContract(it.concurrent)
