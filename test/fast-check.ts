import fc from 'fast-check'
import { inject } from 'vitest'

// The seed is fixed, so that a test fails only because of a change. PROPERTY_SEED sets another seed (CONTRIBUTING.md).
fc.configureGlobal({ seed: inject('propertySeed') })

/** Number of cases in this tier: all in the deep tier, and a tenth in the default tier. */
export const rounds = (cases: number): number => (inject('isDeep') ? cases : Math.ceil(cases / 10))

export default fc
