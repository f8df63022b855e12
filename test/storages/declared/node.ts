import type { DeclaredStorage } from './declared.js'

export const node: DeclaredStorage = {
  name: 'node',
  tests: ['adapters/node.node.test.ts'],
  without: { usage: 'counting the content of a directory requires a walk' },
}
