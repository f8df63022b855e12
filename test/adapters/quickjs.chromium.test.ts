// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { quickJsCases } from './quickjs-cases.js'
import { sharedQuickJs } from './quickjs-shared.js'

jsContract({ describe, it }, { name: 'quickjs', ...sharedQuickJs({ wasm }) })
quickJsCases('quickjs', { wasm }, true, false)
