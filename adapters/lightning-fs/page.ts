/** What tells that the page may end: `document` and `window`, as far as they are there. A worker has neither, and is told nothing. */
interface PageLike {
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly window?: EventTarget
}

/** Calls `leave` whenever the page is hidden or left, until the returned function is called. */
export function onLeaving(leave: () => void): () => void {
  const { document, window }: PageLike = globalThis
  const hidden = (): void => {
    if (document?.visibilityState === 'hidden') leave()
  }
  document?.addEventListener('visibilitychange', hidden)
  window?.addEventListener('pagehide', leave)
  return () => {
    document?.removeEventListener('visibilitychange', hidden)
    window?.removeEventListener('pagehide', leave)
  }
}
