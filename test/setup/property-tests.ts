import type { TestProject } from 'vitest/node'

const fixed = 20_260_101

/** The seed and the number of rounds of property tests. `PROPERTY_SEED=<integer>` or `PROPERTY_SEED=random`; default the same in every run. */
export default function setup(project: TestProject): void {
  // Kept in the environment: every project calls this, and all of them draw the same.
  if (process.env.PROPERTY_SEED === 'random') process.env.PROPERTY_SEED = String(Math.floor(Math.random() * 2 ** 31))
  const asked = process.env.PROPERTY_SEED
  const seed = Number(asked ?? fixed)
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${asked}": give an integer or "random"`)
  if (asked) console.log(`PROPERTY_SEED=${seed}`)
  project.provide('propertySeed', seed)
  // The server of a project says "test" in every mode.
  project.provide('isDeep', project.vitest.vite.config.mode === 'deep')
}
