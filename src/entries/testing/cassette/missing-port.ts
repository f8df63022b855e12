/** Creates a stand-in for an adapter that a replay does not need. Each method rejects, for example if an update sends a changed request. */
export const missing = <Adapter extends object>(port: string): Adapter =>
  new Proxy({} as Adapter, {
    get: () => () =>
      Promise.reject(new Error(`Cannot record: the runtime has no ${port} adapter. Pass its option "${port}", or replay the cassette.`)),
  })
