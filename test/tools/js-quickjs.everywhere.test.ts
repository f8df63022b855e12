// @module-tag run-js
import { createRuntime, createWorkspace, fileTools, jsTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { afterEach, describe } from 'vitest'
import { quickJsHere } from '../adapters/quickjs-here.js'
import { benchOver } from './harness.js'
import { CALLED, jsToolCases } from './js-cases.js'

const options = await quickJsHere()
const opened: ToolRuntime[] = []

afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.dispose()
})

describe('the JavaScript tools over QuickJS', () => {
  jsToolCases(async (files = {}, { jsTools: granted, readOnly, ...more } = {}) => {
    const workspace = createWorkspace({ fs: createMemoryFs({ files }), root: '/workspace', ...(readOnly && { policy: { readOnly } }) })
    const tools = [...jsTools(granted), ...fileTools(), ...CALLED]
    const runtime = createRuntime({ workspace, js: createQuickJs(options), tools, ...more })
    opened.push(runtime)
    return benchOver(runtime)
  })
})
