// @module-tag run-js
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeJs, createNodeToolLoader } from 'toolport/adapters/node'
import { createNodeRuntime } from 'toolport/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsWorkers } from '../adapters/node-workers.js'
import { entryJsCases } from './js-cases.js'

const worker = await jsWorkers()

async function newRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'toolport-entry-'))
  onTestFinished(() => rm(root, { recursive: true }))
  return root
}

describe('createNodeRuntime on a real directory', () => {
  entryJsCases((title, body) =>
    it(title, async () => {
      const root = await newRoot()
      await body((options) => createNodeRuntime({ root, js: { worker }, ...options }))
    }),
  )

  it('accepts createNodeJs for trusted code', async () => {
    const tools = createNodeRuntime({ root: await newRoot(), js: createNodeJs() })
    const code = `import { spawnSync } from 'node:child_process'; export default typeof spawnSync`
    expect(await tools.call('run_js', { code })).toMatchObject({ exit_code: 0, result: 'function' })
    await tools.dispose()
  })

  it('passes options for trusted tools', async () => {
    const trusted = createNodeToolLoader()
    const tools = createNodeRuntime({ root: await newRoot(), customTools: { trusted } })
    await tools.call('create_persistent_tool', { name: 'pid', description: 'd', handler_code: 'return process.pid' })
    expect(await tools.call('pid', {})).toBe(process.pid)
    await tools.dispose()
  })
})
