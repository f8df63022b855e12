// @module-tag testing
import { it } from 'vitest'
import { NOT_PURE, nodeJsContract, withoutPermissions } from './js-contract-node.js'
import { only } from './some-cases.js'

// Concurrent, because starting processes takes most of the time.
nodeJsContract(only(NOT_PURE, it.concurrent))
withoutPermissions(it)
