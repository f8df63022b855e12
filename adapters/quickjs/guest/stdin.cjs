const { EventEmitter } = require('events')

/** Creates `process.stdin`: a readable stream with the features that programs use. */
function createStdin(host, timers, given) {
  const stdin = new EventEmitter()
  const chunks = given.text ? [given.text] : []
  let closed = given.closed
  let flowing = false
  let ended = false
  let encoding
  let scheduled = false
  const readers = []
  const wants = () => host.raw('wants', String(!ended && (flowing || readers.length > 0)))
  const shaped = (text) => (encoding ? text : globalThis.Buffer.from(text))
  const pump = () => {
    scheduled = false
    while (readers.length > 0 && chunks.length > 0) readers.shift()({ value: shaped(chunks.shift()), done: false })
    while (flowing && chunks.length > 0) stdin.emit('data', shaped(chunks.shift()))
    if (chunks.length > 0 && stdin.listenerCount('readable') > 0) stdin.emit('readable')
    if (closed && chunks.length === 0) {
      for (const resolve of readers.splice(0)) resolve({ value: undefined, done: true })
      if (!ended && (flowing || stdin.listenerCount('readable') > 0)) {
        ended = true
        if (stdin.listenerCount('readable') > 0) stdin.emit('readable')
        stdin.emit('end')
        stdin.emit('close')
      }
    }
    wants()
  }
  const schedule = () => {
    wants()
    if (scheduled) return
    scheduled = true
    timers.nextTick(pump)
  }
  const next = () =>
    new Promise((resolve) => {
      readers.push(resolve)
      schedule()
    })
  stdin.on('newListener', (name) => {
    if (name === 'data') stdin.resume()
    if (name === 'readable') {
      flowing = false
      schedule()
      host.raw('wants', String(!ended))
    }
  })
  Object.assign(stdin, {
    fd: 0,
    isTTY: undefined,
    readable: true,
    setEncoding(name = 'utf8') {
      encoding = name
      return stdin
    },
    resume() {
      flowing = true
      schedule()
      return stdin
    },
    pause() {
      flowing = false
      wants()
      return stdin
    },
    isPaused: () => !flowing,
    read() {
      if (chunks.length === 0) return null
      return shaped(chunks.splice(0).join(''))
    },
    ref: () => stdin,
    unref: () => stdin,
    setRawMode: () => stdin,
    destroy() {
      ended = true
      wants()
      return stdin
    },
    pipe(target) {
      stdin.on('data', (chunk) => target.write(chunk))
      if (target !== globalThis.process.stdout && target !== globalThis.process.stderr) stdin.on('end', () => target.end())
      return target
    },
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => ({ value: undefined, done: true }),
      [Symbol.asyncIterator]() {
        return this
      },
    }),
  })
  const hidden = {
    /** Receives JSON: more input, or null at the end of the input. */
    __feed(json) {
      const text = JSON.parse(json)
      if (text === null) closed = true
      else chunks.push(text)
      schedule()
    },
    /** Takes all available input, for `readFileSync(0)`. */
    __all: () => chunks.splice(0).join(''),
  }
  for (const [key, value] of Object.entries(hidden)) Object.defineProperty(stdin, key, { value, enumerable: false })
  return stdin
}

module.exports = { createStdin }
