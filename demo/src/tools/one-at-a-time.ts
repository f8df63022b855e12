/** Runs one task at a time, so that Cancel refers to the running one. */
export interface OneAtATime {
  readonly isBusy: boolean
  /** Runs a task and passes its result to `after`. Does nothing if another task is running. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, after: (given: T) => void | Promise<void>): Promise<void>
  cancel(): void
  /** Resolves when no task is running. Never rejects: `run` reports failures. */
  settled(): Promise<void>
}

/** `onChange` is called when a task starts or ends. */
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
