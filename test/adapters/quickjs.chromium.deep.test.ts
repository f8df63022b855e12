// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { quickJsCases } from './quickjs-cases.js'

quickJsCases('quickjs', { wasm }, true, true)
