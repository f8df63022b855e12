// @module-tag git
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { durableCase } from './git-durable-case.js'

// The other storages of a page are tested in the deep test.
durableCase('indexeddb', (name) => createIndexedDbFs({ name }))
