import type { TestProject } from 'vitest/node'

const fixed = 20_260_101

/**
 * Provides the seed of property tests and whether the deep tier runs. `PROPERTY_SEED`: an integer or `random`; default: always the same
 * seed.
 */
export default function setup(project: TestProject): void {
  // Writes the seed to the environment, because every project calls this and all need the same seed.
  if (process.env.PROPERTY_SEED === 'random') process.env.PROPERTY_SEED = String(Math.floor(Math.random() * 2 ** 31))
  const asked = process.env.PROPERTY_SEED
  const seed = Number(asked ?? fixed)
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${asked}": give an integer or "random"`)
  if (asked) console.log(`PROPERTY_SEED=${seed}`)
  project.provide('propertySeed', seed)
  // Reads the mode of the root server, because the server of a project has the mode `test` in every tier.
  project.provide('isDeep', project.vitest.vite.config.mode === 'deep')
}
