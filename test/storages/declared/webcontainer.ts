import type { DeclaredStorage } from './declared.js'

const UNPUBLISHED = 'the published calls of a WebContainer have nothing for it'

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
