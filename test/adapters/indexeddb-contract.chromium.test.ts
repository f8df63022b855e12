// @module-tag indexeddb
import { createIndexedDbFs, type IndexedDbFs } from 'toolport/adapters/indexeddb'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { indexeddb } from '../storages/declared/indexeddb.js'
import { newName, settled } from './indexeddb-support.js'

const names = new Map<unknown, string>()

function create(): IndexedDbFs {
  const name = newName()
  const fs = createIndexedDbFs({ name })
  names.set(fs, name)
  return fs
}

fsContract(
  { describe, it },
  {
    ...contractOf(indexeddb),
    create,
    dispose: async (fs) => {
      await fs.close()
      await settled(indexedDB.deleteDatabase(`toolport:${names.get(fs)}`))
    },
  },
)
