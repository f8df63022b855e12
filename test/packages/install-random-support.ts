import fc from '../fast-check.js'
import type { MadePackage } from './install-support.js'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', '@s/g', '@s/h']
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0', '2.1.0', '3.0.0-rc.1']
const RANGES = ['*', '^1.0.0', '~1.0.0', '1.1.0', '^2.0.0', '>=1.1.0', '2.0.0', '1.x || >=2.1.0']

const dependencies = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...RANGES), { maxKeys: 4 })

/** A registry in which every dependency can be resolved. */
export const graph: fc.Arbitrary<readonly MadePackage[]> = fc
  .array(dependencies, { minLength: NAMES.length * VERSIONS.length, maxLength: NAMES.length * VERSIONS.length })
  .map((all) =>
    NAMES.flatMap((name, n) =>
      // The last version is `latest`, which must be a release.
      [...VERSIONS.slice(4), ...VERSIONS.slice(0, 4)].map((version, v) => ({
        name,
        version,
        dependencies: all[n * VERSIONS.length + v] ?? {},
      })),
    ),
  )

/** Requested packages for one install after another. */
export const requests: fc.Arbitrary<readonly string[][]> = fc.array(
  fc.uniqueArray(
    fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom('', ...RANGES)).map(([name, range]) => (range ? `${name}@${range}` : name)),
    { minLength: 1, maxLength: 3, selector: (text) => text.slice(0, text.indexOf('@', 1) < 0 ? undefined : text.indexOf('@', 1)) },
  ),
  { minLength: 1, maxLength: 3 },
)
