import type { DeclaredStorage } from './declared.js'

export const memory: DeclaredStorage = { name: 'memory', tests: ['adapters/memory.everywhere.test.ts'] }
