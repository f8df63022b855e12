import type { DeclaredStorage } from './declared.js'

export const memfs: DeclaredStorage = {
  name: 'memfs',
  tests: ['adapters/memfs.everywhere.test.ts', 'adapters/memfs-node-fs.node.test.ts'],
  without: { usage: 'other code can change the files of the library, so counting requires a walk' },
}
