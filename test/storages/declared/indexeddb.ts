import type { DeclaredStorage } from './declared.js'

export const indexeddb: DeclaredStorage = { name: 'indexeddb', tests: ['adapters/indexeddb-contract.chromium.test.ts'] }
