// @module-tag playground
import '../../demo/src/styles/index.css'
import { expect, test } from 'vitest'
import { samples } from '../../demo/src/samples/samples.js'
import { openSample, shown, useSamplesPage } from './samples-page.js'

useSamplesPage()

test('each sample is offered in the dialog, and opening one replaces all files', async () => {
  for (const { label } of samples) {
    await openSample(label)
    const files = Object.keys(await shown.playground.session.workspace.files())
    expect(files).not.toContain('old.md')
    expect(files).toContain('README.md')
    expect(files.length).toBeGreaterThan(5)
  }
})
