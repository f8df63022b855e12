/**
 * Loads a module when it is first needed, so that it is a chunk of its own in a bundle. Once it is there the answer is no promise: an
 * `await` of `import()` costs microseconds each time.
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
