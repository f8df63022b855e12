/** In place of an adapter that a replay does not need. An update asks for it where something has changed. */
export const missing = <Adapter extends object>(port: string): Adapter =>
  new Proxy({} as Adapter, {
    get: () => () =>
      Promise.reject(new Error(`Cannot record: the runtime has no ${port} adapter. Pass its option "${port}", or replay the cassette.`)),
  })
