// @module-tag quickjs
import { jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { jsWorkers } from './node-workers.js'
import { abortCases } from './quickjs-abort-cases.js'
import { quickJsCases } from './quickjs-cases.js'
import { hostedCases } from './quickjs-hosted-cases.js'
import { sharedQuickJs } from './quickjs-shared.js'

const worker = await jsWorkers()
quickJsCases('quickjs in a worker thread', { worker }, true, true)
hostedCases({ worker }, true)
abortCases('quickjs in a worker thread', {}, worker, true)
jsContract({ describe, it }, { name: 'quickjs in this thread', ...sharedQuickJs({ worker: false }) })
quickJsCases('quickjs in this thread', { worker: false }, false, true)
