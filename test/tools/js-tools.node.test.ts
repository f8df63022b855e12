// @module-tag run-js
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRuntime, createWorkspace, fileTools, jsTools, type ToolRuntime } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, describe } from 'vitest'
import { type Bench, benchOver } from './harness.js'
import { CALLED, jsToolCases, type OpenJsBench } from './js-cases.js'
import { processJs } from './js-process.js'

const opened: { readonly root: string; readonly runtime: ToolRuntime }[] = []

afterEach(async () => {
  for (const { root, runtime } of opened.splice(0)) {
    await runtime.dispose()
    await rm(root, { recursive: true, force: true })
  }
})

const open: OpenJsBench = async (files = {}, { jsTools: options, readOnly, ...more } = {}): Promise<Bench> => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-js-')))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  const workspace = createWorkspace({ fs: createNodeFs({ root }), ...(readOnly && { policy: { readOnly } }) })
  const tools = [...jsTools(options), ...fileTools(), ...CALLED]
  const runtime = createRuntime({ workspace, js: processJs(root), tools, ...more })
  opened.push({ root, runtime })
  return benchOver(runtime)
}

describe('the JavaScript tools over Node processes', () => {
  jsToolCases(open)
})
