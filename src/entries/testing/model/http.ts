import { anthropic } from './anthropic.js'
import type { Dialect, ServerEvent } from './dialect.js'
import { openAiChat } from './openai-chat.js'
import { openAiResponses } from './openai-responses.js'
import { type Fields, fieldsOf, inputOf, listOf } from './request.js'
import type { Script } from './script.js'
import type { Answer } from './step.js'
import { aborted, streamOf } from './streaming.js'

const DIALECTS: readonly Dialect[] = [openAiChat, openAiResponses, anthropic]

/** Answers the requests of OpenAI and Anthropic clients. Chooses the API by the path, and ignores the host. */
export function modelFetch(script: Script): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    // Read the signal from the arguments, because in some runtimes the new `Request` has none.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    if (signal?.aborted) throw signal.reason
    const { pathname } = new URL(request.url)
    const dialect = DIALECTS.find(({ path }) => pathname.endsWith(path))
    if (!dialect || request.method !== 'POST') return json(404, { error: { message: unknown(request.method, pathname) } })
    const body = fieldsOf(inputOf(await request.text()))
    const stream = body.stream === true
    const { api } = dialect
    const tools = listOf(body.tools).map((tool) => String(dialect.tool(tool)))
    let answer: Answer
    try {
      answer = await script.answer({ api, stream, messages: dialect.messages(body), tools, body, signal: signal ?? undefined })
    } catch (error) {
      // Return a response instead of rejecting, because clients retry a lost connection.
      const message = error instanceof Error ? error.message : String(error)
      return json(400, dialect.failure({ status: 400, message, headers: {} }))
    }
    return respond(dialect, answer, body, stream, signal)
  }
}

async function respond(
  dialect: Dialect,
  answer: Answer,
  body: Fields,
  stream: boolean,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const { error, pieces, stall } = answer
  if (error && !(stream && pieces.length > 0)) {
    if (error.status === 0) throw new TypeError(error.message)
    return json(error.status, dialect.failure(error), error.headers)
  }
  if (!stream) {
    if (stall) await aborted(signal)
    return json(200, dialect.answer(answer, body))
  }
  const { content, end } = dialect.events(answer, body)
  const failed = error?.status ? [dialect.failed(error)] : []
  const events = { content: content.map(encoded), end: end.map(encoded), failed: failed.map(encoded) }
  return new Response(streamOf(answer, events, signal), { headers: { 'content-type': 'text/event-stream' } })
}

const unknown = (method: string, path: string): string =>
  `Cannot answer ${method} ${path}: the scripted model answers POST to ${DIALECTS.map(({ path }) => `.../${path.slice(1)}`).join(', ')}`

const json = (status: number, body: Fields, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

function encoded({ event, data }: ServerEvent): Uint8Array<ArrayBuffer> {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return new TextEncoder().encode(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`) as Uint8Array<ArrayBuffer>
}
