// @module-tag testing
import { it } from 'vitest'
import { NOT_PURE, nodeJsContract, withoutPermissions } from './js-contract-node.js'
import { only } from './some-cases.js'

// Several at once: most of the time goes into the start of processes.
nodeJsContract(only(NOT_PURE, it.concurrent))
withoutPermissions(it)
