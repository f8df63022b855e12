// @module-tag playground
import { expect, onTestFinished, test } from 'vitest'
import type { LoadedPreset } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { missingTools } from '../../demo/src/presets/missing-tools.js'
import { sampleProgram } from '../../demo/src/sample-program.js'
import { createSession, type Session } from '../../demo/src/session.js'
import { type Example, knownFiles } from '../../demo/src/tools/examples/known.js'
import { network, REGISTRY } from '../packages/install-support.js'
import { openPage } from './page.js'

const FILES = { ...sampleProgram, 'src/host.ts': 'export const one = 1\n', 'README.md': '# Read me\nSome words about it.\n' }
const packages = { registry: REGISTRY, fetch: network().fetch, missing: async () => undefined }

async function loaded(name: string): Promise<LoadedPreset> {
  const choice = presetChoices.find((one) => one.name === name)
  if (!choice) throw new Error(`There is no preset ${name}`)
  const parts = await choice.load?.()
  return parts ? { choice, parts } : { choice }
}

function examplesOf({ choice }: LoadedPreset, session: Session, tool: string): readonly Example[] {
  const known = knownFiles(session.files, session.workspace.root, session.runtime.sessions.list())
  return (choice.examples?.(known)[tool] ?? []).filter((example) => example !== undefined)
}

const LEFT_OUT: Readonly<Record<string, string>> = {
  standard: 'Left out: web_search (no search service here).',
  loom: 'Left out: oracle (no model here); web_search, web_search_serper (no search service here).',
  loaf: 'Left out: search_web (no search service here).',
}

test.each(presetChoices.map(({ name }) => name))('the tools of %s that the page lacks are named, with the reason', async (name) => {
  const session = createSession('test', { files: FILES, packages })
  onTestFinished(() => session.close())
  const preset = await loaded(name)
  expect(missingTools(session.agent(preset).runtime, preset.choice)).toBe(LEFT_OUT[name] ?? '')
})

/** Label of an example -> what it is there to show; all others succeed, with exit code 0. */
const ENDS: Readonly<Record<string, string>> = {
  'An error': 'exit 1',
  'One that has to be stopped': 'exit null',
  Neither: 'failed',
  'One that does not load': 'failed',
}

test.each(['standard', 'loaf'])('every example for JavaScript of %s does what it is there for', async (name) => {
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
      // What was stopped once need not be stopped again.
      expect(ok || label === 'At once', `${tool}: ${label}: ${JSON.stringify(output)}`).toBe(true)
    }
  }
  for (const tool of ['count_words', 'outline'].filter((one) => runtime.registry.has(one)))
    for (const example of examplesOf(preset, session, tool)) await run(tool, example)
  await session.close()
})

test.each([
  ['standard', 'edit_file'],
  ['loom', 'edit_file'],
  ['loom-elixir', 'file_edit'],
])('the example of %s that changes one line does so', async (name, tool) => {
  const preset = await loaded(name)
  const session = createSession('test', { files: FILES, packages })
  const path = 'examples/lines.js'
  const lines = async (): Promise<string[]> => (await session.workspace.readText(path)).text.split('\n')
  const before = await lines()
  const example = examplesOf(preset, session, tool).find(({ label }) => label === 'Change one line')
  const { ok } = await session.agent(preset).runtime.execute({ name: tool, input: example?.input ?? {} })
  expect(ok).toBe(true)
  const after = await lines()
  expect(after).toHaveLength(before.length)
  expect(after.filter((line, at) => line !== before[at])).toHaveLength(1)
  await session.close()
})

test('an empty workspace begins with a file to write, as there is none to edit', async () => {
  const shown = await openPage({ files: {} })
  onTestFinished(() => shown.close())
  await expect.poll(() => shown.find('.tool-current code').textContent).toBe('write_file')
  expect(shown.texts('.examples .chip')).toContain('A new file')
})
