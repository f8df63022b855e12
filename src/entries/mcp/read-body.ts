/** Larger than allowed. */
export class BodyTooLarge extends Error {}

/** The JSON of a request. @throws {BodyTooLarge} @throws for what is no JSON, or breaks off */
export async function readBody(request: Request, maxBytes: number): Promise<unknown> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw new BodyTooLarge()
  const reader = request.body?.getReader()
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    const chunk: Uint8Array = step.value
    size += chunk.length
    if (size > maxBytes) {
      void reader?.cancel().catch(() => {})
      throw new BodyTooLarge()
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return JSON.parse(text + decoder.decode())
}
