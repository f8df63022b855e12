import { afterEach, vi } from 'vitest'
import { createProse, type Prose } from '../../demo/src/agent/prose.js'

export const opened: string[] = []
export const create = (): Prose => {
  const prose = createProse({ isPath: (text) => text === 'src/a.ts', onOpenPath: (path) => opened.push(path) })
  document.body.append(prose.element)
  return prose
}

export function all(text: string): HTMLElement {
  const prose = create()
  prose.append(text)
  prose.settle()
  return prose.element
}

/** Renders a text of any length, in parts over several frames, and waits for the end. */
export async function slowly(text: string): Promise<HTMLElement> {
  const next = requestAnimationFrame.bind(window)
  const asked = vi.spyOn(window, 'requestAnimationFrame')
  const prose = create()
  prose.append(text)
  prose.settle()
  // Until rendering requests no further frame.
  for (let count = 0; count < asked.mock.calls.length; ) {
    count = asked.mock.calls.length
    await new Promise((resolve) => next(resolve))
  }
  asked.mockRestore()
  return prose.element
}

export const marks = (element: Element): (string | null)[] =>
  [...element.querySelectorAll('.hidden-character')].map((mark) => mark.getAttribute('aria-label'))

export const TEXT = `# What it does

It reads \`src/a.ts\` and **writes** it,
in two lines. A \`tag\`: <b>bold</b> & [link](javascript:alert(1)) ![x](y)

- one
  goes on
- two **strong**

1. first
2. second
~~~js
const a = '# no heading'

- no item
~~~
Behind it.`

export const TABLE = `These are they:
| Name | Size | |
|:-----|:----:|--:|
| \`src/a.ts\` | **1** | a \\| b |
| \`x | y\` | <b>2</b>
| one | two | three | four |
no pipe
| \`a \\| b\` || last

Behind \`it\`: a | b.

a | b
-|-
c | d
- no row

| x | y |
|---|---|
# Over`

/** Registers a hook that empties the document after each test. */
export function useAgentProsePage(): void {
  afterEach(() => {
    opened.length = 0
    document.body.replaceChildren()
  })
}
