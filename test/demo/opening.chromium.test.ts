import '../../demo/src/styles/index.css'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Work } from '../../demo/src/work-pane.js'
import { held } from './held.js'
import { chooseTool, openPage, type TestPage } from './page.js'

const PATIENCE = { timeout: 10_000 }

let here: TestPage

afterEach(async () => {
  vi.restoreAllMocks()
  await here.close()
})

async function open(work: Work = 'tools'): Promise<void> {
  here = await openPage({ files: { 'README.md': '# First\n' }, name: 'first', remember: true, work })
}

const load = (name: string): Promise<void> => here.playground.load(name, { 'README.md': `# ${name}\n`, [`${name}.txt`]: 'x\n' })

/** Does something when the workspace of that name has been taken up, before the page has had its first look at it. */
function beforeFirstLook(name: string, act: () => Promise<void>): void {
  const { setItem } = Storage.prototype
  let isDone = false
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, ...item) {
    setItem.apply(this, item)
    const { session } = here.playground
    if (isDone || session.name !== name) return
    isDone = true
    const { snapshot } = session
    Object.assign(session, {
      async snapshot() {
        Object.assign(session, { snapshot })
        await act()
        return snapshot()
      },
    })
  })
}

const run = (): Promise<void> => userEvent.keyboard('{Control>}{Enter}{/Control}')
const outcome = (): string => here.root.querySelector('.result:not([hidden]) .result-outcome')?.textContent ?? ''
const result = (): string => here.find('.result-panel:not([hidden])').textContent ?? ''
const screen = (): string => here.texts('.terminal-panel:not([hidden]) .xterm-rows > div').join('\n')

test('a workspace gives way to another one that is opened while it is drawn', async () => {
  await open()
  beforeFirstLook('second', () => load('third'))
  await load('second')
  expect(here.playground.session.name).toBe('third')
  await expect.element(page.getByRole('treeitem', { name: 'third.txt' })).toBeVisible()
  await chooseTool('list_files')
  await run()
  await expect.poll(outcome, PATIENCE).toMatch(/^ok/)
  expect(result()).toContain('third.txt')
  expect(here.find('.pane-view').textContent).toContain('# third')
  await userEvent.keyboard('{Control>}`{/Control}')
  await expect.poll(screen, PATIENCE).toContain('$')
  await userEvent.keyboard('ls{Enter}')
  await expect.poll(screen, PATIENCE).toContain('third.txt')
})

test('nothing is done to the workspace that is left, from the moment on in which another one is taken up', async () => {
  await open()
  const { session: left } = here.playground
  const done = vi.fn()
  left.runtime.on(({ type }) => {
    if (type === 'call_start') done()
  })
  await userEvent.keyboard('{Control>}`{/Control}')
  await expect.poll(screen, PATIENCE).toContain('$')
  await chooseTool('bash')
  await page.getByLabelText('command', { exact: true }).fill('sleep 60')
  await run()
  await expect.poll(() => here.find('.running').textContent, PATIENCE).not.toBe('')
  const { free, release } = held()
  const seen = held()
  beforeFirstLook('second', async () => {
    seen.release()
    await free
  })
  const loaded = load('second')
  await seen.free
  // What ran has ended, and what is run is not run there.
  await expect.poll(() => page.getByRole('button', { name: 'Cancel' }).query(), PATIENCE).toBe(null)
  done.mockClear()
  await run()
  here.find('.xterm-helper-textarea').focus()
  await userEvent.keyboard('echo made > made.txt{Enter}')
  await expect.poll(() => here.playground.session.workspace.exists('made.txt'), PATIENCE).toBe(true)
  expect(done).not.toHaveBeenCalled()
  release()
  await loaded
  expect(here.texts('.past-call')).toEqual([])
})

test('a conversation that is left shows nothing of its call in the workspace that is opened meanwhile', async () => {
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
      // What a call has changed is asked for when it is done.
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
  // It would be shown by then.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(here.texts('.editor-tabs [role=tab]')).toEqual(['README.md'])
  await page.getByRole('tab', { name: 'Tools', exact: true }).click()
  await expect.element(page.getByRole('form', { name: 'Call a tool' })).toBeVisible()
  expect(here.texts('.past-call')).toEqual([])
})
