interface Network {
  readonly connection?: { readonly saveData?: boolean }
}

/** Keeps the page's files for visits without a network, when there is nothing else to do. Not where data are to be saved. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || (navigator as Network).connection?.saveData) return
  const register = (): void => {
    // A page that cannot be kept works all the same.
    void navigator.serviceWorker.register(new URL('offline-worker.js', document.baseURI)).catch(() => undefined)
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(register)
  else setTimeout(register)
}
