/** Ends a command: what it says, as git says it, and its status. */
export class GitFault extends Error {
  readonly status: number

  constructor(message: string, status = 128) {
    super(message)
    this.status = status
  }
}

export const fatal = (message: string): GitFault => new GitFault(`fatal: ${message}`)
