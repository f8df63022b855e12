// @module-tag playground
import '../../demo/src/styles/index.css'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { held } from './held.js'
import { beforeFirstLook, here, load, open, outcome, result, run, screen, useOpeningPage } from './opening-page.js'
import { chooseTool } from './page.js'

useOpeningPage()

test('the old workspace is not changed after another one starts to open', async () => {
  await open()
  const { session: left } = here.playground
  const done = vi.fn()
  left.runtime.on(({ type }) => {
    if (type === 'call_start') done()
  })
  await userEvent.keyboard('{Control>}`{/Control}')
  await expect.poll(screen).toContain('$')
  await chooseTool('bash')
  await page.getByLabelText('command', { exact: true }).fill('sleep 60')
  await run()
  await expect.poll(() => here.find('.running').textContent).not.toBe('')
  const { free, release } = held()
  const seen = held()
  beforeFirstLook('second', async () => {
    seen.release()
    await free
  })
  const loaded = load('second')
  await seen.free
  // The running call has ended. A new call does not run in the old workspace.
  await expect.poll(() => page.getByRole('button', { name: 'Cancel' }).query()).toBe(null)
  done.mockClear()
  await run()
  here.find('.xterm-helper-textarea').focus()
  await userEvent.keyboard('echo made > made.txt{Enter}')
  await expect.poll(() => here.playground.session.workspace.exists('made.txt')).toBe(true)
  expect(done).not.toHaveBeenCalled()
  release()
  await loaded
  // The history has the calls of the new workspace, and none of the old one.
  await expect.poll(() => here.texts('.past-call')).toEqual([expect.stringContaining('echo made > made.txt')])
})

test('a running call of an old conversation shows nothing in the new workspace', async () => {
  await open('agent')
  const { session } = here.playground
  const { conversing } = session
  const { free, release } = held()
  const asked = held()
  const over = held()
  Object.assign(session, {
    conversing(options: Parameters<typeof conversing>[0]) {
      const agent = conversing(options)
      const { execute } = agent.runtime
      // The page asks for a call's changes when the call has ended.
      vi.spyOn(agent.runtime, 'execute').mockImplementation(async (call, ...more) => {
        const isAboutChange = call.name === 'diff_checkpoint'
        if (isAboutChange) asked.release()
        if (isAboutChange) await free
        const result = await execute.call(agent.runtime, call, ...more)
        if (isAboutChange) over.release()
        return result
      })
      return agent
    },
  })
  await page.getByLabelText('What the agent may do').selectOptions('Allow all')
  await page.getByRole('button', { name: 'Play the recorded conversation' }).click()
  await asked.free
  await load('second')
  release()
  await over.free
  // Waits long enough that the page would have shown a result.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(here.texts('.editor-tabs [role=tab]')).toEqual(['README.md'])
  await page.getByRole('tab', { name: 'Tools', exact: true }).click()
  await expect.element(page.getByRole('form', { name: 'Call a tool' })).toBeVisible()
  expect(here.texts('.past-call')).toEqual([])
})

/** Starts a call, and holds the snapshot that the page takes after the call. Returns a function that releases the snapshot. */
async function writeAndHoldTheLook(): Promise<() => void> {
  const { session } = here.playground
  const { free, release } = held()
  const looked = held()
  const { snapshot } = session
  await chooseTool('write_file')
  await page.getByLabelText('path', { exact: true }).fill('new.txt')
  Object.assign(session, {
    async snapshot() {
      looked.release()
      await free
      return snapshot()
    },
  })
  await run()
  await looked.free
  return release
}

test('a call whose changes are still being read shows nothing in the new workspace', async () => {
  await open()
  const release = await writeAndHoldTheLook()
  const loaded = load('second')
  await expect.poll(() => here.playground.session.name).toBe('second')
  release()
  await loaded
  await expect.element(page.getByRole('treeitem', { name: 'second.txt' })).toBeVisible()
  // Waits long enough that the page would have shown a result.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(outcome()).toBe('')
  expect(here.texts('.past-call')).toEqual([])
})

test('a preset chosen while a workspace opens is applied', async () => {
  await open()
  const choosePreset = (name: string): Promise<void> => page.getByRole('combobox', { name: 'Preset' }).selectOptions(name)
  const isTaken = (): Promise<void> => expect.poll(() => here.find('.preset-select').hasAttribute('aria-busy')).toBe(false)
  // Loads the preset, so that choosing it again takes effect at once.
  await choosePreset('loom')
  await isTaken()
  await choosePreset('standard')
  await isTaken()
  const release = await writeAndHoldTheLook()
  const [shown, looked] = [held(), held()]
  beforeFirstLook('second', async () => {
    looked.release()
    await shown.free
  })
  const loaded = load('second')
  await looked.free
  await choosePreset('loom')
  await new Promise((resolve) => setTimeout(resolve, 50))
  shown.release()
  await expect.element(page.getByRole('treeitem', { name: 'second.txt' })).toBeVisible()
  // The call in the old workspace ends last.
  release()
  await loaded
  await isTaken()
  const tools = here.texts('.tool-option')
  expect(tools).toContain('edit_file')
  expect(tools).not.toContain('glob')
})

test('tools work in a workspace that could not be shown at first', async () => {
  await open()
  beforeFirstLook('second', () => Promise.reject(new Error('It does not answer')))
  await load('second')
  await expect.element(page.getByText('not all of it could be shown: It does not answer')).toBeVisible()
  await chooseTool('list_files')
  await run()
  await expect.poll(outcome).toMatch(/^ok/)
  expect(result()).toContain('second.txt')
})
