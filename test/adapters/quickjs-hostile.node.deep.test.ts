// @module-tag quickjs

import { jsWorkers } from './node-workers.js'
import { hostileCases } from './quickjs-hostile-cases.js'

hostileCases('quickjs in a worker thread', { worker: await jsWorkers() }, true, true)
hostileCases('quickjs in this thread', { worker: false }, false, true)
