import fc from 'fast-check'
import { inject } from 'vitest'

<<<<<<< HEAD
// A fixed seed, so that a test does not fail for an unrelated change. PROPERTY_SEED sets other seeds (CONTRIBUTING.md).
fc.configureGlobal({ seed: inject('propertySeed') })

/** Number of random cases to run: all `cases` in the deep tier, the first tenth in the default tier. */
=======
// The seed is fixed, so that a test fails only because of a change. PROPERTY_SEED sets another seed (CONTRIBUTING.md).
fc.configureGlobal({ seed: inject('propertySeed') })

/** Number of cases in this tier: all in the deep tier, and a tenth in the default tier. */
>>>>>>> acccddadcc50bb7be73f0302a1b511d5c3707549
export const rounds = (cases: number): number => (inject('isDeep') ? cases : Math.ceil(cases / 10))

export default fc
