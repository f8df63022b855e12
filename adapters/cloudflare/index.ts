export { createDurableObjectFs, type DurableObjectFs, type DurableObjectFsOptions } from './durable-object-fs.js'
export { type DurableSqlLike, type DurableStorageLike, hasSqlite, type SqlRow, type SqlValue } from './storage-like.js'
