/** A response whose body the server can end early. */
export interface Endable {
  readonly response: Response
  end(): Promise<void>
}

/** Wraps the response. Calls `onOver` when the body is fully read, fails or is cancelled. */
export function endable(response: Response & { readonly body: ReadableStream<Uint8Array> }, onOver: () => void): Endable {
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
        if (!more) onOver()
      }
    },
    async cancel(reason) {
      onOver()
      await reader.cancel(reason)
    },
  })
  // Cancelling the reader resolves a pending read as done, like a normal end of the stream.
  return { response: new Response(body, response), end: () => reader.cancel() }
}

export const hasBody = (response: Response): response is Response & { readonly body: ReadableStream<Uint8Array> } => response.body !== null
