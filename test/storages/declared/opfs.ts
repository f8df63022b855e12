import type { DeclaredStorage } from './declared.js'

export const opfs: DeclaredStorage = {
  name: 'opfs',
  tests: ['adapters/opfs-contract.chromium.test.ts', 'adapters/opfs-no-move-contract.chromium.deep.test.ts'],
  without: {
    symlink: 'the file system of the browser has no links',
    mode: 'the browser stores no permission bits',
    setMeta: 'the browser sets the times itself',
  },
}
