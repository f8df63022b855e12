// @module-tag lightning-fs
import { createLightningFs, type LightningFs } from 'toolport/adapters/lightning-fs'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { lightningFs } from '../storages/declared/lightning-fs.js'
import { newName, settled } from './lightning-fs-support.js'

const names = new Map<unknown, string>()

function create(): LightningFs {
  const name = newName()
  const fs = createLightningFs({ name })
  names.set(fs, name)
  return fs
}

fsContract(
  { describe, it },
  {
    ...contractOf(lightningFs),
    create,
    dispose: async (fs) => {
      await fs.close()
      await settled(indexedDB.deleteDatabase(names.get(fs) ?? ''))
    },
  },
)
