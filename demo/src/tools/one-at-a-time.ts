/** What can be cancelled is the one that runs, so there is one at a time. */
export interface OneAtATime {
  readonly isBusy: boolean
  /** Does some work, unless other work goes on. Resolves when it is done, and `after` with what it has given. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, after: (given: T) => void | Promise<void>): Promise<void>
  cancel(): void
  /** Resolves when nothing goes on; whatever became of it was told where it belongs. */
  settled(): Promise<void>
}

/** `onChange` is told when work begins and ends. */
export function createOneAtATime(onChange: (isBusy: boolean) => void): OneAtATime {
  let abort: AbortController | undefined
  let last: Promise<void> = Promise.resolve()

  async function alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    abort = controller
    onChange(true)
    try {
      return await work(controller.signal)
    } finally {
      abort = undefined
      onChange(false)
    }
  }

  return {
    get isBusy() {
      return abort !== undefined
    },
    async run(work, after) {
      if (abort) return
      last = alone(work).then(after)
      await last
    },
    cancel: () => abort?.abort(),
    settled: () => last.catch(() => undefined),
  }
}
