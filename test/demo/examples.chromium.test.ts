// @module-tag playground
import { expect, onTestFinished, test } from 'vitest'
import { createSession } from '../../demo/src/session.js'
import { examplesOf, FILES, loaded, packages } from './examples-page.js'
import { openPage } from './page.js'

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

test('an empty workspace suggests writing a file, because there is none to edit', async () => {
  const shown = await openPage({ files: {} })
  onTestFinished(() => shown.close())
  await expect.poll(() => shown.find('.tool-current code').textContent).toBe('write_file')
  expect(shown.texts('.examples .chip')).toContain('A new file')
})
