/**
 * Loads a module on first use, so that a bundle puts it into a separate chunk. Returns the loaded module without a promise, because each
 * `await import()` costs microseconds.
 */
export function lazy<Module>(load: () => Promise<Module>): () => Module | Promise<Module> {
  let loaded: Module | undefined
  return () =>
    loaded ??
    load().then((module) => {
      loaded = module
      return module
    })
}
