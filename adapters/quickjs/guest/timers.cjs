const { createActive } = require('./active-timers.cjs')
const { createQueue } = require('./queue.cjs')

// Timers, immediates and ticks. The host asks what is due and runs one at a time, because promise jobs run in between.
function createTimers(host, fatal) {
  const active = createActive()
  const immediates = []
  const batch = createQueue()
  const ticks = createQueue()
  let last = 0
  const now = () => Number(host.raw('clock'))

  class Timeout {
    constructor(callback, ms, args, repeat) {
      ms = Number(ms)
      if (!(ms >= 1 && ms <= 2 ** 31 - 1)) ms = 1
      Object.assign(this, { _onTimeout: callback, _idleTimeout: Math.trunc(ms), _repeat: repeat ? Math.trunc(ms) : null })
      Object.defineProperty(this, '_state', { value: { id: ++last, args, referenced: true, at: 0, order: 0 }, enumerable: false })
      arm(this)
    }
    ref() {
      active.refer(this, true)
      return this
    }
    unref() {
      active.refer(this, false)
      return this
    }
    hasRef() {
      return this._state.referenced
    }
    refresh() {
      arm(this)
      return this
    }
    close() {
      clear(this)
      return this
    }
    [Symbol.toPrimitive]() {
      return this._state.id
    }
  }
  class Immediate {
    constructor(callback, args) {
      Object.defineProperty(this, '_state', { value: { args, referenced: true }, enumerable: false })
      this._onImmediate = callback
      immediates.push(this)
    }
    ref() {
      this._state.referenced = true
      return this
    }
    unref() {
      this._state.referenced = false
      return this
    }
    hasRef() {
      return this._state.referenced
    }
  }
  let order = 0
  /**
   * Starts a timer. Rounds the time to whole milliseconds, so that timers of the same millisecond run in the order of their creation, as in
   * Node.
   */
  const arm = (timer) => {
    timer._state.at = Math.floor(now()) + timer._idleTimeout
    timer._state.order = ++order
    active.add(timer)
  }
  const clear = (timer) => {
    if (timer instanceof Timeout) {
      timer._repeat = null
      active.delete(timer)
    } else if (timer instanceof Immediate) timer._onImmediate = null
    else if (timer !== undefined && timer !== null) {
      const found = active.find(Number(timer))
      if (found) clear(found)
    }
  }
  const check = (callback, name = 'callback') => {
    if (typeof callback === 'function') return
    const error = new TypeError(
      `The "${name}" argument must be of type function. Received ${callback === null ? 'null' : typeof callback === 'undefined' ? 'undefined' : `type ${typeof callback} (${String(callback)})`}`,
    )
    error.code = 'ERR_INVALID_ARG_TYPE'
    throw error
  }
  const guarded = (callback, self, args) => {
    try {
      Reflect.apply(callback, self, args)
    } catch (error) {
      fatal(error)
    }
  }
  return {
    setTimeout(callback, ms, ...args) {
      check(callback)
      return new Timeout(callback, ms, args, false)
    },
    setInterval(callback, ms, ...args) {
      check(callback)
      return new Timeout(callback, ms, args, true)
    },
    setImmediate(callback, ...args) {
      check(callback)
      return new Immediate(callback, args)
    },
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    queueMicrotask(callback) {
      check(callback)
      Promise.resolve().then(() => guarded(callback, undefined, []))
    },
    nextTick(callback, ...args) {
      check(callback)
      ticks.push([callback, args])
    },
    /** Runs all ticks. Returns whether there were any. */
    runTicks() {
      if (ticks.length === 0) return false
      for (let tick = ticks.shift(); tick && !host.ended; tick = ticks.shift()) guarded(tick[0], undefined, tick[1])
      return true
    },
    due() {
      const next = active.first()
      const immediate = immediates.length > 0
      return {
        ms: next === undefined ? -1 : Math.max(0, next._state.at - now()),
        immediate,
        alive: active.referenced > 0 || immediates.some(({ _onImmediate, _state }) => _onImmediate && _state.referenced),
      }
    },
    runTimer() {
      const timer = active.first()
      if (!timer || timer._state.at > now()) return false
      active.delete(timer)
      guarded(timer._onTimeout, timer, timer._state.args)
      if (timer._repeat !== null && !active.has(timer)) arm(timer)
      return true
    },
    /** Runs one immediate. Returns whether more are left in this round. Immediates that it queues run in the next round. */
    runImmediate() {
      if (batch.length === 0) {
        for (const immediate of immediates.splice(0)) batch.push(immediate)
        if (batch.length === 0) return false
      }
      const immediate = batch.shift()
      if (immediate._onImmediate) guarded(immediate._onImmediate, immediate, immediate._state.args)
      return batch.length > 0
    },
    now,
  }
}

module.exports = { createTimers }
