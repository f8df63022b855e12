// Sends output and calls to the host in order, and receives events from it.
const PIECE = 2 ** 20
/** Once this many output calls are unanswered, the program waits until all of them are answered. */
const WINDOW = 8

export function createLine(host) {
  let queue = []
  const sent = new Set()
  const events = []
  const calls = []
  let wake
  const listen = async () => {
    for (;;) {
      const next = await host.next()
      if (!next) return
      events.push(...next)
      wake?.()
    }
  }
  // If the connection to the host breaks, stop the program: nobody needs its results any more.
  listen().catch(() => {
    events.push({ stop: 'abort' })
    wake?.()
  })
  const send = (pieces) => {
    const call = host.output(pieces).catch(() => undefined)
    sent.add(call)
    void call.then(() => sent.delete(call))
  }
  return {
    write(stream, text) {
      const last = queue.at(-1)
      if (last && last[0] === stream && last[1].length + text.length <= PIECE) last[1] += text
      else for (let at = 0; at === 0 || at < text.length; at += PIECE) queue.push([stream, text.slice(at, at + PIECE)])
    },
    /**
     * Calls the host in a turn of the event loop, because a program may ask during code in which the platform allows no calls.
     *
     * @param call `(host) => promise`
     */
    ask(call) {
      return new Promise((resolve, reject) => {
        calls.push(() => call(host).then(resolve, reject))
        wake?.()
      })
    },
    /** Sends all pending calls and output. */
    async pump() {
      for (const call of calls.splice(0)) call()
      const pieces = queue
      queue = []
      for (const piece of pieces) {
        send([piece])
        if (sent.size >= WINDOW) await Promise.all(sent)
      }
    },
    async flush() {
      await this.pump()
      await Promise.all(sent)
    },
    takeEvents: () => events.splice(0),
    get hasEvents() {
      return events.length > 0 || calls.length > 0
    },
    onEvent(next) {
      wake = next
    },
  }
}
