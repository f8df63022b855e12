import type { DeclaredStorage } from './declared.js'

/** Memory file systems with all optional parts: inside a mount, and beside an empty mount. */
export const mounts: DeclaredStorage = {
  name: 'mounts',
  tests: ['workspace/mounts-contract.test.ts'],
}
