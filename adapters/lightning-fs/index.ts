export type { LocksLike } from '../shared/web-lock.js'
export type { LightningFsClass, LightningPromises } from './library.js'
export { createLightningFs, type LightningFs, type LightningFsOptions } from './lightning-fs.js'
