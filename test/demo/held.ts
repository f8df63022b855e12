import { vi } from 'vitest'

/** A promise, and the function that resolves it. */
export function held(): { readonly free: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const free = new Promise<void>((resolve) => {
    release = resolve
  })
  return { free, release }
}

/** Makes calls of a method wait until the returned function is called. */
export function holdCalls<T extends object>(target: T, method: keyof T & string): () => void {
  const { free, release } = held()
  const own = target[method] as (...args: unknown[]) => unknown
  vi.spyOn(target as Record<string, (...args: unknown[]) => unknown>, method).mockImplementation(async (...args) => {
    await free
    return own.apply(target, args)
  })
  return release
}
