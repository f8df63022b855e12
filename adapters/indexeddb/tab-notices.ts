/** Tells the other tabs that look on that something has changed. Where a browser has no channels, they find out when they look. */
export class Notices {
  #channel: BroadcastChannel | undefined

  /** @param onChange told when the one who writes has changed something */
  constructor(name: string, onChange?: () => void) {
    this.#channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined
    if (this.#channel && onChange) this.#channel.onmessage = () => onChange()
  }

  tell(): void {
    this.#channel?.postMessage('changed')
  }

  /** Telling after it is nothing: it may come while the last transaction ends. */
  close(): void {
    this.#channel?.close()
    this.#channel = undefined
  }
}
