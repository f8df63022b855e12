// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { createWorkspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { packageCases } from './quickjs-packages-cases.js'

const workspace = createWorkspace({ fs: createMemoryFs() })
packageCases('quickjs', { workspace, js: createQuickJs({ wasm })(workspace), guest: true })
