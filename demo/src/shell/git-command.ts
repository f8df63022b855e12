import type { ShellCommand, Workspace } from 'toolport'
import { gitCommand } from 'toolport/adapters/git'
import { giveBuffer } from '../give-buffer.js'

/** Whose commits are made here, where `git config` says nothing else. */
const AUTHOR = { name: 'Playground', email: 'playground@localhost' }

/** `git`, without a network: a repository is cloned as a new workspace. */
export function pageGit(workspace: Workspace): ShellCommand {
  const git = gitCommand({ author: AUTHOR })(workspace)
  return {
    ...git,
    async run(args, context) {
      await giveBuffer()
      return git.run(args, context)
    },
  }
}
