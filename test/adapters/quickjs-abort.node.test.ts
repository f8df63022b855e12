// @module-tag quickjs

import { jsWorkers } from './node-workers.js'
import { abortCases } from './quickjs-abort-cases.js'

abortCases('quickjs in a worker thread', {}, await jsWorkers())
