// The engine has no hook for `await`. So a store follows the callbacks of promises, timers and ticks, but is lost after an `await`.
const { timers } = internal
let current = new Map()

const inContext =
  (context, body) =>
  (...given) => {
    const before = current
    current = context
    try {
      return body(...given)
    } finally {
      current = before
    }
  }
const bound = (body) => (typeof body === 'function' && current.size > 0 ? inContext(current, body) : body)

const { prototype } = Promise
const then = prototype.then
Object.defineProperty(prototype, 'then', {
  value: {
    // biome-ignore lint/suspicious/noThenProperty: it replaces the method.
    then(fulfilled, rejected) {
      return Reflect.apply(then, this, [bound(fulfilled), bound(rejected)])
    },
  }.then,
  writable: true,
  configurable: true,
})
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
  const original = globalThis[name]
  const wrapped = { [name]: (callback, ...given) => original(bound(callback), ...given) }[name]
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original))
  Object.defineProperty(globalThis, name, { value: wrapped, writable: true, configurable: true })
}
const { nextTick } = timers
process.nextTick = (callback, ...given) => nextTick(bound(callback), ...given)

class AsyncLocalStorage {
  static bind(body) {
    return inContext(current, body)
  }
  static snapshot() {
    return inContext(current, (body, ...given) => body(...given))
  }
  getStore() {
    return current.get(this)
  }
  run(store, body, ...given) {
    return inContext(new Map(current).set(this, store), body)(...given)
  }
  exit(body, ...given) {
    return this.run(undefined, body, ...given)
  }
  enterWith(store) {
    current = new Map(current).set(this, store)
  }
  disable() {
    current = new Map(current)
    current.delete(this)
  }
}

let last = 1
class AsyncResource {
  #context = current
  #id = ++last
  constructor(type) {
    this.type = type
  }
  static bind(body, type) {
    return new AsyncResource(type ?? 'bound-anonymous-fn').bind(body)
  }
  bind(body) {
    return inContext(this.#context, body)
  }
  runInAsyncScope(body, self, ...given) {
    return inContext(this.#context, () => Reflect.apply(body, self, given))()
  }
  emitDestroy() {
    return this
  }
  asyncId() {
    return this.#id
  }
  triggerAsyncId() {
    return 1
  }
}

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => ({
    enable() {
      return this
    },
    disable() {
      return this
    },
  }),
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
}
