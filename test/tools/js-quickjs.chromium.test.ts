// @module-tag run-js
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { quickJsToolCases } from './js-quickjs-cases.js'

quickJsToolCases({ wasm })
