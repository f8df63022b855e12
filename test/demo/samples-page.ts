import { afterEach, beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { samples } from '../../demo/src/samples/samples.js'
import { openPage, type TestPage } from './page.js'

export let shown: TestPage

export async function openSample(label: string): Promise<void> {
  await page.getByRole('button', { name: /^Workspace/ }).click()
  await page.getByRole('button', { name: `Open the sample ${label}` }).click()
  await expect.poll(() => shown.find('.workspace-name').textContent).toBe(samples.find((sample) => sample.label === label)?.name)
}

/** Registers hooks that open the page before each test and close it afterwards. */
export function useSamplesPage(): void {
  beforeEach(async () => {
    shown = await openPage({ files: { 'old.md': '# Old\n' } })
  })

  afterEach(() => shown.close())
}
