import axe from 'axe-core'
import type { Page } from 'playwright'

/** What axe finds on the page as it is now, of any weight. */
export async function violations(page: Page): Promise<string[]> {
  // Colours count when they have settled; a spinner never does.
  await page.evaluate(() =>
    Promise.all(
      document.getAnimations().map((one) => one.effect?.getComputedTiming().iterations === Infinity || one.finished.catch(() => undefined)),
    ),
  )
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => (await (window as unknown as { axe: typeof axe }).axe.run(document)).violations)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)
}
