/** The same response; `close` runs when its body has been read, or nobody reads it any more. */
export function closingAfter(response: Response, close: () => Promise<void>): Response {
  if (!response.body) {
    void close()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      controller.close()
      await close()
    },
    async cancel(reason) {
      await reader.cancel(reason)
      await close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
