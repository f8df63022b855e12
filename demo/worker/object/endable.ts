/** A response that can be ended from here. */
export interface Endable {
  readonly response: Response
  end(): Promise<void>
}

/** The same response; `onOver` is called when it has been read, has failed or is not read any more. */
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
  // What waits to be read has its end then, as at the end of the stream.
  return { response: new Response(body, response), end: () => reader.cancel() }
}

export const hasBody = (response: Response): response is Response & { readonly body: ReadableStream<Uint8Array> } => response.body !== null
