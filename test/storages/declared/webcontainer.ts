import type { DeclaredStorage } from './declared.js'

const UNPUBLISHED = 'the public API of a WebContainer has no such operation'

export const webcontainer: DeclaredStorage = {
  name: 'webcontainer',
  tests: ['adapters/webcontainer-contract.node.test.ts'],
  without: {
    symlink: `${UNPUBLISHED}: links that processes make are shown, not followed`,
    append: UNPUBLISHED,
    copy: UNPUBLISHED,
    setMeta: UNPUBLISHED,
    usage: `${UNPUBLISHED}, and processes write beside it`,
    mode: UNPUBLISHED,
  },
}
