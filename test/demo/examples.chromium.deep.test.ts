// @module-tag playground
import { expect, onTestFinished, test } from 'vitest'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { missingTools } from '../../demo/src/presets/missing-tools.js'
import { createSession } from '../../demo/src/session.js'
import type { Example } from '../../demo/src/tools/examples/known.js'
import { examplesOf, FILES, loaded, packages } from './examples-page.js'

const LEFT_OUT: Readonly<Record<string, string>> = {
  standard: 'Left out: web_search (no search service here).',
  loom: 'Left out: oracle (no model here); web_search, web_search_serper (no search service here).',
  loaf: 'Left out: search_web (no search service here).',
}

test.each(presetChoices.map(({ name }) => name))('the tools of %s that the page lacks are listed with the reason', async (name) => {
  const session = createSession('test', { files: FILES, packages })
  onTestFinished(() => session.close())
  const preset = await loaded(name)
  expect(missingTools(session.agent(preset).runtime, preset.choice)).toBe(LEFT_OUT[name] ?? '')
})

/** Label of an example -> its expected outcome. All other examples succeed, with exit code 0. */
const ENDS: Readonly<Record<string, string>> = {
  'An error': 'exit 1',
  'One that has to be stopped': 'exit null',
  Neither: 'failed',
  'One that does not load': 'failed',
}

test.each(['standard', 'loaf'])('every JavaScript example of %s works', async (name) => {
  const preset = await loaded(name)
  const session = createSession('test', { files: FILES, packages })
  const { runtime } = session.agent(preset)
  const run = async (tool: string, { label, input }: Example): Promise<void> => {
    const result = await runtime.execute({ name: tool, input })
    const output = (result.ok ? result.output : {}) as { exit_code?: number | null }
    const end = !result.ok ? 'failed' : 'exit_code' in output && output.exit_code !== 0 ? `exit ${output.exit_code}` : 'ok'
    expect(end, `${tool}: ${label}: ${JSON.stringify(result.output)}`).toBe(ENDS[label] ?? 'ok')
  }
  const tools = runtime.getModelManifest().map((tool) => tool.name)
  const order = ['install_js_packages', 'run_js', 'run_js_module', 'create_persistent_tool', 'start_background_js']
  for (const tool of order.filter((one) => tools.includes(one))) {
    const examples = examplesOf(preset, session, tool)
    expect(examples.length, tool).toBeGreaterThan(0)
    for (const example of examples) await run(tool, example)
  }
  for (const tool of ['list', 'read', 'write', 'stop'].map((one) => `${one}_background_js`)) {
    const examples = examplesOf(preset, session, tool).filter(({ label }) => label !== 'No such one')
    expect(examples.length, tool).toBeGreaterThan(0)
    for (const { label, input } of examples) {
      const { ok, output } = await runtime.execute({ name: tool, input })
      // "At once" may fail, because the example before it has stopped the session already.
      expect(ok || label === 'At once', `${tool}: ${label}: ${JSON.stringify(output)}`).toBe(true)
    }
  }
  for (const tool of ['count_words', 'outline'].filter((one) => runtime.registry.has(one)))
    for (const example of examplesOf(preset, session, tool)) await run(tool, example)
  await session.close()
})
