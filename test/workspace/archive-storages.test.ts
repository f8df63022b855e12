// @module-tag archives
import { createMemoryFs } from 'toolport/adapters/memory'
import { it } from 'vitest'
import { sameSnapshot, takenBack } from './archive-storages.js'

it('a snapshot from memory has the pinned bytes', () => sameSnapshot(createMemoryFs))
it('a failed import leaves nothing in memory', () => takenBack(createMemoryFs))
