/** What takes longer is answered by a stream. */
const SOON_MS = 100
const SPACE = new TextEncoder().encode('\n')

/**
 * `value` as JSON. One that is not there soon comes at the end of a stream, with empty lines before it, which JSON allows: they keep
 * connections open that would end for silence, and only a stream tells when its reader has left (`onLeave`).
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
  // Who compresses on the way holds the empty lines back: nobody has them, and nobody notices that the reader has left.
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store, no-transform', 'content-encoding': 'identity' }
  return new Response(body, { headers })
}
