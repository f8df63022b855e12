import type { Post } from './task.js'

const ATTEMPTS = 3

/** Sends messages from the host to a program, as numbered files. */
export interface Inbox {
  /** Resolves when the program can read the message. @throws errors of the container */
  post(post: Post): Promise<void>
}

/** Writes one message after the other: while a number is missing, the program reads no later message. */
export function createInbox(write: (name: string, text: string) => Promise<void>): Inbox {
  let last: Promise<unknown> = Promise.resolve()
  let posts = 0

  async function put(text: string): Promise<void> {
    const name = `${posts + 1}.json`
    for (let attempt = 1; ; attempt++) {
      try {
        await write(name, text)
        posts++
        return
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
      }
    }
  }

  return {
    post(post) {
      // The line break marks the file as complete.
      const text = `${JSON.stringify(post)}\n`
      const posted = last.then(() => put(text))
      last = posted.catch(() => undefined)
      return posted
    },
  }
}
