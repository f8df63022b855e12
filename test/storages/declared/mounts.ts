import type { DeclaredStorage } from './declared.js'

/** Memories that can do everything: inside a mount, and beside one. */
export const mounts: DeclaredStorage = {
  name: 'mounts',
  tests: ['workspace/mounts-contract.test.ts'],
}
