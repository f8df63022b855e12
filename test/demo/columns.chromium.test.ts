// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { again, files, shown, useColumnsPage, width, work } from './columns-page.js'

useColumnsPage()

describe('the splitter of the files pane', () => {
  test('can be dragged and keeps its position', async () => {
    const [first, beside] = [width('files'), width('work')]
    await userEvent.dragAndDrop(files(), shown.find('.pane-view'))
    const dragged = width('files')
    expect(dragged).toBeGreaterThan(first + 100)
    expect(width('work')).toBe(beside)
    await again()
    expect(width('files')).toBeCloseTo(dragged, -1)
  })
})

describe('the splitter of the agent and tools pane', () => {
  test('can be moved by keys and keeps its position', async () => {
    const first = width('work')
    work().focus()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    const wider = width('work')
    expect(wider).toBeGreaterThan(first + 100)
    await again()
    expect(width('work')).toBeCloseTo(wider, -1)
  })
})
