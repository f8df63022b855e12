// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { abortCases } from './quickjs-abort-cases.js'
import { quickJsCases } from './quickjs-cases.js'
import { hostedCases } from './quickjs-hosted-cases.js'

const start = () => new Worker(new URL('../../adapters/quickjs/worker.ts', import.meta.url), { type: 'module' })

quickJsCases('quickjs', { wasm }, true, true)
hostedCases({ wasm }, true)
abortCases('quickjs in a web worker', { wasm }, start, true)
