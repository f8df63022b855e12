import type { Answer } from './step.js'

/** Returns a promise that rejects with the reason of the signal when the caller aborts. */
export function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal?.reason)
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** The events of an answer. `content` always comes first. `end` follows unless the answer stalls or fails; `failed` follows if it fails. */
export interface AnswerEvents<Event> {
  readonly content: readonly Event[]
  readonly end: readonly Event[]
  readonly failed: readonly Event[]
}

export function streamOf<Event>(
  answer: Answer,
  events: AnswerEvents<Event>,
  signal: AbortSignal | null | undefined,
): ReadableStream<Event> {
  const queue = [...events.content, ...(answer.error ? events.failed : answer.stall ? [] : events.end)]
  return new ReadableStream<Event>(
    {
      async pull(controller) {
        if (signal?.aborted) throw signal.reason
        const next = queue.shift()
        if (next !== undefined) return controller.enqueue(next)
        if (answer.error?.status === 0) throw new TypeError(answer.error.message)
        if (answer.stall) await aborted(signal)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
