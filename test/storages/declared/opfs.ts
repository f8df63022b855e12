import type { DeclaredStorage } from './declared.js'

export const opfs: DeclaredStorage = {
  name: 'opfs',
  tests: ['adapters/opfs-contract.chromium.test.ts', 'adapters/opfs-no-move-contract.chromium.deep.test.ts'],
  without: {
    symlink: 'the browser’s file system has no links',
    mode: 'it keeps no permission bits',
    setMeta: 'it sets the times itself',
  },
}
