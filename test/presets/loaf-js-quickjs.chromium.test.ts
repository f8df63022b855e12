// @module-tag loaf
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { quickJsLoafCases } from './loaf-js-quickjs-cases.js'

quickJsLoafCases({ wasm })
