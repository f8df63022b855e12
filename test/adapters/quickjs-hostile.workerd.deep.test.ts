// @module-tag quickjs
import wasm from '../../dist/vendor/quickjs.wasm'
import { hostileCases } from './quickjs-hostile-cases.js'

hostileCases('quickjs', { wasm, memoryBytes: 32 * 2 ** 20 }, false, true)
