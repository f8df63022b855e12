const channels = new Map()

class Channel {
  #subscribers = []
  #stores = new Map()
  constructor(name) {
    this.name = name
  }
  get hasSubscribers() {
    return this.#subscribers.length > 0 || this.#stores.size > 0
  }
  subscribe(subscriber) {
    this.#subscribers = [...this.#subscribers, subscriber]
  }
  unsubscribe(subscriber) {
    const before = this.#subscribers
    this.#subscribers = before.filter((one) => one !== subscriber)
    return this.#subscribers.length < before.length
  }
  publish(message) {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(message, this.name)
      } catch (error) {
        process.nextTick(() => {
          throw error
        })
      }
    }
  }
  bindStore(store, transform = (data) => data) {
    this.#stores.set(store, transform)
  }
  unbindStore(store) {
    return this.#stores.delete(store)
  }
  runStores(data, body, self, ...given) {
    let run = () => {
      this.publish(data)
      return Reflect.apply(body, self, given)
    }
    for (const [store, transform] of this.#stores) {
      const inner = run
      run = () => store.run(transform(data), inner)
    }
    return run()
  }
}

function channel(name) {
  if (!channels.has(name)) channels.set(name, new Channel(name))
  return channels.get(name)
}

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
function tracingChannel(given) {
  const all = Object.fromEntries(
    EVENTS.map((name) => [name, typeof given === 'string' ? channel(`tracing:${given}:${name}`) : given[name]]),
  )
  const failed = (context, error) => {
    context.error = error
    all.error.publish(context)
  }
  const traceSync = (body, context = {}, self, ...args) =>
    all.start.runStores(context, () => {
      try {
        context.result = Reflect.apply(body, self, args)
        return context.result
      } catch (error) {
        failed(context, error)
        throw error
      } finally {
        all.end.publish(context)
      }
    })
  return {
    ...all,
    get hasSubscribers() {
      return EVENTS.some((name) => all[name].hasSubscribers)
    },
    subscribe(handlers) {
      for (const name of EVENTS) if (handlers[name]) all[name].subscribe(handlers[name])
    },
    unsubscribe: (handlers) => EVENTS.every((name) => !handlers[name] || all[name].unsubscribe(handlers[name])),
    traceSync,
    tracePromise: (body, context = {}, self, ...args) =>
      traceSync(
        () =>
          Promise.resolve(Reflect.apply(body, self, args)).then(
            (result) => {
              context.result = result
              all.asyncStart.publish(context)
              all.asyncEnd.publish(context)
              return result
            },
            (error) => {
              failed(context, error)
              throw error
            },
          ),
        context,
      ),
  }
}

module.exports = {
  Channel,
  channel,
  hasSubscribers: (name) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name, subscriber) => channel(name).subscribe(subscriber),
  unsubscribe: (name, subscriber) => channel(name).unsubscribe(subscriber),
  tracingChannel,
}
