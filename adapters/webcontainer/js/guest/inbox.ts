/**
 * Needs `task`, `folder`, `rest`. Defines `createInbox`: an inbox reads the host's messages, and keeps the process alive while a reader
 * needs messages.
 */
export const INBOX: string = String.raw`
const FIRST_MS = 2
const LONGEST_MS = 50

function createInbox(hear) {
  const { readFileSync, rmSync } = fs
  const { setTimeout, clearTimeout } = globalThis
  const needs = new Set()
  let next = 1
  let quiet = 0
  let timer

  // A file that is still being written has no line end.
  function post() {
    try {
      const text = readFileSync(folder + next + '.json', 'utf8')
      if (!text.endsWith('\n')) return undefined
      rmSync(folder + next + '.json', { force: true })
      next++
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }

  function take() {
    let some = false
    for (let message = post(); message !== undefined; message = post()) {
      some = true
      hear(message)
    }
    quiet = some ? 0 : quiet + 1
    return some
  }

  function watch() {
    timer ??= setTimeout(() => {
      timer = undefined
      take()
      if (needs.size > 0) watch()
    }, Math.min(LONGEST_MS, FIRST_MS + quiet))
  }

  return {
    need(who) {
      if (needs.has(who)) return
      needs.add(who)
      quiet = 0
      watch()
    },
    free(who) {
      needs.delete(who)
      if (needs.size > 0) return
      clearTimeout(timer)
      timer = undefined
    },
    // For a reader that does not give way.
    wait() {
      while (!take()) rest(Math.min(LONGEST_MS, FIRST_MS + quiet))
    },
  }
}
`
