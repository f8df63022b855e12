import type { DeclaredStorage } from './declared.js'

export const durableObject: DeclaredStorage = { name: 'durable object', tests: ['adapters/durable-object-contract.workerd.test.ts'] }
