const waiting = (start, clear) =>
  function wait(ms, value, { signal, ref = true } = {}) {
    return new Promise((resolve, reject) => {
      const aborted = () => {
        clear(timer)
        reject(Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' }))
      }
      const timer = start(() => {
        signal?.removeEventListener('abort', aborted)
        resolve(value)
      }, ms)
      if (!ref) timer.unref()
      if (signal?.aborted) aborted()
      else signal?.addEventListener('abort', aborted, { once: true })
    })
  }
const immediate = waiting((body) => setImmediate(body), clearImmediate)
const timeout = waiting(setTimeout, clearTimeout)

async function* interval(ms, value, options) {
  for (;;) yield await timeout(ms, value, options)
}

module.exports = {
  setTimeout: timeout,
  setImmediate: (value, options) => immediate(0, value, options),
  setInterval: interval,
  scheduler: { wait: (ms, options) => timeout(ms, undefined, options), yield: () => immediate(0) },
}
