// @module-tag archives
import { it } from 'vitest'
import { indexedDbFs } from '../adapters/indexeddb-support.js'
import { sameSnapshot, takenBack } from './archive-storages.js'

it('a snapshot from IndexedDB has the pinned bytes', () => sameSnapshot(() => indexedDbFs()))
it('a failed import leaves nothing in IndexedDB', () => takenBack(() => indexedDbFs()))
