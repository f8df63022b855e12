const STILL_HERE = new TextEncoder().encode(': still here\n\n')

export interface Reading {
  /** Called once the body was fully read, failed or was cancelled. */
  done(): void
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal
  /** After this much silence an event stream gets a comment: only a failed write reveals that the reader has disconnected. */
  readonly heartbeatMs: number
}

/** Wraps the response so that `reading.done` is called when the body of the response ends. */
export function whenRead(response: Response, reading: Reading): Response {
  if (!response.body) {
    reading.done()
    return response
  }
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return new Response(watched(response.body.getReader(), isEvents, reading), response)
}

function watched(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  isEvents: boolean,
  { done, signal, heartbeatMs }: Reading,
): ReadableStream<Uint8Array> {
  let heartbeat: ReturnType<typeof setInterval> | null = null
  const end = (): void => {
    if (heartbeat !== null) clearInterval(heartbeat)
    done()
  }
  const leave = async (reason: unknown): Promise<void> => {
    end()
    await reader.cancel(reason)
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (isEvents) heartbeat = setInterval(() => Number(controller.desiredSize) > 0 && controller.enqueue(STILL_HERE), heartbeatMs)
      const onAbort = (): void => void leave(signal?.reason).catch(() => {})
      if (signal?.aborted) onAbort()
      else signal?.addEventListener('abort', onAbort, { once: true })
    },
    async pull(controller) {
      try {
        const step = await reader.read()
        if (!step.done) return controller.enqueue(step.value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      end()
    },
    cancel: leave,
  })
}
