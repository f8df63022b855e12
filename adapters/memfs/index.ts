export type { DirentLike, NodeFsLike, NodePromisesLike, StatsLike } from '../shared/node-like/library-types.js'
export { createMemfsFs, type MemfsFs, type MemfsFsOptions } from './memfs-fs.js'
