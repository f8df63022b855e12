// @module-tag quickjs
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import wasm from '../../dist/vendor/quickjs.wasm'
import { packageCases } from './quickjs-packages-cases.js'

const workspace = createWorkspace({ fs: createMemoryFs() })
packageCases('quickjs', { workspace, js: createQuickJs({ wasm, memoryBytes: 32 * 2 ** 20 })(workspace), guest: true })
