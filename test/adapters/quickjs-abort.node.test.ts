// @module-tag quickjs
import { abortCases } from './quickjs-abort-cases.js'
import { jsWorkers } from './quickjs-worker-node.js'

abortCases('quickjs in a worker thread', {}, await jsWorkers())
