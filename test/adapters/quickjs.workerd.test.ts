// @module-tag quickjs
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace, jsContract } from 'toolport/testing'
import { describe, it } from 'vitest'
import wasm from '../../dist/vendor/quickjs.wasm'
import { quickJsCases } from './quickjs-cases.js'

const options = { wasm, memoryBytes: 32 * 2 ** 20 }
const create = () => {
  const { workspace } = createTestWorkspace()
  return { workspace, js: createQuickJs(options)(workspace) }
}
jsContract({ describe, it }, { name: 'quickjs', create })
quickJsCases('quickjs', options, false, true)
