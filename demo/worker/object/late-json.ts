/** Slower results are sent as a stream. */
const SOON_MS = 100
const SPACE = new TextEncoder().encode('\n')

/**
 * Responds with `value` as JSON. A slow value is sent at the end of a stream, after empty lines, which JSON allows. The empty lines keep
 * idle connections open, and only a stream reports that its reader has disconnected (`onLeave`).
 */
export async function lateJson(value: Promise<unknown>, heartbeatMs: number, onLeave: () => void): Promise<Response> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SOON_MS)
  })
  const soon = await Promise.race([value, late])
  clearTimeout(timer)
  return soon === undefined ? streamOf(value, heartbeatMs, onLeave) : Response.json(soon)
}

function streamOf(value: Promise<unknown>, heartbeatMs: number, onLeave: () => void): Response {
  let heartbeat: ReturnType<typeof setInterval> | null = null
  let left = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(SPACE)
      heartbeat = setInterval(() => Number(controller.desiredSize) > 0 && controller.enqueue(SPACE), heartbeatMs)
      void value.then((known) => {
        clearInterval(heartbeat)
        if (left) return
        controller.enqueue(new TextEncoder().encode(JSON.stringify(known)))
        controller.close()
      })
    },
    cancel() {
      left = true
      clearInterval(heartbeat)
      onLeave()
    },
  })
  // A compressing proxy would buffer the empty lines: the client would not receive them, and a disconnect would go unnoticed.
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store, no-transform', 'content-encoding': 'identity' }
  return new Response(body, { headers })
}
