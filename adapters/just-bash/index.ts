export { createJustBashShell, type JustBashShellOptions } from './shell.js'
