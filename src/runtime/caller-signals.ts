interface Watch {
  readonly calls: Set<() => void>
  readonly tell: () => void
}

/**
 * Adds one listener per signal for all calls that use the signal, because Node warns about more than ten listeners. The last call removes
 * the listener.
 */
export class CallerSignals {
  readonly #watches = new Map<AbortSignal, Watch>()

  watch(signal: AbortSignal, onAbort: () => void): void {
    const known = this.#watches.get(signal)
    if (known) {
      known.calls.add(onAbort)
      return
    }
    const calls = new Set([onAbort])
    const tell = (): void => {
      for (const call of [...calls]) call()
    }
    this.#watches.set(signal, { calls, tell })
    signal.addEventListener('abort', tell)
  }

  forget(signal: AbortSignal, onAbort: () => void): void {
    const watch = this.#watches.get(signal)
    if (!watch?.calls.delete(onAbort) || watch.calls.size > 0) return
    this.#watches.delete(signal)
    signal.removeEventListener('abort', watch.tell)
  }
}
