// @module-tag memfs
import { memfs } from 'memfs'
import { createMemfsFs } from 'toolport/adapters/memfs'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { memfs as declared } from '../storages/declared/memfs.js'

fsContract({ describe, it }, { ...contractOf(declared), create: () => createMemfsFs({ fs: memfs().fs }) })
