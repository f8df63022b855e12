// @module-tag quickjs
import { jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { jsWorkers } from './node-workers.js'
import { quickJsCases } from './quickjs-cases.js'
import { sharedQuickJs } from './quickjs-shared.js'

const options = { worker: await jsWorkers() }
jsContract({ describe, it }, { name: 'quickjs in a worker thread', ...sharedQuickJs(options) })
quickJsCases('quickjs in a worker thread', options, true, false)
quickJsCases('quickjs in this thread', { worker: false }, false, false)
