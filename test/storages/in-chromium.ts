import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { createLightningFs } from 'toolport/adapters/lightning-fs'
import { createOpfs } from 'toolport/adapters/opfs'
import type { FsAdapter } from '../../src/types/fs.js'

/** Name of an adapter whose storage survives a reload -> opens the storage with a given name. */
export const DURABLE_IN_CHROMIUM: Readonly<Record<string, (name: string) => FsAdapter>> = {
  indexeddb: (name) => createIndexedDbFs({ name }),
  'lightning-fs': (name) => createLightningFs({ name }),
  opfs: (name) => createOpfs({ name }),
}
