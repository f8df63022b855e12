import type { DeclaredStorage } from './declared.js'

export const overlay: DeclaredStorage = { name: 'overlay', tests: ['workspace/overlay-contract.test.ts'] }
