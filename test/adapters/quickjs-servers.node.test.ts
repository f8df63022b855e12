// @module-tag quickjs
import { describe } from 'vitest'
import { jsWorkers } from './node-workers.js'
import { serverCases } from './quickjs-servers-cases.js'

describe('in this thread', () => serverCases({ worker: false }))
const worker = await jsWorkers()
describe('in a worker thread', () => serverCases({ worker }))
