/** Something to wait for, and what ends it. */
export function held(): { readonly free: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const free = new Promise<void>((resolve) => {
    release = resolve
  })
  return { free, release }
}
