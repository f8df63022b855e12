// @module-tag branches
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { mounts } from '../storages/declared/mounts.js'
import { besideMount, insideMount } from './mounts-support.js'

for (const [where, combine] of Object.entries({ 'inside a mount': insideMount, 'beside an empty mount': besideMount })) {
  describe(where, () => {
    fsContract({ describe, it }, { ...contractOf(mounts), create: () => combine(createMemoryFs) })
  })
}
