// @module-tag webcontainer
import { expect, test } from 'vitest'
import { jsCases } from '../../demo/src/webcontainer-probe/js-cases.js'
import { DiskContainer } from './webcontainer-disk.js'

/** Takes seconds, and tests only Node's own signals. */
const SLOW = 'a program that was stopped does nothing more'
/** Runs after the other probes, because their files would count. */
const ALONE = 'nothing is left beside the workspace'

test('a container with real Node passes all cases of the probe', async () => {
  const container = new DiskContainer()
  try {
    const cases = jsCases(container.api)
    const failed: unknown[] = []
    const run = async ({ title, run }: (typeof cases)[number]): Promise<void> => run().catch((error) => void failed.push([title, error]))
    await Promise.all(cases.filter(({ title }) => title !== SLOW && title !== ALONE).map(run))
    for (const each of cases) if (each.title === ALONE) await run(each)
    expect(failed).toEqual([])
    expect(cases.length).toBeGreaterThan(20)
  } finally {
    container.dispose()
  }
})
