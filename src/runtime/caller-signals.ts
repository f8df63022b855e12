interface Watch {
  readonly calls: Set<() => void>
  readonly tell: () => void
}

/** One listener per signal for all its calls, because Node warns about the eleventh. Removed with the last call. */
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
