import { afterEach, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Work } from '../../demo/src/work-pane.js'
import { openPage, type TestPage } from './page.js'

export let here: TestPage

export async function open(work: Work = 'tools'): Promise<void> {
  here = await openPage({ files: { 'README.md': '# First\n' }, name: 'first', remember: true, work })
}

export const load = (name: string): Promise<void> => here.playground.load(name, { 'README.md': `# ${name}\n`, [`${name}.txt`]: 'x\n' })
/** Calls `act` once when the page has switched to the workspace of that name, before the page first takes a snapshot of it. */
export function beforeFirstLook(name: string, act: () => Promise<void>): void {
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

export const run = (): Promise<void> => userEvent.keyboard('{Control>}{Enter}{/Control}')
export const outcome = (): string => here.root.querySelector('.result:not([hidden]) .result-outcome')?.textContent ?? ''
export const result = (): string => here.find('.result-panel:not([hidden])').textContent ?? ''
export const screen = (): string => here.texts('.terminal-panel:not([hidden]) .xterm-rows > div').join('\n')
/** Registers hooks that close the page after each test. */
export function useOpeningPage(): void {
  afterEach(async () => {
    vi.restoreAllMocks()
    await here.close()
    history.replaceState(null, '', location.pathname + location.search)
  })
}
