/** Ends a command with a message in git's wording and an exit status. */
export class GitFault extends Error {
  readonly status: number

  constructor(message: string, status = 128) {
    super(message)
    this.status = status
  }
}

export const fatal = (message: string): GitFault => new GitFault(`fatal: ${message}`)
