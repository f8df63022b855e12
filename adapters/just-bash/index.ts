export type { JustBashModule } from './library.js'
export type { JustBashLimits } from './limits.js'
export { createJustBashShell, type JustBashShellOptions } from './shell.js'
