// @module-tag quickjs
import wasm from '../../dist/vendor/quickjs.wasm'
import { webCases } from './quickjs-web-cases.js'

webCases({ wasm })
