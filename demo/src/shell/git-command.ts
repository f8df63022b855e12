import type { ShellCommand, Workspace } from 'toolport'
import { gitCommand } from 'toolport/adapters/git'
import { giveBuffer } from '../give-buffer.js'

/** Author of commits, unless `git config` sets one. */
const AUTHOR = { name: 'Playground', email: 'playground@localhost' }

const DIALOG = 'press the workspace’s name in the header of the page'
const CLONE = `${DIALOG}, then "Git repository"`
/** Commands that need a server -> how to do the same on the page. */
const REMOTE: ReadonlyMap<string, string> = new Map([
  ['clone', `To clone as a new workspace, ${CLONE}.`],
  ['fetch', `To get what is new, clone again as a new workspace: ${CLONE}.`],
  ['pull', `To get what is new, clone again as a new workspace: ${CLONE}.`],
  ['push', `To push from elsewhere, export the workspace, its commits are in it: ${DIALOG}, then "Export".`],
])

/** `git` without network access. To clone a repository, the user creates a new workspace. */
export function pageGit(workspace: Workspace): ShellCommand {
  const git = gitCommand({ author: AUTHOR, filters: 'ignore' })(workspace)
  return {
    ...git,
    async run(args, context) {
      const verb = verbOf(args)
      const way = REMOTE.get(verb)
      if (way !== undefined) return { stderr: `git ${verb}: There is no network in this terminal. ${way}\n`, exitCode: 128 }
      await giveBuffer()
      return git.run(args, context)
    },
  }
}

/** The subcommand, after git's global options, two of which take a value. */
function verbOf(args: readonly string[]): string {
  let at = 0
  while (args[at]?.startsWith('-')) at += args[at] === '-C' || args[at] === '-c' ? 2 : 1
  return args[at] ?? ''
}
