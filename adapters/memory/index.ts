export { createMemoryFs, type MemoryFs, type MemoryFsOptions } from './memory-fs.js'
