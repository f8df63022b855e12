import type { JsonValue, RuntimeEvent, ToolCall, ToolRuntime } from 'toolport'
import { readJson } from '../http/body.js'
import { HttpError } from '../http/errors.js'
import type { Settings } from '../settings.js'
import { EventStream } from './event-stream.js'
import { lateJson } from './late-json.js'
import type { Place } from './place.js'
import type { RunningCalls } from './running-calls.js'

const ID = /^[\w.:-]{1,128}$/

export interface Caller {
  readonly runtime: ToolRuntime
  readonly calls: RunningCalls
  readonly settings: Settings
}

/** One call that is about to run. */
interface Begun {
  readonly call: ToolCall & { readonly id: string }
  readonly place: Place
  /** Aborted when the client disconnects. */
  readonly stop: AbortController
}

/**
 * Runs the call in the body. Returns its result as JSON, or as the last event of a stream. The call is aborted when the client disconnects.
 */
export async function answerCall(request: Request, caller: Caller): Promise<Response> {
  const { runtime, calls, settings } = caller
  const begun = await begin(request, caller)
  if ((request.headers.get('accept') ?? '').toLowerCase().includes('text/event-stream')) return streamCall(begun, caller)
  const { call, place, stop } = begun
  return lateJson(calls.run(runtime, call, place, { stop }), settings.HEARTBEAT_MS, () => stop.abort())
}

/** @throws {HttpError} too_many_requests, invalid_call, id_in_use, and as `readJson` */
async function begin(request: Request, { calls, settings }: Caller): Promise<Begun> {
  const place = calls.reserve()
  try {
    const call = callOf(await readJson(request, settings))
    const stop = new AbortController()
    // Until there is a response only the request's signal reports a disconnect; after that only the response's stream does.
    if (request.signal.aborted) stop.abort()
    request.signal.addEventListener('abort', () => stop.abort())
    return { call: { ...call, id: calls.idFor(call) }, place, stop }
  } catch (error) {
    place.release()
    throw error
  }
}

/** @throws {HttpError} invalid_call */
function callOf(body: unknown): ToolCall {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('it has to be an object { name, input, id? }')
  const { name, input, id, ...others } = body as Readonly<Record<string, unknown>>
  const [other] = Object.keys(others)
  if (other !== undefined) throw invalid(`there is no "${other.slice(0, 100)}"; it takes "name", "input" and "id"`)
  if (typeof name !== 'string') throw invalid('"name" has to be the name of a tool')
  if (id !== undefined && !(typeof id === 'string' && ID.test(id)))
    throw invalid('"id" has to be 1 to 128 letters, digits, and ".", "_", ":", "-"')
  return { name, input: input ?? {}, ...(id !== undefined && { id }) }
}

const invalid = (why: string): HttpError => new HttpError(400, 'invalid_call', `The body is no call: ${why}`)

function streamCall({ call, place, stop }: Begun, { runtime, calls, settings }: Caller): Response {
  const events = new EventStream(settings.HEARTBEAT_MS, () => stop.abort())
  const stopListening = runtime.on(logsOf(call.id, events))
  const onProgress = (update: JsonValue): void => events.send(isOutput(update) ? 'output' : 'progress', update)
  void calls
    .run(runtime, call, place, { stop, onProgress })
    .then((result) => events.end('result', result))
    .finally(stopListening)
  return new Response(events.readable, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  })
}

/** Forwards the logs of a call and of its nested calls. */
function logsOf(callId: string, events: EventStream): (event: RuntimeEvent) => void {
  const ids = new Set([callId])
  return (event) => {
    if (event.type === 'call_start' && event.parentId !== undefined && ids.has(event.parentId)) ids.add(event.callId)
    if (event.type !== 'log' || !ids.has(event.callId)) return
    const { tool, message, data } = event
    events.send('log', { callId: event.callId, tool, message, ...(data !== undefined && { data }) })
  }
}

const isOutput = (update: JsonValue): boolean =>
  typeof update === 'object' && update !== null && 'stream' in update && ('text' in update || 'truncated' in update)
