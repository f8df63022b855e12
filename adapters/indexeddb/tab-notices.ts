/** Notifies read-only tabs of changes. In browsers without BroadcastChannel, such a tab notices changes at its next read. */
export class Notices {
  #channel: BroadcastChannel | undefined

  /** @param onChange called after the writing tab has changed something */
  constructor(name: string, onChange?: () => void) {
    this.#channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined
    if (this.#channel && onChange) this.#channel.onmessage = () => onChange()
  }

  tell(): void {
    this.#channel?.postMessage('changed')
  }

  /** Closes the channel. After that, `tell` does nothing; the last transaction may still call it. */
  close(): void {
    this.#channel?.close()
    this.#channel = undefined
  }
}
