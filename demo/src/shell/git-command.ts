import type { ShellCommand, Workspace } from 'toolport'
import { gitCommand } from 'toolport/adapters/git'
import { giveBuffer } from '../give-buffer.js'

/** Whose commits are made here, where `git config` says nothing else. */
const AUTHOR = { name: 'Playground', email: 'playground@localhost' }

const DIALOG = 'press the workspace’s name in the header of the page'
const CLONE = `${DIALOG}, then "Git repository"`
/** What asks a server, and where the page can do it. */
const REMOTE: ReadonlyMap<string, string> = new Map([
  ['clone', `To clone as a new workspace, ${CLONE}.`],
  ['fetch', `To get what is new, clone again as a new workspace: ${CLONE}.`],
  ['pull', `To get what is new, clone again as a new workspace: ${CLONE}.`],
  ['push', `To push from elsewhere, export the workspace, its commits are in it: ${DIALOG}, then "Export".`],
])

/** `git`, without a network: a repository is cloned as a new workspace. */
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

/** Behind the options that are git's own, two of which take a word. */
function verbOf(args: readonly string[]): string {
  let at = 0
  while (args[at]?.startsWith('-')) at += args[at] === '-C' || args[at] === '-c' ? 2 : 1
  return args[at] ?? ''
}
