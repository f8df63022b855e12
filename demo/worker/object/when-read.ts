const STILL_HERE = new TextEncoder().encode(': still here\n\n')

export interface Reading {
  /** Somebody has read all of it, or has left before. */
  done(): void
  /** Who reads has left. */
  readonly signal?: AbortSignal
  /** Silence on an event stream after which a comment is sent: only by what is sent is it known that a reader has left. */
  readonly heartbeatMs: number
}

/** The same response, whose reading is watched. */
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
