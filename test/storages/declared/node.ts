import type { DeclaredStorage } from './declared.js'

export const node: DeclaredStorage = {
  name: 'node',
  tests: ['adapters/node.node.test.ts'],
  without: { usage: 'a directory does not know what is in it without a walk' },
}
