export { createNodeFs, type NodeFsOptions } from './fs.js'
