// @module-tag playground
import '../../demo/src/styles/index.css'
import { createPreview } from 'toolport/preview'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PresetChoice } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { createPresetSwitch } from '../../demo/src/presets/preset-switch.js'
import { createSession } from '../../demo/src/session.js'
import { knownFiles } from '../../demo/src/tools/examples/known.js'
import { held } from './held.js'
import { chooseTool } from './page.js'
import {
  brokenChoice,
  choose,
  chooser,
  FILES,
  here,
  loads,
  mount,
  outcome,
  panel,
  standard,
  tiny,
  tinyChoice,
  tools,
  usePresetsPage,
} from './presets-page.js'

usePresetsPage()

test('if one preset is loading and the next cannot be loaded, the previous one is restored', async () => {
  const { free, release } = held()
  const taken: string[] = []
  const problems: (string | undefined)[] = []
  const { element, dispose } = createPresetSwitch({
    choices: [standard, tinyChoice, brokenChoice],
    loading: (_, load) => load(),
    async onChange({ choice }) {
      if (choice === tinyChoice) await free
      taken.push(choice.name)
    },
    onProblem: (text) => void problems.push(text),
  })
  onTestFinished(dispose)
  const select = element.querySelector('select') as HTMLSelectElement
  const wish = (name: string): void => {
    select.value = name
    select.dispatchEvent(new Event('change'))
  }
  wish('tiny')
  await expect.poll(() => loads).toBe(1)
  wish('broken')
  await expect.poll(() => problems).toEqual([expect.stringContaining('no such chunk')])
  release()
  await expect.poll(() => taken.toSorted()).toEqual(['standard', 'tiny'])
  expect(select.value).toBe('standard')
})

describe('choosing a preset in detail', () => {
  test('keeps earlier calls readable, and fills the form only with matching calls', async () => {
    const { find, texts } = await mount()
    await chooseTool('read_file')
    await page.getByLabelText('path', { exact: true }).fill('README.md')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toContain('read_file')
    await page.getByRole('tab', { name: 'Wire' }).click()
    expect(panel()).toContain('no shape of its own')
    await choose('tiny')
    expect(outcome()).toContain('read_file')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toContain('say')
    await page.getByRole('tab', { name: 'History 2' }).click()
    expect(texts('.past-call .preset-tag')).toEqual(['tiny'])
    await userEvent.click(find('li:last-child .past-call'))
    await expect.poll(outcome).toContain('read_file')
    await page.getByRole('tab', { name: 'As the model reads it' }).click()
    expect(panel()).toContain('Some words about it.')
    await expect.element(page.getByRole('radio', { name: 'say' })).toBeChecked()
    await choose('standard')
    await page.getByRole('tab', { name: 'History 2' }).click()
    await userEvent.click(find('li:last-child .past-call'))
    await expect.element(page.getByLabelText('path', { exact: true })).toHaveValue('README.md')
  })

  test('keeps the shell of the terminal', async () => {
    const { playground, root } = await mount()
    await chooseTool('bash')
    await page.getByLabelText('command', { exact: true }).fill('cd src; export GREETING=hi')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toContain('bash')
    await choose('tiny')
    await choose('standard')
    const { output } = await playground.session.runtime.execute({ name: 'bash', input: { command: 'pwd; echo $GREETING' } })
    expect(output).toMatchObject({ stdout: '/workspace/src\nhi\n' })
    await userEvent.keyboard('{Control>}`{/Control}')
    await expect.poll(() => root.querySelector('.xterm-rows')?.textContent).toContain('workspace/src')
  })

  test('applies to the next workspace too', async () => {
    const { playground } = await mount()
    await choose('tiny')
    await playground.load('other', { 'a.txt': 'a\n' })
    expect(tools()).toEqual(['say', 'wait'])
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(outcome).toContain('say')
    expect(loads).toBe(1)
  })

  test('removes the message about another preset', async () => {
    await mount('#preset=nothing')
    await expect.element(page.getByText('There is no preset')).toBeVisible()
    await choose('tiny')
    await expect.poll(() => here().find('.notice').hidden).toBe(true)
    await choose('broken')
    await expect.element(page.getByText('The preset broken could not be loaded')).toBeVisible()
  })

  test('several times quickly selects the last one, whatever loads last', async () => {
    const gate: { open?: () => void } = {}
    const slow: PresetChoice = { ...tinyChoice, name: 'slow', load: () => new Promise((resolve) => (gate.open = () => resolve(tiny))) }
    await mount('', [standard, tinyChoice, slow])
    await chooser().selectOptions('slow')
    await choose('tiny')
    gate.open?.()
    await expect.poll(tools).toEqual(['say', 'wait'])
    await expect.element(chooser()).toHaveValue('tiny')
    expect(location.hash).toBe('#preset=tiny')
    await chooser().selectOptions('slow')
    await choose('standard')
    gate.open?.()
    await expect.poll(tools).toContain('edit_file')
    await expect.element(chooser()).toHaveValue('standard')
    expect(location.hash).toBe('')
  })
})

