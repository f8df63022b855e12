// @module-tag quickjs
import wasm from '../../dist/vendor/quickjs.wasm'
import { serverCases } from './quickjs-servers-cases.js'

serverCases({ wasm })
