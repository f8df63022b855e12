// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

it('200 concurrent commands cause no MaxListeners warning', async () => {
  const warnings: string[] = []
  const warned = (warning: Error): void => void warnings.push(warning.name)
  process.on('warning', warned)
  const { shell } = setup()
  const results = await Promise.all(Array.from({ length: 200 }, (_, i) => shell.exec(`sleep 0.001; echo ${i}`)))
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('warning', warned)
  expect(results.map(({ stdout }) => Number(stdout))).toEqual(Array.from({ length: 200 }, (_, i) => i))
  expect(warnings).toEqual([])
})
