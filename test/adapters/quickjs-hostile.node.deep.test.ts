// @module-tag quickjs
import { hostileCases } from './quickjs-hostile-cases.js'
import { jsWorkers } from './quickjs-worker-node.js'

hostileCases('quickjs in a worker thread', { worker: await jsWorkers() }, true, true)
hostileCases('quickjs in this thread', { worker: false }, false, true)
