// @module-tag same-bytes
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { it } from 'vitest'
import { expectSame } from './differential.js'

// The other storages of a page are tested in the deep test.
it('one script of calls gives the same bytes on IndexedDB', () => expectSame(createIndexedDbFs({ name: `same-${crypto.randomUUID()}` })))
