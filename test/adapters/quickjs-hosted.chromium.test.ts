// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { hostedCases } from './quickjs-hosted-cases.js'

hostedCases({ wasm })
