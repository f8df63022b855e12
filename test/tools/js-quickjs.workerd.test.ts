// @module-tag run-js
import wasm from '../../dist/vendor/quickjs.wasm'
import { quickJsToolCases } from './js-quickjs-cases.js'

quickJsToolCases({ wasm })
