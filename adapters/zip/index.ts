export { type ReadZipOptions, readZip } from './read-zip.js'
export { type WriteZipOptions, writeZip } from './write-zip.js'
