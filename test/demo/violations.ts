import axe from 'axe-core'
import type { Page } from 'playwright'

/** All violations of any severity that axe finds on the page. */
export async function violations(page: Page): Promise<string[]> {
  // axe checks colours, so wait until animations have finished. Skip infinite ones, such as spinners.
  await page.evaluate(() =>
    Promise.all(
      document.getAnimations().map((one) => one.effect?.getComputedTiming().iterations === Infinity || one.finished.catch(() => undefined)),
    ),
  )
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => (await (window as unknown as { axe: typeof axe }).axe.run(document)).violations)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)
}
