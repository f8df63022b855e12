/** The same response; `done` is called when somebody has read all of it, or leaves before. */
export function whenRead(response: Response, done: () => void): Response {
  if (!response.body) {
    done()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const step = await reader.read()
        if (!step.done) return controller.enqueue(step.value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      done()
    },
    async cancel(reason) {
      done()
      await reader.cancel(reason)
    },
  })
  return new Response(body, response)
}
