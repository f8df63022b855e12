// @module-tag run-js
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, type JsToolsOptions, jsTools } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'
import { type ProcessJs, type ProcessJsOptions, processJs } from './js-process.js'

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(
  options: JsToolsOptions,
  { readOnly = false, ...can }: ProcessJsOptions & { readonly readOnly?: boolean } = {},
): Promise<Bench & { readonly js: ProcessJs }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-js-')))
  const workspace = createWorkspace({ fs: createNodeFs({ root }), policy: { readOnly } })
  const js = processJs(root, can)(workspace)
  const fetch = createFetch({ origins: ['https://a.example'] })
  const runtime = createRuntime({ workspace, js, fetch, tools: jsTools(options) })
  closing.push(async () => {
    await runtime.dispose()
    await rm(root, { recursive: true, force: true })
  })
  return { ...benchOver(runtime), js }
}

describe('the grants of programs', () => {
  it('are write access to files only, unless the host adds more', async () => {
    const plain = await open({})
    await plain.ok('run_js', { code: '1' })
    expect(plain.js.granted).toEqual([{ fs: 'write' }])
    const more = await open({ grants: { fs: 'read', fetch: true, tools: true } })
    await more.ok('run_js', { code: '1' })
    await more.ok('start_background_js', { code: '1' })
    expect(more.js.granted).toEqual([
      { fs: 'read', fetch: expect.objectContaining({ name: 'fetch' }), invokeTool: expect.any(Function) },
      { fs: 'read', fetch: expect.objectContaining({ name: 'fetch' }) },
    ])
  })

  it('are limited to reading in a read-only workspace', async () => {
    const readOnly = await open({}, { readOnly: true })
    await readOnly.ok('run_js', { code: '1' })
    const none = await open({ grants: { fs: 'none' } }, { readOnly: true })
    await none.ok('run_js', { code: '1' })
    expect([...readOnly.js.granted, ...none.js.granted]).toEqual([{ fs: 'read' }, { fs: 'none' }])
  })

  it.each([
    ['run_js', { code: '1' }],
    ['run_js_module', { module: './x.mjs' }],
    ['start_background_js', { code: '1' }],
  ])('%s is rejected if the adapter cannot prevent writing', async (tool, input) => {
    const readOnly = await open({}, { readOnly: true, isolated: false })
    expect(await readOnly.fail(tool, input)).toMatchObject({
      output: { code: 'read_only', rule: 'readOnly' },
      error: 'Cannot run the program: the workspace is read-only, and programs of the JavaScript adapter "process" can write anywhere',
    })
    const granted = await open({ grants: { fs: 'read' } }, { isolated: false })
    expect((await granted.fail(tool, input)).output).toMatchObject({ status: 'unsupported', capability: 'js.isolated', adapter: 'process' })
    expect([...readOnly.js.granted, ...granted.js.granted]).toEqual([])
  })

  it('do not apply to an adapter that is not isolated', async () => {
    const { ok } = await open({}, { isolated: false })
    expect(await ok('run_js', { code: '1' })).toMatchObject({ exit_code: 0 })
  })
})
