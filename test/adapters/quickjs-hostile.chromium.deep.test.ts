// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { hostileCases } from './quickjs-hostile-cases.js'

hostileCases('quickjs', { wasm }, true, true)
