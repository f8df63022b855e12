import axe from 'axe-core'
import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mountPlayground, type Playground, type PlaygroundOptions } from '../../demo/src/playground.js'

/** A mounted playground, and helpers that find its elements. */
export interface TestPage {
  readonly root: HTMLElement
  readonly playground: Playground
  find(selector: string): HTMLElement
  texts(selector: string): (string | null)[]
  close(): Promise<void>
}

export async function openPage(options: PlaygroundOptions): Promise<TestPage> {
  await page.viewport(1300, 900)
  document.documentElement.lang = 'en'
  document.title = 'Toolport playground'
  const root = document.createElement('div')
  document.body.append(root)
  // Notices do not time out, so that tests on a slow machine see them.
  const playground = await mountPlayground(root, { work: 'tools', after: () => () => undefined, ...options })
  return {
    root,
    playground,
    find(selector) {
      const element = root.querySelector(selector)
      if (!(element instanceof HTMLElement)) throw new Error(`Nothing fits ${selector}`)
      return element
    },
    texts: (selector) => [...root.querySelectorAll(selector)].map((element) => element.textContent),
    async close() {
      await playground.dispose()
      root.remove()
    },
  }
}

export async function chooseTool(name: string): Promise<void> {
  const radio = page.getByRole('radio', { name, exact: true })
  // A part of the page that opens at the same time may take the focus.
  const press = async (): Promise<boolean> => {
    const input = radio.element() as HTMLInputElement
    input.focus()
    await userEvent.keyboard(' ')
    return input.checked
  }
  await expect.poll(press).toBe(true)
}

/** Sets the text of a text area, like a paste. */
export function paste(field: Element | null | undefined, text: string): void {
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('There is no such text area')
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** All violations of any severity that axe finds in the document. */
export async function axeViolations(): Promise<string[]> {
  // axe checks colours, so wait until animations have finished. Skip infinite ones, such as a blinking cursor.
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
  await Promise.allSettled(ending.map((animation) => animation.finished))
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)
}
