// @module-tag virtual-shell
import wasm from 'jq-wasm/jq.wasm?url'
import { jqCases } from './just-bash-jq-cases.js'

jqCases({ wasm })
