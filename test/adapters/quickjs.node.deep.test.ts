// @module-tag quickjs
import { jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { quickJsCases } from './quickjs-cases.js'
import { sharedQuickJs } from './quickjs-shared.js'
import { jsWorkers } from './quickjs-worker-node.js'

quickJsCases('quickjs in a worker thread', { worker: await jsWorkers() }, true, true)
jsContract({ describe, it }, { name: 'quickjs in this thread', ...sharedQuickJs({ worker: false }) })
quickJsCases('quickjs in this thread', { worker: false }, false, true)
