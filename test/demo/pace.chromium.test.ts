// @module-tag playground
import { systemHost } from 'toolport'
import { expect, onTestFinished, test } from 'vitest'
import { createPace, giveWay } from '../../demo/src/pace.js'

/** Makes the page count as hidden. Timers without a delay then never fire, while a browser would only delay them. */
function hide(): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: true })
  const { setTimeout: later } = window
  Object.assign(window, { setTimeout: (body: () => void, ms = 0) => (ms > 0 ? later(body, ms) : 0) })
  onTestFinished(() => {
    Reflect.deleteProperty(document, 'hidden')
    Object.assign(window, { setTimeout: later })
  })
}

const another = (): Promise<string> => {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => resolve('another task')
    port2.postMessage(null)
  })
}

test.each([false, true])('pace() yields to other tasks and continues, also in a hidden page (hidden: %s)', async (hidden) => {
  if (hidden) hide()
  const order: string[] = []
  const others = another().then((name) => order.push(name))
  await giveWay()
  order.push('went on')
  await others
  expect(order).toEqual(['another task', 'went on'])
})

test('host.yield() continues in a hidden page', async () => {
  hide()
  for (let turn = 0; turn < 20; turn++) await systemHost.yield()
  expect(document.hidden).toBe(true)
})

test('a long loop continues in a hidden page', async () => {
  hide()
  const pace = createPace()
  for (let turn = 0; turn < 3; turn++) {
    const until = performance.now() + 25
    while (performance.now() < until);
    await pace()
  }
  expect(document.hidden).toBe(true)
})
