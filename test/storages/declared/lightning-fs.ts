import type { DeclaredStorage } from './declared.js'

export const lightningFs: DeclaredStorage = {
  name: 'lightning-fs',
  tests: ['adapters/lightning-fs-contract.chromium.test.ts'],
}
