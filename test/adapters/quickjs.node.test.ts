// @module-tag quickjs
import { jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { quickJsCases } from './quickjs-cases.js'
import { sharedQuickJs } from './quickjs-shared.js'
import { jsWorkers } from './quickjs-worker-node.js'

const options = { worker: await jsWorkers() }
jsContract({ describe, it }, { name: 'quickjs in a worker thread', ...sharedQuickJs(options) })
quickJsCases('quickjs in a worker thread', options, true, false)
quickJsCases('quickjs in this thread', { worker: false }, false, false)