describe('the preset in the URL, in detail', () => {
  test('is updated with the chosen one, and the rest of the hash is kept', async () => {
    await mount('#view=1')
    expect(location.hash).toBe('#view=1')
    await choose('tiny')
    expect(location.hash).toBe('#view=1&preset=tiny')
    await choose('standard')
    expect(location.hash).toBe('#view=1')
  })

  test.each(['#preset=nothing', '#preset=__proto__', '#preset=', '#preset=%E0%A4%A', '#preset=constructor'])(
    '%s: selects standard',
    async (hash) => {
      await mount(hash)
      await expect.element(chooser()).toHaveValue('standard')
      await expect.element(page.getByText('There is no preset')).toBeVisible()
      expect(tools()).toContain('edit_file')
      expect(location.hash).toBe('')
    },
  )
})

describe('every preset of the page has working examples', () => {
  test.each(presetChoices.map((choice) => [choice.name, choice] as const))(
    '%s: has examples for its tools that run',
    async (name, choice) => {
      const parts = await choice.load?.()
      expect(parts?.({}, () => false).preset.name ?? 'standard').toBe(name)
      const loaded = parts ? { choice, parts } : { choice }
      const files = { ...FILES, 'index.html': '<!doctype html><h1>App</h1>' }
      const first = createSession('test', { files })
      const offered = first
        .agent(loaded)
        .runtime.getModelManifest()
        .map((tool) => tool.name)
      await first.close()
      for (const tool of offered) {
        // Each tool has its own workspace, because one tool removes what another reads.
        const session = createSession('test', { files })
        const container = document.createElement('div')
        document.body.append(container)
        const { preview, workspace } = session
        preview.showWith(async (path) => preview.follow(await createPreview({ workspace, container, path, hangMs: 0 })))
        // The page takes a snapshot too, which makes the first checkpoint.
        await session.snapshot()
        const { runtime } = session.agent(loaded)
        // Tools for background sessions need a session.
        if (tool.endsWith('_background_bash')) {
          await runtime.call('bash', { command: 'cat', run_in_background: true })
        }
        if (tool === 'read_preview') await runtime.call('open_preview', {})
        if (tool.endsWith('_background_js')) await runtime.call('start_background_js', { code: 'process.stdin.resume()' })
        const known = knownFiles(files, session.workspace.root, session.runtime.sessions.list())
        const examples = (choice.examples?.(known)[tool] ?? []).filter((example) => example !== undefined)
        const statuses: string[] = []
        for (const { label, input } of examples) {
          const call = { id: 'call_1', name: tool, input }
          const result = await runtime.execute(call)
          expect(() => JSON.stringify(runtime.toWire(result, call)), `${tool}: ${label}`).not.toThrow()
          statuses.push(result.ok ? 'ok' : result.output.status)
        }
        // The page's bash has no terminal.
        const expected = tool === 'resize_background_bash' ? 'unsupported' : 'ok'
        expect(statuses[0], `${tool}: ${examples[0]?.label}`).toBe(expected)
        await session.close()
        container.remove()
      }
    },
    120_000,
  )
})
