interface Network {
  readonly connection?: { readonly saveData?: boolean }
}

/** Registers the service worker for offline use when the page is idle. Skipped in data-saving mode. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || (navigator as Network).connection?.saveData) return
  const register = (): void => {
    // The page works without offline support.
    void navigator.serviceWorker.register(new URL('offline-worker.js', document.baseURI)).catch(() => undefined)
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(register)
  else setTimeout(register)
}
