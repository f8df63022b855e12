// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace, jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import { quickJsCases } from './quickjs-cases.js'

const options = { wasm }
const create = () => {
  const { workspace } = createTestWorkspace()
  return { workspace, js: createQuickJs(options)(workspace) }
}
jsContract({ describe, it }, { name: 'quickjs', create })
quickJsCases('quickjs', options, true)
