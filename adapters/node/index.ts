export { createNodeFs, type NodeFsOptions } from './fs.js'
export type { PtyLike, PtyModuleLike, PtyOptionsLike } from './shell/pty.js'
export { createNodeShell, type NodeShellOptions } from './shell/shell.js'
export { createShellWorker, type ShellWorkerOptions } from './worker.js'
