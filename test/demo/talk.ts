import type { Page } from 'playwright'
import type { ModelSettings } from '../../demo/src/agent/settings.js'

/** Fills in the open settings dialog. */
export async function fillIn(page: Page, { address, model, key, patience }: ModelSettings): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(address)
  await dialog.getByLabel('Model', { exact: true }).fill(model)
  await dialog.getByLabel('Key', { exact: true }).fill(key)
  await dialog.getByLabel('Give up after').fill(String(patience))
}

/** Connects a model. The agent uses this model from then on. */
export async function connect(page: Page, settings: ModelSettings): Promise<void> {
  await page.locator('.agent-model').click()
  await fillIn(page, settings)
  await page.getByRole('button', { name: 'Use this model', exact: true }).click()
}

export async function say(page: Page, words: string): Promise<void> {
  const message = page.getByLabel('Message to the agent')
  await message.fill(words)
  await message.press('Enter')
}

/** Waits until the agent has finished. */
export const idle = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send', exact: true }).waitFor()
