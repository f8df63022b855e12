// @module-tag virtual-shell
import wasm from 'jq-wasm/jq.wasm'
import { jqCases } from './just-bash-jq-cases.js'

jqCases({ wasm, memoryBytes: 64 * 2 ** 20 }, 30)
