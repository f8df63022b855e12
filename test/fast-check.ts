import fc from 'fast-check'
import { inject } from 'vitest'

// A fixed seed, so that a test does not fail for an unrelated change. PROPERTY_SEED sets other seeds (CONTRIBUTING.md).
fc.configureGlobal({ seed: inject('propertySeed') })

/** Number of random cases to run: all `cases` in the deep tier, the first tenth in the default tier. */
export const rounds = (cases: number): number => (inject('isDeep') ? cases : Math.ceil(cases / 10))

export default fc
