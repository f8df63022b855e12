// Timers, immediates, ticks: the host asks what is due, and lets one run at a time, because promise jobs run between them.
function createTimers(host, fatal) {
  /** By id; insertion order is the order of equal times. */
  const active = new Map()
  const immediates = []
  let batch = []
  const ticks = []
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
  /** Times are whole: timers of one time run in their order, as Node's lists do. */
  const arm = (timer) => {
    timer._state.at = Math.floor(now()) + timer._idleTimeout
    timer._state.order = ++order
    active.set(timer._state.id, timer)
  }
  const clear = (timer) => {
    if (timer instanceof Timeout) {
      timer._repeat = null
      active.delete(timer._state.id)
    } else if (timer instanceof Immediate) timer._onImmediate = null
    else if (timer !== undefined && timer !== null) {
      const found = active.get(Number(timer))
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
  const earliest = (due) => {
    let first
    for (const timer of active.values()) {
      const { at, order } = timer._state
      if (at <= due && (!first || at < first._state.at || (at === first._state.at && order < first._state.order))) first = timer
    }
    return first
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
    /** Whether any ran. */
    runTicks() {
      if (ticks.length === 0) return false
      while (ticks.length > 0) {
        const [callback, args] = ticks.shift()
        guarded(callback, undefined, args)
        if (host.ended) break
      }
      return true
    },
    due() {
      let next = Infinity
      let referenced = false
      for (const { _state } of active.values()) {
        next = Math.min(next, _state.at)
        referenced ||= _state.referenced
      }
      const immediate = immediates.length > 0
      return {
        ms: next === Infinity ? -1 : Math.max(0, next - now()),
        immediate,
        alive: referenced || immediates.some(({ _onImmediate, _state }) => _onImmediate && _state.referenced),
      }
    },
    runTimer() {
      const timer = earliest(now())
      if (!timer) return false
      const { _state: state } = timer
      active.delete(state.id)
      guarded(timer._onTimeout, timer, state.args)
      if (timer._repeat !== null && !active.has(state.id)) arm(timer)
      return true
    },
    /** Those that are queued meanwhile run in the next round. */
    runImmediate() {
      if (batch.length === 0) {
        batch = immediates.splice(0)
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
