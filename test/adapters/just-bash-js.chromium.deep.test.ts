// @module-tag virtual-shell
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { jsCommandCases } from './just-bash-js-cases.js'

const js = createQuickJs({ wasm })

jsCommandCases('quickjs, shell on the page', { js })
jsCommandCases('quickjs, shell in workers', { js, worker: true })
