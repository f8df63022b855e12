// @module-tag loaf
import wasm from '../../dist/vendor/quickjs.wasm'
import { quickJsLoafCases } from './loaf-js-quickjs-cases.js'

quickJsLoafCases({ wasm })
