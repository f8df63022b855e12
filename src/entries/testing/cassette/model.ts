import { decodeUtf8 } from '../../../ops/utf8.js'
import { askedOf, bytesOf, recordedResponse } from './fetch.js'
import type { Tape } from './tape.js'
import { revive } from './values.js'

/** The methods of an AI SDK `LanguageModel` that send a request to the provider. */
export interface AskedModel {
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<unknown>
}

/** A `fetch` for a provider's client. Records each response as a whole, even if it is streamed. */
export function recordedModelFetch(tape: Tape, real: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const asked = askedOf({ url: request.url, method: request.method, body: await bodyOfRequest(request.clone()) })
    const recorded = await tape.play('model', asked, async () => {
      const response = await real(request, init?.signal ? { signal: init.signal } : undefined)
      const type = response.headers.get('content-type')
      const headers = { ...(type !== null && { 'content-type': type }), ...retryOf(response.headers) }
      return recordedResponse(response.status, headers, new Uint8Array(await response.arrayBuffer()))
    })
    const { status, headers } = recorded
    return new Response(status === 204 ? null : bytesOf(recorded), { status, headers: { ...headers } })
  }
}

/** The body of a request; undefined for an empty body. A form is recorded by its fields, because its text contains a random boundary. */
async function bodyOfRequest(request: Request): Promise<unknown> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length === 0 ? undefined : bytes
  }
  const fields = [...(await request.formData()).entries()] as readonly (readonly [string, string | File])[]
  return Promise.all(
    fields.map(async ([name, value]) => {
      if (typeof value === 'string') return { name, value }
      const bytes = new Uint8Array(await value.arrayBuffer())
      return { name, file: value.name, type: value.type, content: decodeUtf8(bytes) ?? bytes }
    }),
  )
}

function retryOf(headers: Headers): Readonly<Record<string, string>> {
  const names = ['retry-after', 'retry-after-ms']
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) as string]] : [])))
}

/** Records or replays a model of AI SDK. */
export function recordedModel<Model extends AskedModel>(tape: Tape, model: Model): Model {
  const asked = (options: object, stream: boolean): object => {
    const { abortSignal: _, headers: __, ...others } = options as { abortSignal?: unknown; headers?: unknown }
    return { ...others, stream }
  }
  const doGenerate = async (options: object): Promise<unknown> => {
    const answer = await tape.play('model', asked(options, false), async () => {
      const { request: _, response: __, ...result } = (await model.doGenerate(options as never)) as Record<string, unknown>
      return result
    })
    return revive(answer)
  }
  const doStream = async (options: object): Promise<unknown> => {
    const { parts } = await tape.play('model', asked(options, true), async () => {
      const { stream } = (await model.doStream(options as never)) as { readonly stream: ReadableStream<{ readonly type: string }> }
      const read: unknown[] = []
      for (const reader = stream.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) return { parts: read }
        // Skip these parts: they contain a date.
        if (value.type !== 'response-metadata' && value.type !== 'raw') read.push(value)
      }
    })
    return { stream: streamOf(parts.map(revive)) }
  }
  return Object.assign(Object.create(model) as Model, { doGenerate, doStream })
}

function streamOf(parts: readonly unknown[]): ReadableStream<unknown> {
  const queue = [...parts]
  return new ReadableStream({
    pull(controller) {
      if (queue.length > 0) controller.enqueue(queue.shift())
      else controller.close()
    },
  })
}
