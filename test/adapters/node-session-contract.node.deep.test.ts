// @module-tag node-shell
import { it } from 'vitest'
import { nodeSessionContract } from './node-session-contract.js'

nodeSessionContract(false, it.concurrent)
