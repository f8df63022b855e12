/**
 * Wraps a response. Calls `close` once, when the body was fully read, failed or was cancelled. Ignores errors of `close`, because they do
 * not concern the reader.
 */
export function closingAfter(response: Response, close: () => Promise<void>): Response {
  let closing: Promise<void> | undefined
  const closeOnce = (): Promise<void> => {
    closing ??= close().catch(() => {})
    return closing
  }
  if (!response.body) {
    void closeOnce()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let more = false
      try {
        const { done, value } = await reader.read()
        more = !done
        if (done) controller.close()
        else controller.enqueue(value)
      } finally {
        if (!more) await closeOnce()
      }
    },
    async cancel(reason) {
      try {
        await reader.cancel(reason)
      } finally {
        await closeOnce()
      }
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
