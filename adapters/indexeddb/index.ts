export { createIndexedDbFs, type IndexedDbFs, type IndexedDbFsOptions } from './indexeddb-fs.js'
export type { LocksLike } from './lock.js'
