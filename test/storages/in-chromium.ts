import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { createLightningFs } from 'toolport/adapters/lightning-fs'
import { createOpfs } from 'toolport/adapters/opfs'
import type { FsAdapter } from '../../src/types/fs.js'

/** Storages that are there again after a reload, by the name of their adapter; each opens what it keeps under a name. */
export const DURABLE_IN_CHROMIUM: Readonly<Record<string, (name: string) => FsAdapter>> = {
  indexeddb: (name) => createIndexedDbFs({ name }),
  'lightning-fs': (name) => createLightningFs({ name }),
  opfs: (name) => createOpfs({ name }),
}
