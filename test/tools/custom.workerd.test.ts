// @module-tag custom-tools
import wasm from '../../dist/vendor/quickjs.wasm'
import { customToolCases } from './custom-cases.js'

customToolCases({ wasm })
