// @module-tag virtual-shell
import { createQuickJs } from 'toolport/adapters/quickjs'
import wasm from '../../dist/vendor/quickjs.wasm'
import { jsCommandCases } from './just-bash-js-cases.js'

jsCommandCases('quickjs', { js: createQuickJs({ wasm, memoryBytes: 32 * 2 ** 20 }) })
