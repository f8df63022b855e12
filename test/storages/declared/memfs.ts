import type { DeclaredStorage } from './declared.js'

export const memfs: DeclaredStorage = {
  name: 'memfs',
  tests: ['adapters/memfs.everywhere.test.ts', 'adapters/memfs-node-fs.node.test.ts'],
  without: { usage: 'the library may be changed by others, so nothing is counted without a walk' },
}
