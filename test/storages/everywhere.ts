import { memfs } from 'memfs'
import { createOverlayFs } from 'toolport'
import { createMemfsFs } from 'toolport/adapters/memfs'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWebContainerFs } from 'toolport/adapters/webcontainer'
import type { FsAdapter } from '../../src/types/fs.js'
import { FakeContainer } from '../adapters/webcontainer-fake.js'
import { besideMount, plainFs } from '../workspace/mounts-support.js'

/** Name of an adapter that works in every runtime -> creates a new, empty storage. */
export const EVERYWHERE: Readonly<Record<string, () => FsAdapter>> = {
  memory: () => createMemoryFs(),
  memfs: () => createMemfsFs({ fs: memfs().fs }),
  webcontainer: () => createWebContainerFs({ container: new FakeContainer().api }),
  overlay: () => createOverlayFs({ lower: createMemoryFs() }),
  'beside a mount': () => besideMount(createMemoryFs),
  'plain, beside a mount': () => besideMount(plainFs),
}
