// @module-tag branches
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { plainMounts } from '../storages/declared/plain-mounts.js'
import { besideMount, insideMount, plainFs } from './mounts-support.js'

for (const [where, combine] of Object.entries({ 'inside a mount': insideMount, 'beside an empty mount': besideMount })) {
  describe(where, () => {
    fsContract({ describe, it }, { ...contractOf(plainMounts), create: () => combine(plainFs) })
  })
}
