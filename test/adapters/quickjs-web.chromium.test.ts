// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { webCases } from './quickjs-web-cases.js'

webCases({ wasm })
