import type { Post } from './task.js'

const ATTEMPTS = 3

/** What the host says to a program: files with running numbers. */
export interface Inbox {
  /** Resolves when it can be read. @throws what the container says */
  post(post: Post): Promise<void>
}

/** One after the other: a number that is missing would hide all that come after it. */
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
      // The line end says that it is whole.
      const text = `${JSON.stringify(post)}\n`
      const posted = last.then(() => put(text))
      last = posted.catch(() => undefined)
      return posted
    },
  }
}
