// @module-tag playground
import '../../demo/src/styles/index.css'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { createSession, type Session } from '../../demo/src/session.js'
import { createShowCode, type ShowCode } from '../../demo/src/tools/show-code.js'

const [choice] = presetChoices
if (!choice) throw new Error('There is no preset')

let session: Session
let pane: HTMLElement
let code: ShowCode

beforeEach(() => {
  session = createSession('code', { files: { 'a.txt': 'one' } })
  code = createShowCode(
    (_, load) => load(),
    (text) => {
      throw new Error(text)
    },
  )
  pane = document.createElement('section')
  pane.append(code.element)
  document.body.append(pane)
})

afterEach(async () => {
  document.body.replaceChildren()
  await session.close()
})

const open = (): Promise<void> =>
  code.open({ agent: session.agent({ choice }), tool: 'read_file', input: { path: 'a.txt' }, isOwn: false, search: undefined })
const isOpen = (): boolean | undefined => code.element.querySelector('dialog')?.open

test('the code of a call opens only while its pane is visible', async () => {
  const opening = open()
  pane.hidden = true
  await opening
  expect(isOpen()).toBe(false)
  pane.hidden = false
  await open()
  expect(isOpen()).toBe(true)
})
