export { createNodeFs, type NodeFsOptions } from './fs.js'
export { createNodeShell, type NodeShellOptions } from './shell/shell.js'
