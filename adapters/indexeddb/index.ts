export type { LocksLike } from '../shared/web-lock.js'
export { createIndexedDbFs, type IndexedDbFs, type IndexedDbFsOptions } from './indexeddb-fs.js'
