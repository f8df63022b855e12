// @module-tag custom-tools
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { customToolCases } from './custom-cases.js'

customToolCases({ wasm })
