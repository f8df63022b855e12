export { type GitCommandOptions, gitCommand } from './command/index.js'
export { createGit } from './create-git.js'
export type { GitModule } from './library.js'
export type * from './types.js'
