// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { serverCases } from './quickjs-servers-cases.js'

serverCases({ wasm })
