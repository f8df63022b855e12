import type { ShellCommand } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { GitCommandOptions } from './session.js'

export type { GitCommandOptions } from './session.js'

/** Loaded with the first call: most shells never run it. */
const load = (): Promise<typeof import('./run.js')> => import('./run.js')

/**
 * The command `git` for a virtual shell, over isomorphic-git: `createJustBashShell({ commands: [gitCommand({ author })] })`. It works in the
 * repository that the current directory is in. What git has and this does not is refused with what there is.
 *
 * Commits are those of the environment (`GIT_AUTHOR_NAME`), of the configuration (`git config user.name`), of `author`, or of the user of the
 * shell, in this order.
 */
export function gitCommand(options: GitCommandOptions = {}): (workspace: Workspace) => ShellCommand {
  return (workspace) => ({
    name: 'git',
    about: 'versions of files: init, add, commit, status, diff, log, branch, checkout, restore, reset and more',
    run: async (args, context) => (await load()).runGit(args, { options, workspace, context }),
  })
}
