import type { ShellCommand } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { GitCommandOptions } from './session.js'

export type { GitCommandOptions } from './session.js'

/** Loads the implementation on the first call, because most shells never run git. */
const load = (): Promise<typeof import('./run.js')> => import('./run.js')

/**
 * Creates the command `git` for a virtual shell, based on isomorphic-git: `createJustBashShell({ commands: [gitCommand({ author })] })`.
 * The command works on the repository that contains the current directory. For unsupported features, it fails with a message that lists the
 * available ones.
 *
 * The author of commits comes from the environment (`GIT_AUTHOR_NAME`), the configuration (`git config user.name`), `author`, or the user
 * of the shell, in this order.
 */
export function gitCommand(options: GitCommandOptions = {}): (workspace: Workspace) => ShellCommand {
  return (workspace) => ({
    name: 'git',
    about: 'versions of files: init, add, commit, status, diff, log, branch, checkout, restore, reset and more',
    run: async (args, context) => (await load()).runGit(args, { options, workspace, context }),
  })
}
